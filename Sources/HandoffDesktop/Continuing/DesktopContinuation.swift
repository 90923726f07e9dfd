// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
package import HandoffClient
package import HandoffCore
package import HandoffWire

/// Goes on here with what another device offers, as a person asked for somewhere on the desktop.
package struct DesktopContinuation {
    /// What was chosen. Of one that was found a while ago and is no longer offered, the key is all that is known.
    package struct Choice: Hashable, Sendable {
        package var key: ListedActivity.Key
        package var activity: ListedActivity?
        /// Its page, also where an app would take it.
        package var inBrowser: Bool
        /// With which the desktop lets the app come to the front; nil where it gave none.
        package var activationToken: ActivationToken?

        package init(
            _ key: ListedActivity.Key, _ activity: ListedActivity?, inBrowser: Bool = false,
            activationToken: ActivationToken? = nil
        ) {
            self.key = key
            self.activity = activity
            self.inBrowser = inBrowser
            self.activationToken = activationToken
        }

        package init(_ activity: ListedActivity, activationToken: ActivationToken? = nil) {
            self.init(activity.key, activity, activationToken: activationToken)
        }
    }

    private let desk: DaemonDesk
    private let openPage: (String, ActivationToken?) throws(Failure) -> Void

    /// `openPage`: in the user's browser, where none that runs takes part.
    package init(
        by desk: DaemonDesk,
        openPage: @escaping (String, ActivationToken?) throws(Failure) -> Void = Self.openInBrowser
    ) {
        self.desk = desk
        self.openPage = openPage
    }

    /// `token`: with which the browser may come to the front.
    private static func openInBrowser(_ page: String, _ token: ActivationToken?) throws(Failure) {
        var environment = ProcessInfo.processInfo.environment
        environment[ActivationToken.variable] = token?.text
        environment[ActivationToken.olderVariable] = token?.text
        try WebPageOpener(environment: environment, asUnit: true).open(page)
    }

    /// `completion` is called once, on the loop.
    package func start(_ choice: Choice, completion: @escaping (Result<Void, Failure>) -> Void) {
        let start = StartContinuation(
            activity: choice.key.activity, device: choice.key.device, inBrowser: choice.inBrowser,
            activationToken: choice.activationToken)
        desk.follow(.continuation(.startContinuation(start)), until: \.endsContinuation) { result in
            switch result {
            case .failure(let failure): completion(.failure(failure))
            case .success(.continuation(.outcome(let outcome))):
                completion(Result { () throws(Failure) in try finish(outcome, choice) })
            // Whoever pressed a button sees the app come.
            case .success(let progress) where !progress.endsContinuation: break
            case .success: completion(.failure(.unexpectedAnswer))
            }
        }
    }

    private func finish(_ outcome: ContinuationOutcome, _ choice: Choice) throws(Failure) {
        switch outcome.how {
        case .app, .pageShown: return
        case .state(let state):
            guard let page = state.webpageURL else {
                throw Failure(.noApp, "no app here continues this activity, and it has no web page")
            }
            try openPage(page, choice.activationToken)
            // It was kept until it was of use. Of one that was not sent the daemon knows nothing, and says so to nobody.
            if choice.activity?.isSent ?? true {
                desk.request(.sending(.dismissSent(choice.key.activity, from: choice.key.device))) { _ in }
            }
        }
    }
}
