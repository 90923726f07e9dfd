// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import TestPrograms

/// A separate program that sends one large message repeatedly, faster than any library could create it.
package final class FloodingProgram: Sendable {
    package struct Tally: Hashable, Sendable {
        package var answered = 0
        package var refused = 0
        package var failed = 0
    }

    private let program: Program

    /// `signature`: of the body. Each array has thousands of short strings; without arrays, a string is long.
    package init(
        at address: String, _ name: String, _ path: String, _ interface: String, _ member: String, _ signature: String,
        count: Int
    ) throws {
        program = try Program(
            ["/usr/bin/python3", "-c", Self.script, address, name, path, interface, member, signature, "\(count)"],
            environment: ["PATH": "/usr/bin:/bin"], takesInput: true)
    }

    package func hasSentHalf() async throws { try await program.hear("half") }
    package func hasSentAll() async throws { try await program.hear("all") }

    /// Returns the replies received, and ends the program.
    package func tally() async throws -> Tally {
        try program.type("tally")
        let words = try await program.hear("tally ").split(separator: " ").compactMap { Int($0) }
        program.send(SIGKILL)
        guard words.count == 3 else { return Tally() }
        return Tally(answered: words[0], refused: words[1], failed: words[2])
    }

    deinit { program.send(SIGKILL) }

    private static let script = """
        import os, re, socket, struct, sys, threading
        address, name, path, interface, member, signature = (word.encode() for word in sys.argv[1:7])
        count = int(sys.argv[7])
        def pad(data, size): return data + bytes(-len(data) % size)
        def text(data): return struct.pack("<I", len(data)) + data + b"\\0"
        def field(data, code, kind, value):
            data = pad(data, 8) + bytes([code, len(kind)]) + kind + b"\\0"
            return data + bytes([len(value)]) + value + b"\\0" if kind == b"g" else pad(data, 4) + text(value)
        def message(serial, name, path, interface, member, signature=b"", body=b""):
            fields = field(field(field(field(b"", 1, b"o", path), 2, b"s", interface), 3, b"s", member), 6, b"s", name)
            if signature: fields = field(fields, 8, b"g", signature)
            start = struct.pack("<BBBBIII", 108, 1, 0, 1, len(body), serial, len(fields))
            return pad(start + fields, 8) + body
        def marshalled(signature):
            kinds, body = re.findall(r"a\\{sv\\}|a?[a-z]", signature.decode()), b""
            for kind in kinds:
                body = pad(body, 4)
                if kind == "s": body += text(b"a" * (120000 if len(kinds) == 1 else 1))
                elif kind == "o": body += text(b"/x")
                elif kind in "iu": body += bytes(4)
                elif kind == "as": body += struct.pack("<I", 128000) + 8000 * text(b"a" * 11)
                elif kind == "ai": body += struct.pack("<I", 128000) + bytes(128000)
                elif kind == "a{sv}":
                    entry = text(b"k" * 11) + b"\\1s\\0" + b"\\0" + text(b"abc") + bytes(4)
                    body = pad(body + struct.pack("<I", 127996), 8) + (4000 * entry)[:-4]
            return body
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(address[len("unix:path="):])
        connection.sendall(b"\\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\\r\\n")
        reader = connection.makefile("rb")
        reader.readline()
        connection.sendall(b"BEGIN\\r\\n")
        tally, marked = [0, 0, 0], threading.Event()
        def read():
            while True:
                start = reader.read(16)
                kind, size, fields = start[1], *struct.unpack("<I4xI", start[4:])
                rest = reader.read(fields + -fields % 8 + size)
                if kind == 3 and b"NoSuchMark" in rest: marked.set()
                elif kind == 2: tally[0] += 1
                elif kind == 3: tally[1 if b"LimitsExceeded" in rest else 2] += 1
        threading.Thread(target=read, daemon=True).start()
        BUS, ROOT = b"org.freedesktop.DBus", b"/org/freedesktop/DBus"
        connection.sendall(message(1, BUS, ROOT, BUS, b"Hello"))
        whole = bytearray(message(2, name, path, interface, member, signature, marshalled(signature)))
        for number in range(count):
            if number == count // 2: print("half", flush=True)
            whole[8:12] = struct.pack("<I", number + 2)
            connection.sendall(whole)
        print("all", flush=True)
        input()
        connection.sendall(message(count + 2, BUS, ROOT, BUS, b"NoSuchMark"))
        marked.wait()
        # The bus has answered the greeting.
        print("tally", tally[0] - 1, tally[1], tally[2], flush=True)
        input()
        """
}

/// A single call by a separate program.
package enum CallingProgram {
    /// Returns the program's output. `arguments`: as for dbus-send.
    package static func call(
        at address: String, _ name: String, _ path: String, _ member: String, _ arguments: String...
    ) async throws -> (succeeded: Bool, output: String) {
        try await call(by: "/usr/bin/dbus-send", at: address, name, path, member, arguments)
    }

    /// `program`: a copy of dbus-send.
    package static func call(
        by program: String, at address: String, _ name: String, _ path: String, _ member: String, _ arguments: [String]
    ) async throws -> (succeeded: Bool, output: String) {
        let sender = try Program(
            [program, "--session", "--print-reply", "--dest=\(name)", path, member] + arguments,
            environment: ["PATH": "/usr/bin:/bin", "DBUS_SESSION_BUS_ADDRESS": address])
        let code = await sender.end()
        return (code == 0, sender.output + sender.errors)
    }
}
