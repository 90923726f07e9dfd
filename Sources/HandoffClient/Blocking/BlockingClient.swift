// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// A connection to the daemon for a program that does one thing at a time: the command line.
///
/// Not Sendable; one thread uses it. Frames that arrive while a call waits for its answer are kept for `receive`.
package final class BlockingClient {
    /// How long a daemon that does not read may hold up a sender.
    private static let sendTimeout = Duration.seconds(10)

    package var welcome: Welcome { connection.welcome }
    /// For a caller that polls more than this connection.
    package var descriptor: CInt { connection.socket.descriptor }

    private var connection: FramedSocket
    private var kept: [LocalFrame] = []
    /// The hello was the first.
    private var lastRequest: UInt64 = 1

    private init(connection: consuming FramedSocket) { self.connection = connection }

    /// `timeout` bounds the whole of it. Throws `.connectionUnavailable` where no daemon answers, and what the daemon
    /// said where it refuses the hello.
    package static func connect(
        to locations: Locations, hello: LocalHello, timeout: Duration = .seconds(5)
    ) throws(Failure) -> BlockingClient {
        BlockingClient(connection: try FramedSocket.open(path: locations.socket, hello: hello, timeout: timeout))
    }

    /// A number for a frame that asks for an answer.
    package func nextRequest() -> UInt64 {
        lastRequest += 1
        return lastRequest
    }

    package func send(_ frame: LocalFrame) throws(Failure) {
        try connection.socket.writeAll(try frame.framedBytes(), until: ContinuousClock.now + Self.sendTimeout)
    }

    /// The next frame; `timeout` nil waits for as long as the daemon lives.
    package func receive(timeout: Duration? = nil) throws(Failure) -> LocalFrame {
        if !kept.isEmpty { return kept.removeFirst() }
        return try nextFrame(until: timeout.map { ContinuousClock.now + $0 })
    }

    /// The next frame, or nil once one of `others` can be read or `timeout` is over: for a program that waits for more than
    /// the daemon.
    package func receive(unless others: CInt..., timeout: Duration? = nil) throws(Failure) -> LocalFrame? {
        if !kept.isEmpty { return kept.removeFirst() }
        return try connection.nextFrame(unless: others, until: timeout.map { ContinuousClock.now + $0 })
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
        try connection.nextFrame(until: deadline)
    }
}
