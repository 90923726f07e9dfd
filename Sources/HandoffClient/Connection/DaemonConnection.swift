// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import HandoffSystem
package import HandoffWire

/// What happens on an app's connection. Called on the connection's own thread, one at a time, outside its lock; an
/// implementation must not wait.
package protocol DaemonConnectionEvents: AnyObject, Sendable {
    /// Asked before each try to connect.
    func hello() -> LocalHello
    /// Nothing that was sent on an earlier connection counts any more.
    func connected(_ welcome: Welcome)
    /// An established connection ended.
    func disconnected(_ failure: Failure)
    /// A try to connect failed; the next ones follow by themselves.
    func unavailable(_ failure: Failure)
    /// `ticket` is nil where no answer is wanted.
    func received(_ message: LocalMessage, ticket: AnswerTicket?)
    /// Some time after `wake()`.
    func woken()
}

/// For the answer to one request of the daemon. Of no use on a later connection.
package struct AnswerTicket: Sendable, Hashable {
    package let request: UInt64
    package let connection: UInt64

    package init(request: UInt64, connection: UInt64) {
        self.request = request
        self.connection = connection
    }
}

/// An app's connection to the daemon, for as long as the app lives: it waits for a daemon, says hello, and does so again
/// when the daemon was restarted.
///
/// Sending never blocks: the bytes go to the socket on the caller's thread, and what it does not take waits for the
/// connection's thread. All shared state is behind one lock; the thread alone opens and closes the socket.
package final class DaemonConnection: Sendable {
    package typealias Answer = @Sendable (Result<LocalMessage, Failure>) -> Void
    /// True while more is to come.
    package typealias Following = @Sendable (Result<LocalMessage, Failure>) -> Bool

    struct Shared: ~Copyable {
        /// Nil while there is no welcome.
        var socket: UnixSocket?
        var outbox = Outbox()
        /// Counts connections.
        var connection: UInt64 = 0
        /// The hello is request 1 of each connection.
        var lastRequest: UInt64 = 1
        var answers: [UInt64: Following] = [:]
        var isWoken = false
        /// Set: the thread is to drop the connection, and why.
        var ending: Failure?
        var isClosed = false
    }

    let path: String
    private let descriptors: String
    let timings: Timings
    let wakeSignal = WakeSignal()
    let shared = Lock(Shared())

    package struct Timings: Sendable {
        /// Connect and hello.
        package var hello: Duration = .seconds(5)
        package var schedule = ReconnectSchedule()
        package init() {}
    }

    package init(locations: Locations, timings: Timings = Timings()) {
        self.path = locations.socket
        self.descriptors = locations.descriptors
        self.timings = timings
    }

    /// Once. `events` is held weakly; when it is gone the connection ends.
    package func start(_ events: any DaemonConnectionEvents) {
        let loop = ConnectionLoop(connection: self, events: events)
        DetachedThread.start { loop.run() }
    }

    /// False if there is no connection: what was to be said is to be said again after `connected`.
    @discardableResult
    package func send(_ message: LocalMessage) -> Bool {
        shared.withLock { enqueue(LocalFrame(message), &$0) }
    }

    /// False if the daemon that asked is gone, or the answer is too large to send.
    @discardableResult
    package func answer(_ ticket: AnswerTicket, _ message: LocalMessage) -> Bool {
        shared.withLock { shared in
            guard shared.connection == ticket.connection else { return false }
            return enqueue(LocalFrame(message, answer: ticket.request), &shared)
        }
    }

    /// `completion` is called once, on the connection's thread, unless there is no connection, which is told by false.
    /// Failures that the daemon answers, and the end of the connection, are failures of the result.
    @discardableResult
    package func request(_ message: LocalMessage, completion: @escaping Answer) -> Bool {
        follow(message) { result in
            completion(result)
            return false
        }
    }

    /// The same for what is answered more than once: `each` is called until it returns false, or the connection ends.
    @discardableResult
    package func follow(_ message: LocalMessage, each: @escaping Following) -> Bool {
        shared.withLock { shared in
            let request = shared.lastRequest + 1
            guard enqueue(LocalFrame(message, request: request), &shared) else { return false }
            shared.lastRequest = request
            shared.answers[request] = each
            return true
        }
    }

    /// Connects anew, on a thread of its own, for as long as the other app may take to do the same.
    package func attach(_ token: StreamToken, completion: @escaping @Sendable (Result<AttachedStream, Failure>) -> Void)
    {
        let path = path
        let hasBegun = DetachedThread.begin {
            do throws(Failure) {
                let socket = try StreamSocket.attach(token, path: path, timeout: StreamSocket.attachTimeout)
                completion(.success(AttachedStream(socket)))
            } catch {
                completion(.failure(error))
            }
        }
        if !hasBegun { completion(.failure(Failure(.limitReached, "this process cannot start another thread"))) }
    }

    package func give(_ file: borrowing OpenFile, as token: FileToken, within limit: Duration) -> Bool {
        do throws(SystemError) {
            try DescriptorSocket.connected(to: descriptors).send(token.bytes, with: file, within: limit)
            return true
        } catch {
            return false
        }
    }

    /// Has `woken` called on the connection's thread; several calls before it runs are one.
    package func wake() {
        let isFirst = shared.withLock { shared in
            defer { shared.isWoken = true }
            return !shared.isWoken
        }
        if isFirst { wakeSignal.signal() }
    }

    /// Drops the connection and says hello anew, for what the hello says has changed.
    package func reconnect() {
        end(Failure(.connectionUnavailable, "the app reconnected"))
    }

    /// For good.
    package func close() {
        shared.withLock { $0.isClosed = true }
        end(Failure(.connectionUnavailable, "the app closed the connection"))
    }

    private func end(_ failure: Failure) {
        shared.withLock { $0.ending = failure }
        wakeSignal.signal()
    }

    private func enqueue(_ frame: LocalFrame, _ shared: inout Shared) -> Bool {
        guard shared.socket != nil, shared.ending == nil, let bytes = try? frame.framedBytes() else { return false }
        let wasEmpty = shared.outbox.isEmpty
        var rest = bytes[...]
        if wasEmpty, case .moved(let count) = shared.socket?.write(rest) { rest = rest.dropFirst(count) }
        guard !rest.isEmpty else { return true }
        if !shared.outbox.append(rest) {
            shared.ending = Failure(.connectionUnavailable, "the daemon is not reading its messages")
        }
        // The thread does not wait for the socket to be writable while there is nothing to write.
        if wasEmpty || shared.ending != nil { wakeSignal.signal() }
        return shared.ending == nil
    }

    func ticket(for frame: LocalFrame) -> AnswerTicket? {
        guard frame.request != 0 else { return nil }
        return AnswerTicket(request: frame.request, connection: shared.withLock { $0.connection })
    }
}
