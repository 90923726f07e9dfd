// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import HandoffWire

/// A connection of its own to the daemon that carries one stream: bytes alone, both ways. Closed when it goes.
///
/// Its methods may be called on any thread; bytes of one direction come in the order of the calls. Only those that take
/// a deadline wait.
package struct StreamSocket: ~Copyable, Sendable {
    package enum Transfer: Hashable, Sendable {
        case moved(Int)
        /// Nothing now; wait.
        case wouldBlock
        /// Reading: no more bytes come. Writing: nobody takes any more. `StreamArrival` knows whether that was meant.
        case ended
    }

    package enum Direction: Sendable {
        case reading
        case writing

        var pollEvent: CInt { self == .reading ? CInt(POLLIN) : CInt(POLLOUT) }
    }

    /// Longer than the ten seconds that a token lives, so that the daemon is the one that says no.
    package static let attachTimeout = Duration.seconds(15)

    private let socket: UnixSocket

    /// For a caller that polls more than this one.
    package var descriptor: CInt { socket.descriptor }

    private init(socket: consuming UnixSocket) { self.socket = socket }

    /// Takes over a connected stream socket.
    package init(adopting descriptor: CInt) { socket = UnixSocket(adopting: descriptor) }

    /// Connects, shows the ticket's token, and waits until the other app is there too; `timeout` bounds the whole of it.
    ///
    /// Throws what the daemon says where it refuses, and `.connectionUnavailable` where it cannot be reached or does not
    /// answer.
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
            throw Failure(.malformed, "the daemon does not support streams; it may be a different version")
        }
    }

    /// The one frame, and not a byte more: what follows it is the stream's.
    private static func answer(
        on socket: borrowing UnixSocket, until deadline: ContinuousClock.Instant
    ) throws(Failure) -> LocalMessage {
        let header = try socket.readExactly(FrameHeader.byteCount, until: deadline)
        let length: Int
        do throws(WireError) {
            length = try FrameHeader.length(header.reduce(0) { $0 << 8 | UInt32($1) }, limit: FrameLimits.local.first)
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

    // MARK: Without waiting

    /// At most `buffer.count` bytes of what has come. An empty buffer moves none.
    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        guard !buffer.isEmpty else { return .moved(0) }
        return Transfer(socket.receive(into: buffer))
    }

    /// Whether bytes have come; they stay where they are.
    package func peek() -> Transfer { Transfer(socket.peek()) }

    /// As many of the bytes as there is room for. An empty buffer moves none.
    package func write(_ bytes: UnsafeRawBufferPointer) -> Transfer {
        guard !bytes.isEmpty else { return .moved(0) }
        return Transfer(socket.write(bytes))
    }

    /// Some bytes have come, or their end; or there is room for some, or nobody takes them any more.
    package func isReady(for direction: Direction) -> Bool {
        socket.wait(for: direction.pollEvent, until: ContinuousClock.now)
    }

    /// The other end reads to the end then. Say `streamEnded` first, on the client's own connection: without it the other
    /// app takes this for a cut. Bytes may still come.
    package func endWriting() { socket.shutDown(CInt(SHUT_WR)) }

    /// No more bytes are taken; who waits for some is told the end.
    package func endReading() { socket.shutDown(CInt(SHUT_RD)) }

    /// Both, at once: who waits is told.
    package func cut() { socket.shutDown(CInt(SHUT_RDWR)) }

    // MARK: Waiting

    /// For somebody who writes with calls that wait: the limit was that of the connecting.
    func waitForRoomWithoutLimit() { socket.setSendLimit() }

    /// False at the deadline; nil is none.
    package func wait(for direction: Direction, until deadline: ContinuousClock.Instant? = nil) -> Bool {
        socket.wait(for: direction.pollEvent, until: deadline)
    }

    /// Waits for at least one byte; `.wouldBlock` at the deadline.
    package func read(
        into buffer: UnsafeMutableRawBufferPointer, until deadline: ContinuousClock.Instant?
    ) -> Transfer {
        while true {
            let transfer = read(into: buffer)
            guard transfer == .wouldBlock, wait(for: .reading, until: deadline) else { return transfer }
        }
    }

    /// Waits until all of the bytes are taken, `.wouldBlock` at the deadline; how many of them were not taken is not told,
    /// for the stream is of no use then.
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
