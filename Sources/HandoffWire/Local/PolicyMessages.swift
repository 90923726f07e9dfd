// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

extension LocalMessage {
    package enum Policy: Hashable, Sendable {
        /// `watch`: answered again at each change.
        case showPolicy(watch: Bool = false)
        case setPolicy(PolicyChange)
        case policy(PolicySummary)
    }
}

package enum HandoffDirection: Int, Sendable, Hashable, CaseIterable {
    /// Others show this device's activities.
    case advertising = 1
    /// Other devices' activities are shown and continued here.
    case receiving = 2
    /// This device's activities are kept and found again.
    case history = 3

    package static let both: [HandoffDirection] = [.advertising, .receiving]
}

package struct PolicySubject: Hashable, Sendable {
    package var direction: HandoffDirection
    /// Nil: the whole device.
    package var bundle: BundleID?

    package init(_ direction: HandoffDirection, of bundle: BundleID? = nil) {
        self.direction = direction
        self.bundle = bundle
    }
}

/// Everything without a switch is on, except for advertising of system programs.
package struct PolicySwitch: Hashable, Sendable {
    package var subject: PolicySubject
    /// Nil: no end.
    package var until: WallTime?
    package var isByAdministrator: Bool

    package init(_ subject: PolicySubject, until: WallTime? = nil, isByAdministrator: Bool = false) {
        self.subject = subject
        self.until = until
        self.isByAdministrator = isByAdministrator
    }
}

package struct PolicyChange: Hashable, Sendable {
    package var subject: PolicySubject
    package var isOff: Bool
    /// Only with `isOff`. Nil: no end.
    package var until: WallTime?

    package init(_ subject: PolicySubject, isOff: Bool, until: WallTime? = nil) {
        self.subject = subject
        self.isOff = isOff
        self.until = until
    }
}

package struct PolicySummary: Hashable, Sendable {
    /// The administrator's first.
    package var off: [PolicySwitch]
    /// A file cannot be read, so everything is off.
    package var problem: String?
    /// Switched on by the user, sorted.
    package var programs: [BundleID]

    package init(off: [PolicySwitch] = [], problem: String? = nil, programs: [BundleID] = []) {
        self.off = off
        self.problem = problem
        self.programs = programs
    }
}

extension LocalMessage.Policy {
    var wire: PBLocalFrame.OneOf_Body {
        switch self {
        case .showPolicy(let watch): .showPolicy(.with { $0.watch = watch })
        case .setPolicy(let change): .setPolicy(PBSetPolicy(change))
        case .policy(let policy): .policy(PBPolicy(policy))
        }
    }

    init?(_ body: PBLocalFrame.OneOf_Body) throws(WireError) {
        switch body {
        case .showPolicy(let show): self = .showPolicy(watch: show.watch)
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
        programs = summary.programs.map(\.name)
    }
}

extension PolicySummary {
    init(_ message: PBPolicy) throws(WireError) {
        self.init(problem: message.problem.isEmpty ? nil : message.problem)
        for policy in message.off { off.append(try PolicySwitch(policy)) }
        for program in message.programs { programs.append(try BundleID(appOrProgram: program)) }
    }
}

extension PolicySubject {
    fileprivate init(_ direction: PBHandoffDirection, _ bundle: String) throws(WireError) {
        // The daemon must not guess what to switch off.
        guard let direction = HandoffDirection(rawValue: direction.rawValue) else {
            throw WireError(.unknownKind, "a policy about something that this version does not know")
        }
        self.init(direction, of: bundle.isEmpty ? nil : try BundleID(appOrProgram: bundle))
    }
}

extension PBHandoffDirection {
    fileprivate init(_ direction: HandoffDirection) {
        switch direction {
        case .advertising: self = .advertising
        case .receiving: self = .receiving
        case .history: self = .history
        }
    }
}
