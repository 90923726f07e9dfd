// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem
internal import HandoffWire

struct ConnectionLoop: Sendable {
    private let connection: DaemonConnection
    private weak let events: (any DaemonConnectionEvents)?

    init(connection: DaemonConnection, events: any DaemonConnectionEvents) {
        self.connection = connection
        self.events = events
    }

    func run() {
        var schedule = connection.timings.schedule
        while mayGoOn() {
            let watch = FolderWatch(folder: connection.path.parent, for: .arrivals)
            guard let hello = events?.hello() else { return }
            do throws(Failure) {
                let opened = try FramedSocket.open(
                    path: connection.path, hello: hello, timeout: connection.timings.hello)
                serve(opened)
                schedule.restarted()
            } catch {
                events?.unavailable(error)
                let isAppearing = wait(for: watch, atMost: schedule.failed(isBlind: watch.isBlind))
                if isAppearing { schedule.restarted() }
            }
        }
    }

    /// Drops a pending end, because the next hello has the current state.
    private func mayGoOn() -> Bool {
        connection.shared.withLock { shared in
            shared.ending = nil
            return !shared.isClosed
        }
    }

    // MARK: While connected

    private func serve(_ opened: consuming FramedSocket) {
        var frames = opened.frames
        let welcome = opened.welcome
        let descriptor = opened.socket.descriptor
        var socket: UnixSocket? = opened.takeSocket()
        connection.shared.withLock { shared in
            shared.socket = socket.take()
            shared.outbox.removeAll()
            shared.connection += 1
            shared.lastRequest = 1
        }
        events?.connected(welcome)
        let failure = transfer(&frames, descriptor)
        let abandoned = connection.shared.withLock { shared in
            shared.socket = nil
            shared.outbox.removeAll()
            defer { shared.answers = [:] }
            return shared.answers.values.map { $0 }
        }
        for answer in abandoned { _ = answer(.failure(failure)) }
        events?.disconnected(failure)
    }

    private func transfer(_ frames: inout FrameReader, _ descriptor: CInt) -> Failure {
        while true {
            do throws(Failure) {
                while let frame = try frames.next() { deliver(frame) }
            } catch {
                return error
            }
            runWoken()
            let (ending, isWriting) = connection.shared.withLock { ($0.ending, !$0.outbox.isEmpty) }
            if let ending { return ending }
            if events == nil { return Failure(.connectionUnavailable, "the app closed the connection") }

            var pollers = [
                pollfd(fd: descriptor, events: Int16(POLLIN | (isWriting ? POLLOUT : 0)), revents: 0),
                pollfd(fd: connection.wakeSignal.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            poll(&pollers, nfds_t(pollers.count), connection.wakeSignal.timeout(-1))
            if pollers[1].revents != 0 { connection.wakeSignal.clear() }
            let isReadable = pollers[0].revents & ~Int16(POLLOUT) != 0
            let isOpen = connection.shared.withLock { shared in
                flush(&shared) && (!isReadable || frames.take(from: &shared))
            }
            guard isOpen else { return .connectionClosed }
        }
    }

    private func flush(_ shared: inout DaemonConnection.Shared) -> Bool {
        while !shared.outbox.isEmpty {
            switch shared.socket?.write(shared.outbox.pending) {
            case .moved(let count): shared.outbox.removeFirst(count)
            case .wouldBlock: return true
            // Messages sent before the close must still be read.
            case .closed: shared.outbox.removeAll()
            case nil: return false
            }
        }
        return true
    }

    private func deliver(_ frame: LocalFrame) {
        guard frame.answer != 0 else {
            let ticket = connection.ticket(for: frame)
            if let ticket, frame.message == .unknown {
                connection.answer(ticket, .failure(Failure(.unimplemented, "this app's library is too old for that")))
            } else {
                events?.received(frame.message, ticket: ticket)
            }
            return
        }
        guard let answer = connection.shared.withLock({ $0.answers.removeValue(forKey: frame.answer) }) else { return }
        let hasMore =
            if case .failure(let failure) = frame.message { answer(.failure(failure)) } else {
                answer(.success(frame.message))
            }
        // This thread delivers all answers, so none is missed.
        if hasMore { connection.shared.withLock { $0.answers[frame.answer] = answer } }
    }

    private func runWoken() {
        let isWoken = connection.shared.withLock { shared in
            defer { shared.isWoken = false }
            return shared.isWoken
        }
        if isWoken { events?.woken() }
    }

    // MARK: Waiting for a daemon

    /// True once the socket may exist, or a new hello was requested.
    private func wait(for watch: FolderWatch, atMost duration: Duration) -> Bool {
        let deadline = ContinuousClock.now + duration
        while true {
            var pollers = [
                pollfd(fd: connection.wakeSignal.descriptor, events: Int16(POLLIN), revents: 0),
                // `poll` ignores a negative descriptor.
                pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            let rest = ContinuousClock.now.duration(to: deadline).pollMilliseconds
            let result = poll(&pollers, nfds_t(pollers.count), connection.wakeSignal.timeout(rest))
            if pollers[0].revents != 0 { connection.wakeSignal.clear() }
            runWoken()
            let isEnding = connection.shared.withLock { $0.ending != nil }
            if isEnding || (result > 0 && pollers[1].revents != 0) { return true }
            if ContinuousClock.now >= deadline { return false }
        }
    }
}

extension FrameReader {
    fileprivate mutating func take(from shared: inout DaemonConnection.Shared) -> Bool {
        guard shared.socket != nil else { return false }
        return fill(from: shared.socket!) != .closed
    }
}
