// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import HandoffWire

/// A connection to the daemon for a program that does one thing at a time: the command line.
///
/// Not Sendable; one thread uses it. Frames that arrive while a call waits for its answer are kept for `receive`.
package final class BlockingClient {
    package let welcome: Welcome

    /// For a caller that polls more than this connection.
    package var descriptor: CInt { socket.descriptor }

    private let socket: UnixSocket
    private var assembler: FrameAssembler
    private var readBuffer: [UInt8]
    private var kept: [LocalFrame] = []
    private var lastRequest: UInt64

    private init(
        socket: consuming UnixSocket, welcome: Welcome, assembler: FrameAssembler, readBuffer: [UInt8], lastRequest: UInt64
    ) {
        self.socket = socket
        self.welcome = welcome
        self.assembler = assembler
        self.readBuffer = readBuffer
        self.lastRequest = lastRequest
    }

    /// `timeout` bounds the whole of it. Throws `.connectionUnavailable` where no daemon answers, and what the daemon
    /// said where it refuses the hello.
    package static func connect(
        to locations: Locations, hello: LocalHello, timeout: Duration = .seconds(5)
    ) throws(Failure) -> BlockingClient {
        let deadline = ContinuousClock.now + timeout
        let socket = try UnixSocket.connect(path: locations.socket, timeout: timeout)
        var assembler = FrameAssembler(limit: Limits.helloFrameBytes)
        var readBuffer = [UInt8](repeating: 0, count: 16 * 1024)
        try write(LocalFrame(.hello(hello), request: 1), to: socket, until: deadline)
        let answer = try nextFrame(from: socket, &assembler, &readBuffer, until: deadline)
        switch answer.message {
        case .welcome(let welcome):
            assembler.limit = Limits.frameBytes
            return BlockingClient(
                socket: socket, welcome: welcome, assembler: assembler, readBuffer: readBuffer, lastRequest: 1)
        case .failure(let failure):
            throw failure
        default:
            throw Failure(.malformed, "the daemon did not answer the hello; is it of another version?")
        }
    }

    /// A number for a frame that asks for an answer.
    package func nextRequest() -> UInt64 {
        lastRequest += 1
        return lastRequest
    }

    /// Waits while the daemon does not read, ten seconds at most.
    package func send(_ frame: LocalFrame) throws(Failure) {
        try Self.write(frame, to: socket, until: ContinuousClock.now + .seconds(10))
    }

    /// The next frame; `timeout` nil waits for as long as the daemon lives.
    package func receive(timeout: Duration? = nil) throws(Failure) -> LocalFrame {
        if !kept.isEmpty { return kept.removeFirst() }
        return try nextFrame(until: timeout.map { ContinuousClock.now + $0 })
    }

    /// One question, one answer. A failure that the daemon answers is thrown.
    package func call(_ message: LocalMessage, timeout: Duration = .seconds(30)) throws(Failure) -> LocalMessage {
        let deadline = ContinuousClock.now + timeout
        let request = nextRequest()
        try send(LocalFrame(message, request: request))
        while true {
            let frame = try nextFrame(until: deadline)
            guard frame.answer == request else {
                kept.append(frame)
                continue
            }
            if case .failure(let failure) = frame.message { throw failure }
            return frame.message
        }
    }

    private func nextFrame(until deadline: ContinuousClock.Instant?) throws(Failure) -> LocalFrame {
        try Self.nextFrame(from: socket, &assembler, &readBuffer, until: deadline)
    }

    private static func nextFrame(
        from socket: borrowing UnixSocket, _ assembler: inout FrameAssembler, _ buffer: inout [UInt8],
        until deadline: ContinuousClock.Instant?
    ) throws(Failure) -> LocalFrame {
        while true {
            do throws(WireError) {
                if let body = try assembler.next() { return try LocalFrame(encoded: body) }
            } catch {
                throw Failure(.malformed, "the daemon sent what this version cannot read: \(error)")
            }
            switch socket.read(into: &assembler, through: &buffer) {
            case .moved: continue
            case .closed: throw Failure(.connectionUnavailable, "the daemon closed the connection")
            case .wouldBlock:
                guard socket.wait(for: CInt(POLLIN), until: deadline) else {
                    throw Failure(.connectionUnavailable, "the daemon did not answer in time")
                }
            }
        }
    }

    private static func write(
        _ frame: LocalFrame, to socket: borrowing UnixSocket, until deadline: ContinuousClock.Instant
    ) throws(Failure) {
        let bytes = try frame.framedBytes()
        var rest = bytes[...]
        while !rest.isEmpty {
            switch socket.write(rest) {
            case .moved(let count): rest = rest.dropFirst(count)
            case .closed: throw Failure(.connectionUnavailable, "the daemon closed the connection")
            case .wouldBlock:
                guard socket.wait(for: CInt(POLLOUT), until: deadline) else {
                    throw Failure(.connectionUnavailable, "the daemon does not read what it is sent")
                }
            }
        }
    }
}

extension LocalFrame {
    /// Header and body. Throws `.limitReached` for a frame that no daemon would take.
    func framedBytes() throws(Failure) -> [UInt8] {
        do throws(WireError) {
            return try FrameHeader.framed(try encoded(), limit: Limits.frameBytes)
        } catch {
            throw Failure(.limitReached, "the message is too large to send: \(error)")
        }
    }
}
