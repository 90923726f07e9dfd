// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// Continues what a person chose somewhere on the desktop.
package final class ActivityContinuing {
    /// What was chosen. Of one that was found a while ago and is no longer offered, the key is all that is known.
    package struct Choice: Hashable, Sendable {
        package var key: ListedActivity.Key
        package var activity: ListedActivity?
        /// Its page, also where an app would take it.
        package var inBrowser: Bool
        /// With which the desktop lets the app come to the front; nil where it gave none.
        package var activationToken: String?

        package init(
            _ key: ListedActivity.Key, _ activity: ListedActivity?, inBrowser: Bool = false,
            activationToken: String? = nil
        ) {
            self.key = key
            self.activity = activity
            self.inBrowser = inBrowser
            self.activationToken = activationToken
        }
    }

    /// It did not go on here, and the person is to hear of it. Not where they chose another one meanwhile.
    package var failed: (Failure, Choice) -> Void = { failure, _ in Complaint.say("could not continue: \(failure.code)")
    }

    private let desk: DaemonDesk
    private let openPage: (String, String?) throws(Failure) -> Void

    /// `openPage`: in the user's browser; with the activation token.
    package init(
        by desk: DaemonDesk,
        openPage: @escaping (String, String?) throws(Failure) -> Void = { (page, token) throws(Failure) in
            try PageOpener().open(page, activationToken: token)
        }
    ) {
        self.desk = desk
        self.openPage = openPage
    }

    package func start(_ choice: Choice) {
        // `choice.activationToken` goes to the app from here, where the message has a place for it.
        let start = StartContinuation(
            activity: choice.key.activity, device: choice.key.device, inBrowser: choice.inBrowser)
        desk.follow(.continuation(.startContinuation(start)), until: \.endsContinuation) { [weak self] result in
            self?.answered(result, to: choice)
        }
    }

    private func answered(_ result: Result<LocalMessage, Failure>, to choice: Choice) {
        do throws(Failure) {
            guard case .continuation(.outcome(let outcome)) = try result.get() else { return }
            // No browser that runs takes part: the page is for whoever asked.
            guard case .state(let state) = outcome.how, let page = state.webpageURL else { return }
            try openPage(page, choice.activationToken)
        } catch {
            if error.code != .cancelled { failed(error, choice) }
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
