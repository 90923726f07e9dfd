// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem

/// One thread for all streams of tasks and delegates.
final class StreamPoller: Sendable {
    typealias Body = @Sendable () -> Void

    fileprivate struct Entry: Sendable {
        let stream: AttachedStream
        var reading: Body?
        var writing: Body?

        var events: CInt { (reading == nil ? 0 : CInt(POLLIN)) | (writing == nil ? 0 : CInt(POLLOUT)) }
    }

    fileprivate struct State: Sendable {
        var entries: [ObjectIdentifier: Entry] = [:]
        var isRunning = false
    }

    static let shared = StreamPoller()

    private let state = Lock(State())
    private let changed = WakeSignal()

    private init() {}

    /// Calls `body` once, outside the lock. Retains the stream until then, or until `forget`.
    func watch(_ stream: AttachedStream, for direction: StreamSocket.Direction, _ body: @escaping Body) {
        let isFirst = state.withLock { state in
            var entry = state.entries[ObjectIdentifier(stream)] ?? Entry(stream: stream)
            entry[direction] = body
            state.entries[ObjectIdentifier(stream)] = entry
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if isFirst { DetachedThread.start { self.run() } } else { changed.signal() }
    }

    func forget(_ stream: AttachedStream, for direction: StreamSocket.Direction) {
        let before = state.withLock { state in
            defer { state.take([direction], of: ObjectIdentifier(stream)) }
            return state.entries[ObjectIdentifier(stream)]
        }
        // The thread also retains the stream while it polls.
        if before != nil { changed.signal() }
    }

    private func run() {
        while true {
            let entries = state.withLock { Array($0.entries.values) }
            var pollers = [pollfd(fd: changed.descriptor, events: Int16(POLLIN), revents: 0)]
            for entry in entries {
                pollers.append(
                    pollfd(fd: entry.stream.socket.descriptor, events: Int16(entry.events), revents: 0))
            }
            poll(&pollers, nfds_t(pollers.count), changed.timeout(-1))
            if pollers[0].revents != 0 { changed.clear() }
            for (entry, poller) in zip(entries, pollers.dropFirst()) where poller.revents != 0 {
                var directions: [StreamSocket.Direction] = []
                // An end or an error concerns both directions.
                if CInt(poller.revents) & ~CInt(POLLOUT) != 0 { directions.append(.reading) }
                if CInt(poller.revents) & ~CInt(POLLIN) != 0 { directions.append(.writing) }
                let bodies = state.withLock { $0.take(directions, of: ObjectIdentifier(entry.stream)) }
                for body in bodies { body() }
            }
        }
    }
}

extension StreamPoller.Entry {
    fileprivate subscript(direction: StreamSocket.Direction) -> StreamPoller.Body? {
        get { direction == .reading ? reading : writing }
        set { if direction == .reading { reading = newValue } else { writing = newValue } }
    }
}

extension StreamPoller.State {
    @discardableResult
    fileprivate mutating func take(
        _ directions: [StreamSocket.Direction], of id: ObjectIdentifier
    ) -> [StreamPoller.Body] {
        guard var entry = entries[id] else { return [] }
        let bodies = directions.compactMap { direction in
            defer { entry[direction] = nil }
            return entry[direction]
        }
        entries[id] = entry.events == 0 ? nil : entry
        return bodies
    }
}
