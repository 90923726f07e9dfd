// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem
internal import HandoffWire

struct FramedSocket: ~Copyable {
    let socket: UnixSocket
    var frames: FrameReader
    let welcome: Welcome

    /// `timeout` limits connecting and the hello together.
    static func open(path: String, hello: LocalHello, timeout: Duration) throws(Failure) -> FramedSocket {
        let deadline = ContinuousClock.now + timeout
        let socket = try UnixSocket.connect(path: path, timeout: timeout)
        var frames = FrameReader(limit: FrameLimits.local.first)
        do throws(Failure) {
            let greeting = LocalFrame(.hello(hello), request: 1)
            try socket.writeAll(try greeting.framedBytes(within: FrameLimits.local.first), until: deadline)
        } catch {
            // The daemon may have sent the reason.
            if case .failure(let failure)? = try? frames.next(from: socket, until: deadline).message { throw failure }
            throw error
        }
        switch try frames.next(from: socket, until: deadline).message {
        case .welcome(let welcome):
            frames.limit = FrameLimits.local.later
            return FramedSocket(socket: socket, frames: frames, welcome: welcome)
        case .failure(let failure):
            throw failure
        default:
            throw Failure(.malformed, "the daemon did not answer the greeting; its version may differ")
        }
    }

    mutating func nextFrame(until deadline: ContinuousClock.Instant?) throws(Failure) -> LocalFrame {
        try frames.next(from: socket, until: deadline)
    }

    /// Blocks until a frame. Nil once one of `others` is readable, no program reads `output`, or at the deadline.
    mutating func nextFrame(
        unless others: [CInt], output: CInt = -1, until deadline: ContinuousClock.Instant? = nil
    ) throws(Failure) -> LocalFrame? {
        while true {
            if let frame = try frames.next() { return frame }
            switch frames.fill(from: socket) {
            case .moved: continue
            case .closed: throw .connectionClosed
            case .wouldBlock:
                var pollers = ([socket.descriptor] + others).map {
                    pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
                }
                // Without events, it reports only errors and the other end's close.
                pollers.append(pollfd(fd: output, events: 0, revents: 0))
                let timeout = deadline.map { ContinuousClock.now.duration(to: $0).pollMilliseconds } ?? -1
                let result = poll(&pollers, nfds_t(pollers.count), timeout)
                if pollers.dropFirst().contains(where: { $0.revents != 0 }) { return nil }
                if result == 0, let deadline, ContinuousClock.now >= deadline { return nil }
            }
        }
    }

    consuming func takeSocket() -> UnixSocket { socket }
}

struct FrameReader {
    /// Bytes in a frame.
    var limit: Int {
        get { assembler.limit }
        set { assembler.limit = newValue }
    }

    private var assembler: FrameAssembler
    private var buffer = [UInt8](repeating: 0, count: 16 * 1024)

    init(limit: Int) { assembler = FrameAssembler(limit: limit) }

    mutating func fill(from socket: borrowing UnixSocket) -> UnixSocket.Transfer {
        socket.read(into: &assembler, through: &buffer)
    }

    mutating func next() throws(Failure) -> LocalFrame? {
        do throws(WireError) {
            guard let body = try assembler.next() else { return nil }
            return try LocalFrame(encoded: body)
        } catch {
            throw .unreadable(error)
        }
    }

    mutating func next(
        from socket: borrowing UnixSocket, until deadline: ContinuousClock.Instant?
    ) throws(Failure) -> LocalFrame {
        while true {
            if let frame = try next() { return frame }
            switch fill(from: socket) {
            case .moved: continue
            case .closed: throw .connectionClosed
            case .wouldBlock:
                guard socket.wait(for: CInt(POLLIN), until: deadline) else {
                    throw Failure(.connectionUnavailable, "the daemon did not answer in time")
                }
            }
        }
    }
}

extension UnixSocket {
    func readExactly(_ count: Int, until deadline: ContinuousClock.Instant) throws(Failure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            switch bytes.withUnsafeMutableBytes({
                receive(into: UnsafeMutableRawBufferPointer(rebasing: $0[filled...]))
            }) {
            case .moved(let more): filled += more
            case .closed: throw .connectionClosed
            case .wouldBlock:
                guard wait(for: CInt(POLLIN), until: deadline) else {
                    throw Failure(.connectionUnavailable, "the daemon did not answer in time")
                }
            }
        }
        return bytes
    }

    func writeAll(_ bytes: [UInt8], until deadline: ContinuousClock.Instant) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            switch write(rest) {
            case .moved(let count): rest = rest.dropFirst(count)
            case .closed: throw .connectionClosed
            case .wouldBlock:
                guard wait(for: CInt(POLLOUT), until: deadline) else {
                    throw Failure(.connectionUnavailable, "the daemon is not reading its messages")
                }
            }
        }
    }
}

extension LocalFrame {
    /// Throws `.limitReached` for a frame that no daemon would accept.
    func framedBytes(within limit: Int = FrameLimits.local.later) throws(Failure) -> [UInt8] {
        do throws(WireError) {
            return try FrameHeader.framed(try encoded(), limit: limit)
        } catch {
            throw Failure(.limitReached, "the message is too large to send: \(error)")
        }
    }
}

extension Failure {
    static func unreadable(_ error: WireError) -> Failure {
        Failure(.malformed, "the daemon sent something this version cannot read: \(error)")
    }

    static var connectionClosed: Failure { Failure(.connectionUnavailable, "the daemon closed the connection") }
}
