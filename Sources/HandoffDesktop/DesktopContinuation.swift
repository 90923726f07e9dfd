// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import HandoffBus
import HandoffClient
import HandoffCore
import HandoffWire

struct DesktopContinuation {
    /// If the activity is no longer offered, only its key is known.
    struct Choice: Hashable, Sendable {
        var key: ListedActivity.Key
        var activity: ListedActivity?
        var inBrowser: Bool
        var activationToken: ActivationToken?

        init(
            _ key: ListedActivity.Key, _ activity: ListedActivity?, inBrowser: Bool = false,
            activationToken: ActivationToken? = nil
        ) {
            self.key = key
            self.activity = activity
            self.inBrowser = inBrowser
            self.activationToken = activationToken
        }

        init(_ activity: ListedActivity, activationToken: ActivationToken? = nil) {
            self.init(activity.key, activity, activationToken: activationToken)
        }
    }

    private let daemon: DaemonClient
    private let openPage: (String, ActivationToken?) throws(Failure) -> Void

    /// `openPage` opens the user's browser if no running browser takes part.
    init(
        by daemon: DaemonClient,
        openPage: @escaping (String, ActivationToken?) throws(Failure) -> Void = Self.openInBrowser
    ) {
        self.daemon = daemon
        self.openPage = openPage
    }

    private static func openInBrowser(_ page: String, _ token: ActivationToken?) throws(Failure) {
        var environment = ProcessInfo.processInfo.environment
        environment[ActivationToken.variable] = token?.text
        environment[ActivationToken.olderVariable] = token?.text
        try WebPageOpener(environment: environment, asUnit: true).open(page)
    }

    /// `completion` is called once, on the loop.
    func start(_ choice: Choice, completion: @escaping (Result<Void, Failure>) -> Void) {
        let start = StartContinuation(
            activity: choice.key.activity, device: choice.key.device, inBrowser: choice.inBrowser,
            activationToken: choice.activationToken)
        follow(.continuation(.startContinuation(start)), choice.activationToken) { result in
            // A sent activity is kept until used. The daemon ignores this for others.
            if case .success(.state) = result, choice.activity?.isSent ?? true {
                daemon.request(.sending(.dismissSent(choice.key.activity, from: choice.key.device))) { _ in }
            }
            completion(result.map { _ in })
        }
    }

    func open(_ number: HistoryNumber, completion: @escaping (Result<Void, Failure>) -> Void) {
        follow(.history(.openHistory(number, activation: nil)), nil) { completion($0.map { _ in }) }
    }

    private func follow(
        _ request: LocalMessage, _ token: ActivationToken?,
        completion: @escaping (Result<ContinuationOutcome.How, Failure>) -> Void
    ) {
        daemon.follow(request, until: \.endsContinuation) { result in
            switch result {
            case .failure(let failure): completion(.failure(failure))
            case .success(.continuation(.outcome(let outcome))):
                completion(
                    Result { () throws(Failure) in
                        try finish(outcome, token)
                        return outcome.how
                    })
            case .success(let progress) where !progress.endsContinuation: break
            case .success: completion(.failure(.unexpectedAnswer))
            }
        }
    }

    private func finish(_ outcome: ContinuationOutcome, _ token: ActivationToken?) throws(Failure) {
        switch outcome.how {
        case .app, .pageShown: return
        case .state(let state):
            guard let page = state.webpageURL else {
                throw Failure(.noApp, "no app here continues this activity, and it has no web page")
            }
            try openPage(page, token)
        }
    }
}

final class HandoffWindow: DesktopFeature {
    private static let name = "org.handoff.Handoff"
    private weak var bus: BusConnection?

    enum Page: Hashable {
        /// Where the window is, at first the activities.
        case last
        case settings
        case search(String)
    }

    init() {}

    func busConnected(_ bus: BusConnection) { self.bus = bus }
    func busDisconnected() { bus = nil }

    func open(_ page: Page = .last, activationToken: ActivationToken? = nil) {
        var platform: [String: BusValue] = [:]
        if let activationToken {
            let token = BusValue.string(activationToken.text)
            platform = ["activation-token": token, "desktop-startup-id": token]
        }
        let (member, body): (String, [BusValue]) =
            switch page {
            case .last: ("Activate", [.properties(platform)])
            case .settings:
                ("ActivateAction", [.string("settings"), .array(of: .variant, []), .properties(platform)])
            case .search(let words):
                (
                    "ActivateAction",
                    [
                        .string("search"), .array(of: .variant, [.variant(.string(words))]),
                        .properties(platform),
                    ]
                )
            }
        let call = BusCall(Self.name, "/org/handoff/Handoff", AppActivation.interface, member, body)
        bus?.call(call) { result in
            if case .failure(let failure) = result { Complaint.say("cannot open the window: \(failure.name)") }
        }
    }
}

final class ActivityContinuing {
    typealias Choice = DesktopContinuation.Choice

    /// Not called if the user has since chosen another activity.
    var failed: (Failure, Choice) -> Void = { failure, _ in Complaint.say("could not continue: \(failure.code)")
    }

    var continued: (Choice) -> Void = { _ in }

    private let continuation: DesktopContinuation

    init(_ continuation: DesktopContinuation) { self.continuation = continuation }

    /// `failed` is not called if the user has since chosen something else.
    func open(_ number: HistoryNumber, failed: @escaping (Failure) -> Void) {
        continuation.open(number) { result in
            if case .failure(let failure) = result, failure.code != .cancelled { failed(failure) }
        }
    }

    func start(_ choice: Choice) {
        continuation.start(choice) { [weak self] result in
            switch result {
            case .success: self?.continued(choice)
            case .failure(let failure) where failure.code != .cancelled: self?.failed(failure, choice)
            case .failure: break
            }
        }
    }
}
