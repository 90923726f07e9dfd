// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestPrograms

/// With the built programs, in a separate folder.
final class Session {
    struct Difference: Error, CustomStringConvertible {
        let line: Int
        let description: String
    }

    private let work: String
    private var bindings = Bindings()
    private var device = "device"
    /// The width of the terminal, if standard output is one.
    private var columns: Int?
    private var daemons: [String: Program] = [:]
    /// The port of each daemon, kept after a restart, so that other devices find it at the known address.
    private var ports: [String: UInt16] = [:]
    /// The background programs, and how many of their lines were consumed.
    private var beside: [(program: Program, heard: Int)] = []

    init() throws {
        // Short, because a socket's path is limited.
        var template = Array("/tmp/handoff-cli-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw CocoaError(.fileWriteUnknown) }
        work = String(cString: made)
    }

    deinit {
        beside.forEach { $0.program.send(SIGKILL) }
        daemons.values.forEach { $0.send(SIGKILL) }
        try? FileManager.default.removeItem(atPath: work)
    }

    func play(_ transcript: Transcript) async throws {
        for (path, content) in transcript.files {
            let url = URL(fileURLWithPath: work + "/" + path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(content.utf8).write(to: url)
        }
        for (line, step) in transcript.steps {
            if let difference = try await play(step) {
                throw Difference(line: line, description: "line \(line): \(difference)")
            }
        }
    }

    private func play(_ step: Transcript.Step) async throws -> String? {
        switch step {
        case .device(let name): device = name
        case .terminal(let columns): self.columns = columns
        case .daemon(let name): return try await startDaemon(name)
        case .kill(let name):
            daemons[name]?.send(SIGKILL)
            _ = await daemons.removeValue(forKey: name)?.end()
        case .command(let command, let expected, let isBackground):
            let program = try start(
                ["/bin/sh", "-c", (isBackground ? "exec " : "") + bindings.fill(command)], terminal: columns)
            if isBackground { beside.append((program, 0)) } else { return await compare(program, expected, command) }
        case .said(let text): return await listen(for: text)
        case .stop, .ended:
            guard let program = beside.popLast()?.program else { return "nothing goes on beside" }
            if case .stop = step { program.send(SIGINT) }
            let code = await program.end()
            if code != 0 { return "it ended with \(code.map { "\($0)" } ?? "force"): \(program.errors)" }
        }
        return nil
    }

    private func listen(for text: String) async -> String? {
        guard let last = beside.last else { return "nothing goes on beside" }
        var found: (index: Int, heard: Int, bindings: Bindings)?
        _ = await last.program.wait { _ in
            for index in beside.indices.reversed() {
                let said = lines(beside[index].program.output)
                for line in said.indices.dropFirst(beside[index].heard) {
                    var bindings = bindings
                    guard bindings.match(said[line], text) else { continue }
                    found = (index, line + 1, bindings)
                    return true
                }
            }
            return false
        }
        guard let found else {
            let said = beside.map { $0.program.output + $0.program.errors }.joined(separator: "\n")
            return "nobody said: \(text)\nbut:\n\(said)"
        }
        beside[found.index].heard = found.heard
        bindings = found.bindings
        return nil
    }

    private func startDaemon(_ name: String) async throws -> String? {
        device = name
        let port = ports[name] ?? Self.freePort()
        ports[name] = port
        let daemon = try start([
            Program.built + "/handoffd", "--root", "\(work)/\(name)", "--name", name, "--listen", "127.0.0.1:\(port)",
        ])
        daemons[name] = daemon
        let isReady = await daemon.wait { !$0.isRunning || $0.errors.contains("Ready\n") } && daemon.isRunning
        return isReady ? nil : "the daemon of \(name) is not ready: \(daemon.errors)"
    }

    private static func freePort() -> UInt16 {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(listener, $0, length)
                _ = getsockname(listener, $0, &length)
            }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    private func compare(_ program: Program, _ expected: Transcript.Expected, _ command: String) async -> String? {
        guard let code = await program.end() else { return "\(command)\ndoes not end" }
        let output = lines(program.output)
        let errors = lines(program.errors)
        if code == expected.code, bindings.match(output, expected.output), bindings.match(errors, expected.errors) {
            return nil
        }
        let came = output + errors.map { "2> " + $0 } + (code == 0 ? [] : ["[\(code)]"])
        return "$ \(command)\n" + came.joined(separator: "\n")
    }

    private func lines(_ text: String) -> [String] {
        text.replacingOccurrences(of: work, with: "$WORK").split(separator: "\n").map(String.init)
            .filter { !$0.allSatisfy(\.isWhitespace) }
    }

    private func start(_ command: [String], terminal: Int? = nil) throws -> Program {
        let environment = [
            "PATH": Program.built + ":/usr/bin:/bin", "HOME": work, "WORK": work, "HANDOFF_ROOT": "\(work)/\(device)",
            "TZ": "UTC", "LD_LIBRARY_PATH": ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? "",
        ]
        return try Program(command, environment: environment, folder: work, terminal: terminal)
    }
}
