// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import HandoffWire

/// A connection to the daemon for one stream's bytes, in both directions. May be used on any thread; a direction's
/// bytes are in the order of the calls. Only methods with a deadline block.
package struct StreamSocket: ~Copyable, Sendable {
    package enum Transfer: Hashable, Sendable {
        case moved(Int)
        /// Try again after `wait`.
        case wouldBlock
        /// No more bytes arrive, or the reader is gone: `StreamArrival` knows whether this was intended.
        case ended
    }

    package enum Direction: Sendable {
        case reading
        case writing

        var pollEvent: CInt { self == .reading ? CInt(POLLIN) : CInt(POLLOUT) }
    }

    /// Longer than the token's lifetime of ten seconds, so that the daemon reports the error.
    static let attachTimeout = Duration.seconds(15)

    private let socket: UnixSocket

    /// For a caller that polls several descriptors.
    package var descriptor: CInt { socket.descriptor }

    private init(socket: consuming UnixSocket) { self.socket = socket }

    package init(adopting descriptor: CInt) { socket = UnixSocket(adopting: descriptor) }

    /// Waits until the other app is attached too; `timeout` limits the whole call. Throws the daemon's failure, or
    /// `.connectionUnavailable`.
    package static func attach(
        _ token: StreamToken, to locations: Locations, timeout: Duration = attachTimeout
    ) throws(Failure) -> StreamSocket {
        try attach(token, path: locations.socket, timeout: timeout)
    }

    static func attach(_ token: StreamToken, path: String, timeout: Duration) throws(Failure) -> StreamSocket {
        let deadline = ContinuousClock.now + timeout
        let socket = try UnixSocket.connect(path: path, timeout: timeout)
        let request = LocalFrame(.streams(.attachStream(token)), request: 1)
        try socket.writeAll(try request.framedBytes(within: FrameLimits.local.first), until: deadline)
        switch try answer(on: socket, until: deadline) {
        case .done: return StreamSocket(socket: socket)
        case .failure(let failure): throw failure
        default:
            throw Failure(.malformed, "the daemon does not support streams; its version may differ")
        }
    }

    /// Reads nothing after the frame, because later bytes belong to the stream.
    private static func answer(
        on socket: borrowing UnixSocket, until deadline: ContinuousClock.Instant
    ) throws(Failure) -> LocalMessage {
        let header = try socket.readExactly(FrameHeader.byteCount, until: deadline)
        let length: Int
        do throws(WireError) {
            length = try FrameHeader.length(header, limit: FrameLimits.local.first)
        } catch {
            throw .unreadable(error)
        }
        let body = try socket.readExactly(length, until: deadline)
        do throws(WireError) {
            return try LocalFrame(encoded: body).message
        } catch {
            throw .unreadable(error)
        }
    }

    // MARK: Without blocking

    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        guard !buffer.isEmpty else { return .moved(0) }
        return Transfer(socket.receive(into: buffer))
    }

    /// Consumes no bytes.
    package func peek() -> Transfer { Transfer(socket.peek()) }

    package func write(_ bytes: UnsafeRawBufferPointer) -> Transfer {
        guard !bytes.isEmpty else { return .moved(0) }
        return Transfer(socket.write(bytes))
    }

    /// Bytes or their end can be read; bytes can be written, or the reader is gone.
    package func isReady(for direction: Direction) -> Bool {
        socket.wait(for: direction.pollEvent, until: ContinuousClock.now)
    }

    /// Send `streamEnded` on the client's connection first: otherwise the other app treats this as a cut. Bytes may
    /// still arrive.
    package func endWriting() { socket.shutDown(CInt(SHUT_WR)) }

    /// Waiting readers receive the end.
    func endReading() { socket.shutDown(CInt(SHUT_RD)) }

    /// Also wakes all waiting threads.
    package func cut() { socket.shutDown(CInt(SHUT_RDWR)) }

    // MARK: Blocking

    /// For blocking writes: removes the limit for connecting.
    func waitForRoomWithoutLimit() { socket.setSendLimit() }

    /// False at the deadline; nil: no deadline.
    package func wait(for direction: Direction, until deadline: ContinuousClock.Instant? = nil) -> Bool {
        socket.wait(for: direction.pollEvent, until: deadline)
    }

    /// Blocks until at least one byte is read; `.wouldBlock` at the deadline.
    package func read(
        into buffer: UnsafeMutableRawBufferPointer, until deadline: ContinuousClock.Instant?
    ) -> Transfer {
        while true {
            let transfer = read(into: buffer)
            guard transfer == .wouldBlock, wait(for: .reading, until: deadline) else { return transfer }
        }
    }

    /// Blocks until all bytes are written; `.wouldBlock` at the deadline, after which the stream is unusable.
    package func writeAll(_ bytes: UnsafeRawBufferPointer, until deadline: ContinuousClock.Instant?) -> Transfer {
        var rest = bytes
        while !rest.isEmpty {
            switch write(rest) {
            case .moved(let count): rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            case .wouldBlock: guard wait(for: .writing, until: deadline) else { return .wouldBlock }
            case .ended: return .ended
            }
        }
        return .moved(bytes.count)
    }
}

extension StreamSocket.Transfer {
    init(_ transfer: UnixSocket.Transfer) {
        switch transfer {
        case .moved(let count): self = .moved(count)
        case .wouldBlock: self = .wouldBlock
        case .closed: self = .ended
        }
    }
}
