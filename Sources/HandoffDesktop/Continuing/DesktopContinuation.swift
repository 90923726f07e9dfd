// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

/// Goes on here with what another device offers, as the user asked for somewhere on the desktop.
struct DesktopContinuation {
    let desk: DaemonDesk

    /// `token`: by which what is started may come to the front, where the desktop gave one. `completion` is called once, on
    /// the loop.
    func start(
        _ activity: ListedActivity, token: String?, completion: @escaping (Result<Void, Failure>) -> Void
    ) {
        // `token` goes to the app from here, where the message has a place for it.
        let start = StartContinuation(activity: activity.offer.activity, device: activity.device)
        desk.follow(.continuation(.startContinuation(start)), until: \.endsContinuation) { result in
            switch result {
            case .failure(let failure): completion(.failure(failure))
            case .success(.continuation(.outcome(let outcome))):
                completion(Result { () throws(Failure) in try finish(outcome, token) })
            // Whoever pressed a button sees the app come.
            case .success(let progress) where !progress.endsContinuation: break
            case .success: completion(.failure(Failure(.malformed, "handoffd is of another version")))
            }
        }
    }

    private func finish(_ outcome: ContinuationOutcome, _ token: String?) throws(Failure) {
        switch outcome.how {
        case .app, .pageShown: return
        case .state(let state):
            guard let page = state.webpageURL else {
                throw Failure(.noApp, "no app here continues this activity, and it has no web page")
            }
            try PageOpener().open(page, activationToken: token)
        }
    }
}

extension LocalMessage {
    /// Whether this is the last that the daemon says of a continuation: not its progress.
    fileprivate var endsContinuation: Bool {
        switch self {
        case .continuation(.progress), .documents(.documentProgress): false
        default: true
        }
    }
}
