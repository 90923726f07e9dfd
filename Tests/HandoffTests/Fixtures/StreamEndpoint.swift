// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import HandoffClient
import HandoffWire

/// The daemon's end of a stream's connection. The test acts as the other app.
final class StreamEndpoint: Sendable {
    struct Cut: Error {}

    let token: StreamToken
    private let socket: StreamSocket
    /// Blocking calls have their own threads.
    private let reading = DispatchQueue(label: "endpoint.reading")
    private let writing = DispatchQueue(label: "endpoint.writing")

    init(_ descriptor: CInt, token: StreamToken) {
        self.token = token
        socket = StreamSocket(adopting: descriptor)
    }

    /// A connection: one end for adoption, and this one.
    static func pair() -> (CInt, StreamEndpoint) {
        var ends: [CInt] = [-1, -1]
        socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
        var generator = SystemRandomNumberGenerator()
        return (ends[0], StreamEndpoint(ends[1], token: .random(using: &generator)))
    }

    /// Answers the attach; raw bytes may follow in the same write.
    func answer(_ message: LocalMessage, and bytes: [UInt8] = []) throws {
        let frame = LocalFrame(message, answer: 1)
        try sendNow(try FrameHeader.framed(try frame.encoded(), limit: Limits.frameBytes) + bytes)
    }

    func accept() throws { try answer(.done(accepted: true)) }

    /// Sends in one piece, for data that the socket accepts at once.
    func sendNow(_ bytes: [UInt8]) throws {
        guard bytes.withUnsafeBytes({ socket.writeAll($0, until: .now + .seconds(30)) }) == .moved(bytes.count) else {
            throw givenUp()
        }
    }

    /// Waits until the socket has accepted all bytes.
    func send(_ bytes: [UInt8]) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            writing.async { continuation.resume(with: Result { try self.sendNow(bytes) }) }
        }
    }

    func receive(_ count: Int = .max) async throws -> [UInt8] {
        try await withCheckedThrowingContinuation { continuation in
            reading.async { continuation.resume(with: Result { try self.receiveNow(count) }) }
        }
    }

    private func receiveNow(_ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: min(count, 64 * 1024))
        while bytes.count < count {
            let room = min(buffer.count, count - bytes.count)
            let transfer = buffer[..<room].withUnsafeMutableBytes { socket.read(into: $0, until: .now + .seconds(30)) }
            switch transfer {
            case .moved(let more): bytes += buffer[..<more]
            case .ended: return bytes
            case .wouldBlock: throw givenUp()
            }
        }
        return bytes
    }

    /// Cuts the connection after a timeout, because a waiting thread of the app would keep the test from failing.
    private func givenUp() -> Cut {
        cut()
        return Cut()
    }

    func endWriting() { socket.endWriting() }
    func cut() { socket.cut() }
}
