// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import HandoffClient
internal import HandoffSystem
internal import HandoffWire

// Both apps of a continuation attach to their daemons once they have a ticket.

extension ActivityCenter {
    /// Longer than the daemons' own limits.
    static let streamPatience = Duration.seconds(30)

    // MARK: The receiver's side

    /// Calls `completion` once, on any thread.
    func openStream(
        of record: ActivityRecord, completion: @escaping @Sendable (Result<StreamPair, Failure>) -> Void
    ) {
        let once = Once(completion)
        guard let continuation = record.state.withLock({ $0.continuation }) else {
            return once(
                .failure(
                    Failure(
                        .noStreams,
                        "streams are available only for an activity that was delivered to continue, "
                            + "and for exactly that object")))
        }
        let unavailable = Failure(.connectionUnavailable, "the daemon is not connected")
        guard let line = state.withLock({ $0.isConnected ? $0.connection : nil }) else {
            return once(.failure(unavailable))
        }
        environment.wait(Self.streamPatience) {
            once(.failure(Failure(.connectionUnavailable, "the other device did not answer in time")))
        }
        let isAsked = line.request(.streams(.openStream(continuation))) { [weak self] result in
            switch result {
            case .success(.streams(.streamTicket(let ticket))): self?.attach(ticket) { once($0) }
            case .success: once(.failure(Failure(.malformed, "the daemon gave no stream")))
            case .failure(let failure): once(.failure(failure))
            }
        }
        if !isAsked { once(.failure(unavailable)) }
    }

    // MARK: The origin's side

    func streamWanted(_ wanted: StreamWanted, ticket: AnswerTicket?) {
        guard let record = state.withLock({ $0.records[wanted.activity] }) else {
            return answer(ticket, .failure(Failure(.activityGone, "the activity no longer exists")))
        }
        let (isSupported, delegate) = record.state.withLock {
            ($0.content.supportsContinuationStreams && !$0.isInvalidated, $0.delegate)
        }
        guard isSupported, delegate.value != nil else {
            if isSupported {
                environment.log("a stream of the activity is refused: the activity has no delegate to receive it")
            }
            return answer(ticket, .failure(.streamsNotSupported))
        }
        answer(ticket, .done(accepted: true))
        attach(wanted.ticket) { result in
            // The other app made the request and receives the failure.
            guard case .success(let pair) = result else { return }
            self.runHook(on: record.hooks) {
                let (activity, delegate) = record.state.withLock { ($0.activity, $0.delegate) }
                guard let activity, let delegate = delegate.value else { return }
                let (input, output) = pair.makeStreams()
                delegate.userActivity(activity, didReceive: input, outputStream: output)
            }
        }
    }

    // MARK: Both sides

    private func attach(
        _ ticket: StreamTicket, completion: @escaping @Sendable (Result<StreamPair, Failure>) -> Void
    ) {
        let line = state.withLock { state in
            state.streams = state.streams.filter { $0.value.early != nil || $0.value.pair != nil }
            state.streams[ticket.stream] = KnownStream()
            return state.connection
        }
        line?.attach(ticket.token) { result in
            switch result {
            case .success(let attached):
                let pair = StreamPair(ticket.stream, attached, of: self)
                let early = self.state.withLock { state in
                    let early = state.streams[ticket.stream]?.early
                    // Nil: the connection was lost in the meantime.
                    if early != nil { state.streams[ticket.stream] = KnownStream(pair: pair, early: nil) }
                    return early
                }
                if early == nil { pair.lineLost(.lineLost) }
                for end in early ?? [] { pair.wordCame(end) }
                completion(.success(pair))
            case .failure(let failure):
                self.state.withLock { $0.streams[ticket.stream] = nil }
                completion(.failure(failure))
            }
        }
    }

    func streamEnded(_ end: StreamEnd) {
        let pair = state.withLock { state in
            state.streams[end.stream]?.early?.append(end)
            return state.streams[end.stream]?.pair
        }
        pair?.wordCame(end)
    }

    func say(_ end: StreamEnd) {
        _ = state.withLock { $0.connection }?.send(.streams(.streamEnded(end)))
    }
}

extension Failure {
    static var lineLost: Failure { Failure(.connectionUnavailable, "the connection to the daemon was lost") }
}
