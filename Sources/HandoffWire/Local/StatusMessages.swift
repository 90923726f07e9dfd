// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

extension LocalMessage {
    package enum Status: Hashable, Sendable {
        case getStatus
        case status(DaemonStatus)
        /// Answered with `explanation`.
        case explainOffer(OfferQuestion)
        case explanation([Finding])
    }
}

package struct OfferQuestion: Hashable, Sendable {
    /// The origin: a name, or the beginning of an ID.
    package var device: String
    package var type: ActivityType
    /// Nil: all of that type.
    package var activity: ActivityID?

    package init(device: String, type: ActivityType, activity: ActivityID? = nil) {
        self.device = device
        self.type = type
        self.activity = activity
    }
}

package struct DaemonStatus: Hashable, Sendable {
    package var software = ""
    package var deviceName = DisplayText(cleaning: "")
    /// Nil before the device has a key; a running daemon has one.
    package var device: DeviceID?
    package var account: AccountID?
    package var listening = ""
    package var warnings: [String] = []
    package var devicesKnown = 0
    package var devicesConnected = 0
    package var activitiesHere = 0
    package var activitiesOffered = 0
    package var appsInstalled = 0
    /// Part of `appsInstalled`.
    package var appsInDevelopment = 0
    package var appsNotTrusted = 0
    package var teamsTrusted = 0
    package var pid = 0
    package var uptime: Duration = .zero
    package var policy = PolicySummary()
    package var facts: [Fact] = []
    package var missing: [MissingPart] = []
    package var membershipEnd: MembershipEnd?
    package var recoveryKey = RecoveryKeyState.confirmed
    /// Their extension is connected. At most `Limits.browsersListed`.
    package var browsers: [DisplayText] = []
    package var phones: [Phone] = []
    package var strangers: [String] = []
    /// By another device, since the daemon started.
    package var wasReached = false

    package init() {}
}

package enum RecoveryKeyState: Int, Hashable, Sendable {
    /// Or another device created the account.
    case confirmed = 0
    case unconfirmed = 1
    /// Not confirmed before the daemon stopped.
    case lost = 2
}

package struct MissingPart: Hashable, Sendable {
    package let part: String
    package let loss: String

    package init(_ part: String, loss: String) {
        self.part = part
        self.loss = loss
    }
}

extension LocalMessage.Status {
    var wire: PBLocalFrame.OneOf_Body {
        switch self {
        case .getStatus: .getStatus(PBStatusRequest())
        case .status(let status): .status(PBStatus(status))
        case .explainOffer(let question):
            .explainOffer(
                .with {
                    $0.device = question.device
                    $0.activityType = question.type.name
                    $0.activity = (question.activity?.bytes ?? []).data
                })
        case .explanation(let findings): .explanation(.with { $0.findings = findings.map(PBFinding.init) })
        }
    }

    init?(_ body: PBLocalFrame.OneOf_Body) throws(WireError) {
        switch body {
        case .getStatus: self = .getStatus
        case .status(let status): self = .status(try DaemonStatus(status))
        case .explainOffer(let question):
            self = .explainOffer(
                OfferQuestion(
                    device: question.device, type: try ActivityType(question.activityType),
                    activity: question.activity.isEmpty ? nil : try ActivityID(bytes: question.activity)))
        case .explanation(let explanation): self = .explanation(explanation.findings.map(Finding.init))
        default: return nil
        }
    }
}

extension PBStatus {
    init(_ status: DaemonStatus) {
        self.init()
        software = status.software
        deviceName = status.deviceName.text
        device = (status.device?.bytes ?? []).data
        account = (status.account?.bytes ?? []).data
        listening = status.listening
        warnings = status.warnings
        devicesKnown = UInt32(clamping: status.devicesKnown)
        devicesConnected = UInt32(clamping: status.devicesConnected)
        activitiesHere = UInt32(clamping: status.activitiesHere)
        activitiesOffered = UInt32(clamping: status.activitiesOffered)
        appsInstalled = UInt32(clamping: status.appsInstalled)
        appsDevelopment = UInt32(clamping: status.appsInDevelopment)
        appsNotTrusted = UInt32(clamping: status.appsNotTrusted)
        teamsTrusted = UInt32(clamping: status.teamsTrusted)
        pid = UInt32(clamping: status.pid)
        uptimeMs = status.uptime.wholeMilliseconds
        policy = PBPolicy(status.policy)
        facts = status.facts.wire
        recoveryKey = PBRecoveryKeyState(rawValue: status.recoveryKey.rawValue) ?? .unspecified
        missing = status.missing.map { missing in
            .with {
                $0.part = missing.part
                $0.loss = missing.loss
            }
        }
        if let end = status.membershipEnd { membershipEnd = end.wire }
        browsers = status.browsers.map(\.text)
        phones = status.phones.map(PBPhone.init)
        strangers = status.strangers
        reached = status.wasReached
    }
}

extension DaemonStatus {
    init(_ message: PBStatus) throws(WireError) {
        self.init()
        software = message.software
        deviceName = .name(message.deviceName)
        device = message.device.isEmpty ? nil : try DeviceID(bytes: message.device)
        account = message.account.isEmpty ? nil : try AccountID(bytes: message.account)
        listening = message.listening
        warnings = message.warnings
        devicesKnown = Int(message.devicesKnown)
        devicesConnected = Int(message.devicesConnected)
        activitiesHere = Int(message.activitiesHere)
        activitiesOffered = Int(message.activitiesOffered)
        appsInstalled = Int(message.appsInstalled)
        appsInDevelopment = Int(message.appsDevelopment)
        appsNotTrusted = Int(message.appsNotTrusted)
        teamsTrusted = Int(message.teamsTrusted)
        pid = Int(message.pid)
        uptime = .milliseconds(message.uptimeMs)
        policy = try PolicySummary(message.policy)
        facts = [Fact](message.facts)
        missing = message.missing.map { MissingPart($0.part, loss: $0.loss) }
        membershipEnd = message.hasMembershipEnd ? MembershipEnd(message.membershipEnd) : nil
        recoveryKey = RecoveryKeyState(rawValue: message.recoveryKey.rawValue) ?? .confirmed
        browsers = message.browsers.prefix(Limits.browsersListed).map(DisplayText.name)
        phones = message.phones.known
        strangers = message.strangers
        wasReached = message.reached
    }
}
