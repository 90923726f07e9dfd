// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

extension LocalMessage.Policy {
    var wire: PBLocalFrame.OneOf_Body {
        switch self {
        case .showPolicy: .showPolicy(PBShowPolicy())
        case .setPolicy(let change): .setPolicy(PBSetPolicy(change))
        case .policy(let policy): .policy(PBPolicy(policy))
        }
    }

    init?(_ body: PBLocalFrame.OneOf_Body) throws(WireError) {
        switch body {
        case .showPolicy: self = .showPolicy
        case .setPolicy(let change): self = .setPolicy(try PolicyChange(change))
        case .policy(let policy): self = .policy(try PolicySummary(policy))
        default: return nil
        }
    }
}

extension PBPolicySwitch {
    init(_ policy: PolicySwitch) {
        self.init()
        direction = PBHandoffDirection(policy.subject.direction)
        appBundle = policy.subject.bundle?.name ?? ""
        if let until = policy.until { untilMs = until.milliseconds }
        byAdministrator = policy.isByAdministrator
    }
}

extension PolicySwitch {
    init(_ message: PBPolicySwitch) throws(WireError) {
        self.init(
            try PolicySubject(message.direction, message.appBundle),
            until: message.hasUntilMs ? WallTime(milliseconds: message.untilMs) : nil,
            isByAdministrator: message.byAdministrator)
    }
}

extension PBSetPolicy {
    init(_ change: PolicyChange) {
        self.init()
        direction = PBHandoffDirection(change.subject.direction)
        appBundle = change.subject.bundle?.name ?? ""
        off = change.isOff
        if let until = change.until { untilMs = until.milliseconds }
    }
}

extension PolicyChange {
    init(_ message: PBSetPolicy) throws(WireError) {
        self.init(
            try PolicySubject(message.direction, message.appBundle), isOff: message.off,
            until: message.hasUntilMs ? WallTime(milliseconds: message.untilMs) : nil)
    }
}

extension PBPolicy {
    init(_ summary: PolicySummary) {
        self.init()
        off = summary.off.map(PBPolicySwitch.init)
        problem = summary.problem ?? ""
    }
}

extension PolicySummary {
    init(_ message: PBPolicy) throws(WireError) {
        self.init(problem: message.problem.isEmpty ? nil : message.problem)
        for policy in message.off { off.append(try PolicySwitch(policy)) }
    }
}

extension PolicySubject {
    fileprivate init(_ direction: PBHandoffDirection, _ bundle: String) throws(WireError) {
        // An unknown direction of a newer version: the daemon must not guess what to switch off.
        guard let direction = HandoffDirection(rawValue: direction.rawValue) else {
            throw WireError(.unknownKind, "a policy about neither advertising nor receiving")
        }
        self.init(direction, of: bundle.isEmpty ? nil : try BundleID(bundle))
    }
}

extension PBHandoffDirection {
    fileprivate init(_ direction: HandoffDirection) {
        switch direction {
        case .advertising: self = .advertising
        case .receiving: self = .receiving
        }
    }
}
