// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffCore
import HandoffSystem
import HandoffWire
import NIOCore
import NIOPosix

@testable import HandoffNet

/// An app's end of a stream: a plain socket with blocking calls.
final class AppEnd: Sendable {
    enum Ending: Sendable, Equatable {
        case end
        case broken(Int32)
    }

    /// The limit for blocking reads and writes, seconds.
    static let patience = 40

    /// Separate threads, so that a blocked test does not delay others.
    private static let threads: NIOThreadPool = {
        let threads = NIOThreadPool(numberOfThreads: 24)
        threads.start()
        return threads
    }()

    let descriptor: Int32

    init(attaching token: StreamToken, to path: String, extra: [UInt8] = []) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var time = timeval(tv_sec: Self.patience, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        let connected = try SocketAddress(unixDomainSocketPath: path).withSockAddr { pointer, length in
            connect(descriptor, pointer, socklen_t(length))
        }
        guard connected == 0 else { throw SystemError("connect") }
        let frame = LocalFrame(.streams(.attachStream(token)), request: 7)
        let bytes = try FrameHeader.framed(frame.encoded(), limit: Limits.frameBytes) + extra
        guard write(bytes) == nil else { throw SystemError("write") }
    }

    deinit { Glibc.close(descriptor) }

    static func attach(_ token: StreamToken, to fixture: StreamFixture, extra: [UInt8] = []) async throws -> AppEnd {
        let path = fixture.path
        return try await threads.runIfActive { try AppEnd(attaching: token, to: path, extra: extra) }
    }

    private func waiting<Value: Sendable>(_ work: @escaping @Sendable (AppEnd) -> Value) async throws -> Value {
        try await Self.threads.runIfActive { work(self) }
    }

    func answer() async throws -> LocalFrame? {
        try await waiting { app in
            guard let header = app.exactly(FrameHeader.byteCount) else { return nil }
            let length = header.reduce(0) { $0 << 8 | Int($1) }
            return app.exactly(length).flatMap { try? LocalFrame(encoded: $0) }
        }
    }

    private func exactly(_ count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var buffer = [UInt8](repeating: 0, count: count - bytes.count)
            let got = read(descriptor, &buffer, buffer.count)
            guard got > 0 else { return nil }
            bytes += buffer[..<got]
        }
        return bytes
    }

    /// Returns the error number, or nil.
    private func write(_ bytes: some Collection<UInt8>) -> Int32? {
        let error = bytes.withContiguousStorageIfAvailable { write($0) }
        return error ?? Array(bytes).withUnsafeBufferPointer { write($0) }
    }

    private func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Int32? {
        var rest = UnsafeRawBufferPointer(bytes)
        while !rest.isEmpty {
            let sent = Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
            guard sent > 0 else { return errno }
            rest = UnsafeRawBufferPointer(rebasing: rest[sent...])
        }
        return nil
    }

    /// Sends the first `count` bytes of the pattern in pieces of any size, with occasional pauses. Returns the error
    /// number of an incomplete write, or nil.
    func send(_ count: Int, of pattern: Pattern, from start: Int = 0, seed: UInt64 = 1) async throws -> Int32? {
        try await waiting { app in
            var random = Randomness.seeded(seed)
            var sent = start
            while sent < count {
                let most = [1, 100, 5_000, 65_536, 400_000].randomElement(using: &random)!
                let piece = pattern.piece(at: sent, upTo: min(count - sent, Int.random(in: 1...most, using: &random)))
                if let error = app.write(piece) { return error }
                sent += piece.count
                if Int.random(in: 0..<64, using: &random) == 0 { usleep(UInt32.random(in: 0..<2_000, using: &random)) }
            }
            return nil
        }
    }

    /// Sends until no bytes are taken for a second; returns how many were taken.
    func sendUntilHeldBack(of pattern: Pattern) async throws -> Int {
        try await waiting { app in
            var sent = 0
            while true {
                var state = pollfd(fd: app.descriptor, events: Int16(POLLOUT), revents: 0)
                guard poll(&state, 1, 1_000) > 0 else { return sent }
                let piece = pattern.piece(at: sent, upTo: 65_536)
                let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
                sent += max(0, piece.withUnsafeBytes { Glibc.send(app.descriptor, $0.baseAddress, $0.count, flags) })
            }
        }
    }

    /// Receives to the end, or up to `limit` bytes. Returns the number of bytes and the ending. Throws at the first
    /// wrong byte.
    func receive(
        _ pattern: Pattern, from start: Int = 0, upTo limit: Int = .max, seed: UInt64 = 2
    ) async throws -> (count: Int, ending: Ending?) {
        try await Self.threads.runIfActive { [self] in
            var random = Randomness.seeded(seed)
            var got = start
            var buffer = [UInt8](repeating: 0, count: 300_000)
            while got < limit {
                let most = min(limit - got, Int.random(in: 1...buffer.count, using: &random))
                let count = read(descriptor, &buffer, most)
                guard count >= 0 else { return (got, .broken(errno)) }
                guard count > 0 else { return (got, .end) }
                guard pattern.matches(buffer[..<count], at: got) else { throw WrongBytes(offset: got) }
                got += count
                if Int.random(in: 0..<64, using: &random) == 0 { usleep(UInt32.random(in: 0..<2_000, using: &random)) }
            }
            return (got, nil)
        }
    }

    func endWriting() { shutdown(descriptor, Int32(SHUT_WR)) }
    /// Like the end of a process.
    func leave() { dup2(Self.nothing, descriptor) }

    private static let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)

    struct WrongBytes: Error {
        var offset: Int
    }
}

/// An endless byte sequence, each part of which can be verified separately.
struct Pattern: Sendable {
    /// A prime, so that missing or repeated blocks of a power of two are noticed.
    private static let length = 1_048_573
    private let block: [UInt8]

    init(_ seed: UInt64) {
        var random = Randomness.seeded(seed)
        var block: [UInt8] = []
        block.reserveCapacity(Self.length + 8)
        while block.count < Self.length { withUnsafeBytes(of: random.next()) { block += $0 } }
        self.block = Array(block.prefix(Self.length))
    }

    /// At least one byte.
    func piece(at offset: Int, upTo count: Int) -> ArraySlice<UInt8> {
        let start = offset % Self.length
        return block[start..<min(start + count, Self.length)]
    }

    func matches(_ bytes: ArraySlice<UInt8>, at offset: Int) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let expected = piece(at: offset + rest.startIndex - bytes.startIndex, upTo: rest.count)
            let isSame = expected.withUnsafeBytes { one in
                rest.withUnsafeBytes { memcmp(one.baseAddress!, $0.baseAddress!, one.count) == 0 }
            }
            guard isSame else { return false }
            rest = rest.dropFirst(expected.count)
        }
        return true
    }
}
