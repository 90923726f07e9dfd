// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffSystem

/// A mounted file system with one program, whose server stops responding when a test requires it, like a lost sshfs or
/// AppImage server. It still serves the program's pages, so that a running program continues, but no names or
/// attributes. Needs root and /dev/fuse.
package final class SilentFileSystem: Sendable {
    package static let isPossible = geteuid() == 0 && access("/dev/fuse", R_OK | W_OK) == 0

    /// Its path.
    package let program: String
    private let folder: String
    private let content: Data
    private let state = Lock(State())

    private struct State {
        var isSilent = false
        /// Requests without a reply.
        var unanswered = 0
    }

    /// `program`: the source of the content, such as /usr/bin/perl.
    package init(serving program: String) throws {
        content = try Data(contentsOf: URL(filePath: program).resolvingSymlinksInPath())
        folder = "/tmp/handoff-silent-\(UUID().uuidString.prefix(8))"
        self.program = folder + "/" + Self.name
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let device = open("/dev/fuse", O_RDWR | O_CLOEXEC)
        let options = "fd=\(device),rootmode=40000,user_id=0,group_id=0,allow_other"
        guard device >= 0, mount("handoff-test", folder, "fuse", 0, options) == 0 else {
            let reason = String(cString: strerror(errno))
            close(device)
            throw Program.Silence(description: "cannot mount a file system at \(folder): \(reason)")
        }
        DetachedThread.start { [content, state = StateBox(self)] in Self.serve(device, content, state) }
    }

    /// Ends all pending requests and the server, which closes the device. If it were closed here, another file could
    /// get its number while the server still reads.
    deinit {
        umount2(folder, CInt(MNT_FORCE))
        umount2(folder, CInt(MNT_DETACH))
        rmdir(folder)
    }

    package func fallSilent() { state.withLock { $0.isSilent = true } }

    package func speakAgain() { state.withLock { $0.isSilent = false } }

    /// Returns true after a request without a reply, false at the time limit.
    package func wasAskedInVain(_ bound: Duration = .seconds(10)) async -> Bool {
        let deadline = ContinuousClock.now + bound
        let alarm = Changes.all.alarm(in: bound)
        defer { alarm.cancel() }
        while true {
            let seen = Changes.all.count
            if state.withLock({ $0.unanswered > 0 }) { return true }
            guard ContinuousClock.now < deadline else { return false }
            await Changes.all.next(after: seen)
        }
    }

    // MARK: The server

    private static let name = "program"
    private static let root: UInt64 = 1
    private static let file: UInt64 = 2

    private final class StateBox: Sendable {
        nonisolated(unsafe) private weak var system: SilentFileSystem?
        init(_ system: SilentFileSystem) { self.system = system }

        /// Whether requests for names or attributes get a reply.
        func answers() -> Bool {
            guard let system else { return false }
            let isSilent = system.state.withLock { state in
                if state.isSilent { state.unanswered += 1 }
                return state.isSilent
            }
            if isSilent { Changes.all.happened() }
            return !isSilent
        }
    }

    /// Serves until the connection is aborted. Numbers and layouts are from <linux/fuse.h>.
    private static func serve(_ device: CInt, _ content: Data, _ state: StateBox) {
        defer { close(device) }
        var buffer = [UInt8](repeating: 0, count: 256 * 1024)
        while true {
            let count = read(device, &buffer, buffer.count)
            if count < 0, errno == EINTR || errno == ENOENT { continue }
            guard count >= 40 else { return }
            let request = FuseRequest(buffer[..<count])
            guard let answer = answer(to: request, content, state) else { continue }
            var reply = FuseBytes()
            switch answer {
            case .failure(let error):
                reply.add(UInt32(16), UInt32(bitPattern: -error.code), request.unique)
            case .success(let body):
                reply.add(UInt32(16 + body.bytes.count), UInt32(0), request.unique)
                reply.bytes += body.bytes
            }
            _ = write(device, reply.bytes, reply.bytes.count)
        }
    }

    private struct Refusal: Error { let code: Int32 }

    private static func answer(
        to request: FuseRequest, _ content: Data, _ state: StateBox
    ) -> Result<FuseBytes, Refusal>? {
        switch request.operation {
        case 26:
            var body = FuseBytes()
            body.add(UInt32(7), UInt32(31), UInt32(128 * 1024), UInt32(0), UInt16(16), UInt16(12))
            body.add(UInt32(128 * 1024), UInt32(1), UInt16(0), UInt16(0), UInt32(0))
            body.bytes += [UInt8](repeating: 0, count: 28)
            return .success(body)
        case 1:
            guard state.answers() else { return nil }
            guard request.node == root, request.text == name else { return .failure(Refusal(code: ENOENT)) }
            var body = FuseBytes()
            body.add(file, UInt64(0), UInt64(0), UInt64(0), UInt32(0), UInt32(0))
            body.addAttributes(of: file, size: content.count)
            return .success(body)
        case 3:
            guard state.answers() else { return nil }
            var body = FuseBytes()
            body.add(UInt64(0), UInt32(0), UInt32(0))
            body.addAttributes(of: request.node, size: content.count)
            return .success(body)
        case 14, 27:
            var body = FuseBytes()
            // Pages that were read stay in the kernel's memory.
            body.add(UInt64(0), UInt32(2), UInt32(0))
            return .success(body)
        case 15:
            let start = min(request.readOffset, content.count)
            return .success(FuseBytes(bytes: Array(content[start..<min(start + request.readSize, content.count)])))
        case 18, 25, 29: return .success(FuseBytes())
        // These get no reply.
        case 2, 36, 42: return nil
        default: return .failure(Refusal(code: ENOSYS))
        }
    }
}

private struct FuseRequest {
    let operation: UInt32
    let unique: UInt64
    let node: UInt64
    private let body: [UInt8]

    init(_ bytes: ArraySlice<UInt8>) {
        let bytes = Array(bytes)
        operation = UInt32(truncatingIfNeeded: Self.number(bytes, 4, 4))
        unique = Self.number(bytes, 8, 8)
        node = Self.number(bytes, 16, 8)
        body = Array(bytes[40...])
    }

    /// The name in a lookup.
    var text: String { String(decoding: body.prefix { $0 != 0 }, as: UTF8.self) }
    var readOffset: Int { Int(Self.number(body, 8, 8)) }
    var readSize: Int { Int(Self.number(body, 16, 4)) }

    private static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> UInt64 {
        bytes[start..<(start + count)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}

private struct FuseBytes {
    var bytes: [UInt8] = []

    mutating func add(_ numbers: any FixedWidthInteger...) {
        for number in numbers { add(one: number) }
    }

    private mutating func add(one number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }

    mutating func addAttributes(of node: UInt64, size: Int) {
        let isFolder = node == 1
        add(node, UInt64(isFolder ? 0 : size), UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt32(0), UInt32(0))
        add(UInt32(0), UInt32(isFolder ? 0o40755 : 0o100755), UInt32(1), UInt32(0), UInt32(0), UInt32(0))
        add(UInt32(4096), UInt32(0))
    }
}
