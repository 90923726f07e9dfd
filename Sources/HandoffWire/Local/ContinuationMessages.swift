// SPDX-License-Identifier: Apache-2.0

extension LocalMessage {
    /// A continuation, as reported to the client that requested it, the receiving app and the origin's app.
    package enum Continuation: Hashable, Sendable {
        case startContinuation(StartContinuation)
        /// `of`: the id for cancelling; nil from an older version.
        case progress(PhaseTime, of: ContinuationID? = nil)
        case outcome(ContinuationOutcome)

        case willContinue(ContinuationID, type: ActivityType, originName: DisplayText)
        case continueActivity(ContinuationID, ActivityState, documents: [DeliveredDocument] = [])
        case didFail(ContinuationID, type: ActivityType, Failure)

        case wasContinued(ActivityID, deviceName: DisplayText)
    }

    /// True for the daemon's last message about a continuation to the client that requested it.
    package var endsContinuation: Bool {
        switch self {
        case .continuation(.progress), .documents(.documentProgress): false
        default: true
        }
    }
}

package struct StartContinuation: Hashable, Sendable {
    package var activity: ActivityID
    /// Nil: any device that offers it.
    package var device: DeviceID?
    /// Nil: chosen by the rules.
    package var app: BundleID?
    /// Even if an app could continue it. Not with `app`.
    package var inBrowser: Bool
    /// For the app, if it has to be started.
    package var activationToken: ActivationToken?

    package init(
        activity: ActivityID, device: DeviceID? = nil, app: BundleID? = nil, inBrowser: Bool = false,
        activationToken: ActivationToken? = nil
    ) {
        self.activity = activity
        self.device = device
        self.app = app
        self.inBrowser = inBrowser
        self.activationToken = activationToken
    }
}

package enum Phase: Int, Sendable, Hashable, CaseIterable {
    case resolve = 1
    case launch = 2
    case willContinue = 3
    case fetch = 4
    /// Part of `fetch`, spent in the origin's app.
    case willSave = 5
    case deliver = 6
    case documents = 7
}

package struct PhaseTime: Hashable, Sendable {
    package var phase: Phase
    package var duration: Duration

    package init(_ phase: Phase, _ duration: Duration) {
        self.phase = phase
        self.duration = duration
    }
}

package struct ContinuationOutcome: Hashable, Sendable {
    package enum How: Hashable, Sendable {
        case app(BundleID)
        /// For a script, or a web page that the client opens.
        case state(ActivityState)
        /// A running browser shows its web page.
        case pageShown
    }

    package var continuation: ContinuationID
    package var phases: [PhaseTime]
    package var how: How
    package var targetName: DisplayText
    /// The last save, if the origin's app has quit.
    package var saved: WallTime?
    package var facts: [Fact]
    package var documents: [DeliveredDocument]

    package init(
        continuation: ContinuationID, phases: [PhaseTime], how: How, targetName: DisplayText, saved: WallTime? = nil,
        facts: [Fact] = [], documents: [DeliveredDocument] = []
    ) {
        self.continuation = continuation
        self.phases = phases
        self.how = how
        self.targetName = targetName
        self.saved = saved
        self.facts = facts
        self.documents = documents
    }
}
