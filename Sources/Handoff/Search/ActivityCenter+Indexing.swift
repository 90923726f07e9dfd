// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import HandoffClient
internal import HandoffSystem
internal import HandoffWire

struct IndexRequests: Sendable {
    struct Request: Sendable {
        let message: LocalMessage
        let answered: Once<Result<LocalMessage, Failure>>
    }

    var waiting: [Request] = []
    var isAsked = false
}

extension ActivityCenter {
    /// Until a daemon is reached. Its answer may take as long as its disk.
    static let indexPatience = Duration.seconds(5)

    /// Calls `done` once, in the background.
    func changeIndex(_ changes: IndexChanges, done: @escaping @Sendable (Failure?) -> Void) {
        askIndex(changes.parts.map { .history(.changeIndex($0)) }) { answers in
            let failure = answers.lazy.compactMap { if case .failure(let failure) = $0 { failure } else { nil } }.first
            done(failure)
        }
    }

    func fetchClientState(of index: String, done: @escaping @Sendable (Result<[UInt8], Failure>) -> Void) {
        askIndex([.history(.fetchClientState(index))]) { answers in
            switch answers.first {
            case .success(.history(.clientState(let state)))?: done(.success(state))
            case .failure(let failure)?: done(.failure(failure))
            case .success?, nil: done(.failure(Failure(.malformed, "the daemon sent an unexpected answer")))
            }
        }
    }

    /// After a failure, the other messages are not sent.
    private func askIndex(
        _ messages: [LocalMessage], done: @escaping @Sendable ([Result<LocalMessage, Failure>]) -> Void
    ) {
        guard environment.bundle != nil else {
            return runHook(on: .global()) { done([.failure(Failure(.notAllowed, "only an app has an index"))]) }
        }
        ask(messages[...], after: [], done: done)
    }

    private func ask(
        _ messages: ArraySlice<LocalMessage>, after answers: [Result<LocalMessage, Failure>],
        done: @escaping @Sendable ([Result<LocalMessage, Failure>]) -> Void
    ) {
        guard let message = messages.first else { return runHook(on: .global()) { done(answers) } }
        let answered = Once<Result<LocalMessage, Failure>> { [weak self] answer in
            let isFailed = if case .failure = answer { true } else { false }
            self?.ask(isFailed ? [] : messages.dropFirst(), after: answers + [answer], done: done)
        }
        state.withLock { state in
            state.indexing.waiting.append(IndexRequests.Request(message: message, answered: answered))
            connect(&state)
            sendToIndex(&state)
        }
        environment.wait(Self.indexPatience) { [weak self] in
            let isWaiting = self?.state.withLock { state in
                let count = state.indexing.waiting.count
                if !state.isConnected { state.indexing.waiting.removeAll { $0.answered === answered } }
                return state.indexing.waiting.count < count
            }
            if isWaiting ?? true { answered(.failure(.noDaemonForIndex)) }
        }
    }

    func sendToIndex(_ state: inout State) {
        guard state.isConnected, let connection = state.connection, !state.indexing.isAsked,
            let request = state.indexing.waiting.first
        else { return }
        state.indexing.isAsked = connection.request(request.message) { [weak self] result in
            guard let self else { return request.answered(result) }
            self.state.withLock { state in
                state.indexing.isAsked = false
                state.indexing.waiting.removeAll { $0.answered === request.answered }
                sendToIndex(&state)
            }
            request.answered(result)
        }
    }
}

extension Failure {
    fileprivate static let noDaemonForIndex = Failure(.connectionUnavailable, "handoffd is not running")
}
