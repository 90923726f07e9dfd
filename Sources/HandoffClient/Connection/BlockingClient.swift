// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// For sequential calls, on one thread. Keeps frames that arrive during a call for `receive`.
package final class BlockingClient {
    /// For a daemon that does not read.
    private static let sendTimeout = Duration.seconds(10)

    package var welcome: Welcome { connection.welcome }
    package var descriptor: CInt { connection.socket.descriptor }

    private var connection: FramedSocket
    private var kept: [LocalFrame] = []
    /// The hello had request 1.
    private var lastRequest: UInt64 = 1

    private init(connection: consuming FramedSocket) { self.connection = connection }

    /// `timeout` limits the whole call. Throws `.connectionUnavailable`, or the daemon's rejection of the hello.
    package static func connect(
        to locations: Locations, hello: LocalHello, timeout: Duration = .seconds(5)
    ) throws(Failure) -> BlockingClient {
        BlockingClient(connection: try FramedSocket.open(path: locations.socket, hello: hello, timeout: timeout))
    }

    package func nextRequest() -> UInt64 {
        lastRequest += 1
        return lastRequest
    }

    package func send(_ frame: LocalFrame) throws(Failure) {
        try connection.socket.writeAll(try frame.framedBytes(), until: ContinuousClock.now + Self.sendTimeout)
    }

    /// Without `timeout`, waits until the connection ends.
    package func receive(timeout: Duration? = nil) throws(Failure) -> LocalFrame {
        if !kept.isEmpty { return kept.removeFirst() }
        return try nextFrame(until: timeout.map { ContinuousClock.now + $0 })
    }

    /// Nil as in `FramedSocket.nextFrame`.
    package func receive(
        unless others: CInt..., output: CInt = -1, timeout: Duration? = nil
    ) throws(Failure) -> LocalFrame? {
        if !kept.isEmpty { return kept.removeFirst() }
        return try connection.nextFrame(
            unless: others, output: output, until: timeout.map { ContinuousClock.now + $0 })
    }

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

extension ThisProcess {
    /// A hanging daemon must not delay the program's start longer.
    private static let patience = Duration.seconds(3)

    /// The daemon's, because its environment may differ. Without a daemon, this program's.
    package static func daemonLocations(root: String? = nil, as name: String) -> Locations {
        let own = locations(root: root)
        let hello = LocalHello(role: .control, name: DisplayText(cleaning: name))
        let places = try? BlockingClient.connect(to: own, hello: hello, timeout: patience).welcome.places
        return places.map(own.at) ?? own
    }
}
