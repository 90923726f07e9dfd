// SPDX-License-Identifier: Apache-2.0

import Glibc
package import HandoffSystem
package import HandoffWire

/// Called on the connection's thread, sequentially and outside its lock. Implementations must not block.
package protocol DaemonConnectionEvents: AnyObject, Sendable {
    /// Before each attempt to connect.
    func hello() -> LocalHello
    /// Messages sent on earlier connections are void.
    func connected(_ welcome: Welcome)
    func disconnected(_ failure: Failure)
    /// More attempts follow.
    func unavailable(_ failure: Failure)
    /// `ticket` is nil if the daemon expects no answer.
    func received(_ message: LocalMessage, ticket: AnswerTicket?)
    func woken()
}

/// Identifies a daemon's request. Not valid on a later connection.
package struct AnswerTicket: Sendable, Hashable {
    package let request: UInt64
    package let connection: UInt64

    package init(request: UInt64, connection: UInt64) {
        self.request = request
        self.connection = connection
    }
}

/// Waits for a daemon and says hello, again after a restart.
///
/// Sending never blocks: the connection's thread writes the rest. One lock protects all shared state; only the thread
/// opens and closes the socket.
package final class DaemonConnection: Sendable {
    package typealias Answer = @Sendable (Result<LocalMessage, Failure>) -> Void
    /// Returns true if more answers are expected.
    package typealias Following = @Sendable (Result<LocalMessage, Failure>) -> Bool

    struct Shared: ~Copyable {
        /// Nil until the welcome.
        var socket: UnixSocket?
        var outbox = Outbox()
        var connection: UInt64 = 0
        /// The hello's number.
        var lastRequest: UInt64 = 1
        var answers: [UInt64: Following] = [:]
        var isWoken = false
        /// Why the thread should drop the connection.
        var ending: Failure?
        var isClosed = false
    }

    let path: String
    private let descriptors: String
    let timings: Timings
    let wakeSignal = WakeSignal()
    let shared = Lock(Shared())

    package struct Timings: Sendable {
        package var hello: Duration = .seconds(5)
        package var schedule = ReconnectSchedule()
        package init() {}
    }

    package init(locations: Locations, timings: Timings = Timings()) {
        self.path = locations.socket
        self.descriptors = locations.descriptors
        self.timings = timings
    }

    package func start(_ events: any DaemonConnectionEvents) {
        let loop = ConnectionLoop(connection: self, events: events)
        DetachedThread.start { loop.run() }
    }

    @discardableResult
    package func send(_ message: LocalMessage) -> Bool {
        shared.withLock { enqueue(LocalFrame(message), &$0) }
    }

    @discardableResult
    package func answer(_ ticket: AnswerTicket, _ message: LocalMessage) -> Bool {
        shared.withLock { shared in
            guard shared.connection == ticket.connection else { return false }
            return enqueue(LocalFrame(message, answer: ticket.request), &shared)
        }
    }

    @discardableResult
    package func request(_ message: LocalMessage, completion: @escaping Answer) -> Bool {
        follow(message) { result in
            completion(result)
            return false
        }
    }

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

    /// Uses another connection and thread, because attaching waits for the other app.
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

    package func wake() {
        let isFirst = shared.withLock { shared in
            defer { shared.isWoken = true }
            return !shared.isWoken
        }
        if isFirst { wakeSignal.signal() }
    }

    package func reconnect() {
        end(Failure(.connectionUnavailable, "the app reconnected"))
    }

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
        // With an empty outbox, the thread does not wait for a writable socket.
        if wasEmpty || shared.ending != nil { wakeSignal.signal() }
        return shared.ending == nil
    }

    func ticket(for frame: LocalFrame) -> AnswerTicket? {
        guard frame.request != 0 else { return nil }
        return AnswerTicket(request: frame.request, connection: shared.withLock { $0.connection })
    }
}

/// The longest waits for a new socket file. They matter if the socket is not yet listening, and without inotify.
package struct ReconnectSchedule: Sendable, Equatable {
    /// For a refusal while the daemon may be starting or stopping.
    package var quick: [Duration] = [
        .milliseconds(2), .milliseconds(10), .milliseconds(50), .milliseconds(250), .seconds(1),
    ]
    package var fallback: Duration = .seconds(30)
    /// If the system has no inotify watch left.
    package var blind: Duration = .seconds(2)

    private var attempts = 0

    package init() {}

    /// The socket appeared, or a connection was lost.
    package mutating func restarted() { attempts = 0 }

    /// The longest time to wait.
    package mutating func failed(isBlind: Bool = false) -> Duration {
        defer { attempts += 1 }
        guard attempts >= quick.count else { return quick[attempts] }
        return isBlind ? min(blind, fallback) : fallback
    }
}
