// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

extension LocalMessage {
    package enum Continuation: Hashable, Sendable {
        case startContinuation(StartContinuation)
        /// `of`: for cancelling; nil from an older version.
        case progress(PhaseTime, of: ContinuationID? = nil)
        case outcome(ContinuationOutcome)

        case willContinue(ContinuationID, type: ActivityType, originName: DisplayText)
        case continueActivity(ContinuationID, ActivityState, documents: [DeliveredDocument] = [])
        case didFail(ContinuationID, type: ActivityType, Failure)

        case wasContinued(ActivityID, deviceName: DisplayText)
    }

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
        /// For a script, or a page that the client opens.
        case state(ActivityState)
        /// In a running browser.
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

extension LocalMessage.Continuation {
    var wire: PBLocalFrame.OneOf_Body {
        switch self {
        case .startContinuation(let start): .startContinuation(PBStartContinuation(start))
        case .progress(let time, let continuation):
            .progress(
                .with {
                    $0.finished = PBPhaseTime(time)
                    $0.continuation = (continuation?.bytes ?? []).data
                })
        case .outcome(let outcome): .outcome(PBContinuationOutcome(outcome))
        case .willContinue(let continuation, let type, let originName):
            .willContinue(
                .with {
                    $0.continuation = continuation.bytes.data
                    $0.activityType = type.name
                    $0.originDeviceName = originName.text
                })
        case .continueActivity(let continuation, let state, let documents):
            .continueActivity(
                .with {
                    $0.continuation = continuation.bytes.data
                    $0.state = PBActivityState(state)
                    $0.documents = documents.map(PBDeliveredDocument.init)
                })
        case .didFail(let continuation, let type, let failure):
            .didFail(
                .with {
                    $0.continuation = continuation.bytes.data
                    $0.activityType = type.name
                    $0.failure = PBFailure(failure)
                })
        case .wasContinued(let activity, let deviceName):
            .wasContinued(
                .with {
                    $0.activity = activity.bytes.data
                    $0.deviceName = deviceName.text
                })
        }
    }

    init?(_ body: PBLocalFrame.OneOf_Body) throws(WireError) {
        switch body {
        case .startContinuation(let start): self = .startContinuation(try StartContinuation(start))
        case .progress(let progress):
            let continuation = progress.continuation
            self = .progress(
                try PhaseTime(progress.finished),
                of: continuation.isEmpty ? nil : try ContinuationID(bytes: continuation))
        case .outcome(let outcome): self = .outcome(try ContinuationOutcome(outcome))
        case .willContinue(let message):
            self = .willContinue(
                try ContinuationID(bytes: message.continuation), type: try ActivityType(message.activityType),
                originName: .name(message.originDeviceName))
        case .continueActivity(let message):
            self = .continueActivity(
                try ContinuationID(bytes: message.continuation), try ActivityState(message.state),
                documents: try [DeliveredDocument](message.documents))
        case .didFail(let message):
            self = .didFail(
                try ContinuationID(bytes: message.continuation), type: try ActivityType(message.activityType),
                Failure(message.failure))
        case .wasContinued(let message):
            self = .wasContinued(try ActivityID(bytes: message.activity), deviceName: .name(message.deviceName))
        default: return nil
        }
    }
}

extension PBStartContinuation {
    init(_ start: StartContinuation) {
        self.init()
        activity = start.activity.bytes.data
        device = (start.device?.bytes ?? []).data
        appBundle = start.app?.name ?? ""
        inBrowser = start.inBrowser
        activationToken = start.activationToken?.text ?? ""
    }
}

extension StartContinuation {
    init(_ message: PBStartContinuation) throws(WireError) {
        self.init(
            activity: try ActivityID(bytes: message.activity),
            device: message.device.isEmpty ? nil : try DeviceID(bytes: message.device),
            app: message.appBundle.isEmpty ? nil : try BundleID(appOrProgram: message.appBundle),
            inBrowser: message.inBrowser,
            activationToken: message.activationToken.isEmpty ? nil : try ActivationToken(message.activationToken))
    }
}

extension PBPhaseTime {
    init(_ time: PhaseTime) {
        self.init()
        phase = PBPhase(rawValue: time.phase.rawValue) ?? .unspecified
        microseconds = UInt64(clamping: time.duration.wholeMicroseconds)
    }
}

extension PhaseTime {
    init(_ message: PBPhaseTime) throws(WireError) {
        guard let phase = Phase(rawValue: message.phase.rawValue) else {
            throw WireError(.malformed, "a phase that this version does not know")
        }
        self.init(phase, .microseconds(Int64(clamping: message.microseconds)))
    }
}

extension PBContinuationOutcome {
    init(_ outcome: ContinuationOutcome) {
        self.init()
        continuation = outcome.continuation.bytes.data
        phases = outcome.phases.map(PBPhaseTime.init)
        switch outcome.how {
        case .app(let bundle): how = .appBundle(bundle.name)
        case .state(let state): how = .state(PBActivityState(state))
        case .pageShown: how = .pageShown(true)
        }
        targetName = outcome.targetName.text
        if let saved = outcome.saved { savedMs = saved.milliseconds }
        facts = outcome.facts.wire
        documents = outcome.documents.map(PBDeliveredDocument.init)
    }
}

extension ContinuationOutcome {
    init(_ message: PBContinuationOutcome) throws(WireError) {
        let how: How
        switch message.how {
        case .appBundle(let bundle)?: how = .app(try BundleID(appOrProgram: bundle))
        case .state(let state)?: how = .state(try ActivityState(state))
        case .pageShown?: how = .pageShown
        case nil: throw WireError(.missingField, "an outcome without its kind")
        }
        var phases: [PhaseTime] = []
        for phase in message.phases { phases.append(try PhaseTime(phase)) }
        self.init(
            continuation: try ContinuationID(bytes: message.continuation), phases: phases, how: how,
            targetName: .name(message.targetName),
            saved: message.hasSavedMs ? WallTime(milliseconds: message.savedMs) : nil, facts: [Fact](message.facts),
            documents: try [DeliveredDocument](message.documents))
    }
}
