// SPDX-License-Identifier: Apache-2.0

extension LocalMessage {
    /// What is switched off.
    package enum Policy: Hashable, Sendable {
        case showPolicy
        case setPolicy(PolicyChange)
        case policy(PolicySummary)
    }
}

/// The two ways an activity goes, each switched by itself.
package enum HandoffDirection: Int, Sendable, Hashable, CaseIterable {
    /// Activities of this device are shown to the others.
    case advertising = 1
    /// Activities of the others are shown and continued here.
    case receiving = 2
}

/// What a switch is about.
package struct PolicySubject: Hashable, Sendable {
    package var direction: HandoffDirection
    /// Nil: the whole device.
    package var bundle: BundleID?

    package init(_ direction: HandoffDirection, of bundle: BundleID? = nil) {
        self.direction = direction
        self.bundle = bundle
    }
}

/// Something that is off. What no switch names is on.
package struct PolicySwitch: Hashable, Sendable {
    package var subject: PolicySubject
    /// Nil: until somebody switches it on.
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
    /// Only with `isOff`. Nil: until somebody switches it on.
    package var until: WallTime?

    package init(_ subject: PolicySubject, isOff: Bool, until: WallTime? = nil) {
        self.subject = subject
        self.isOff = isOff
        self.until = until
    }
}

package struct PolicySummary: Hashable, Sendable {
    /// All that is off, the administrator's first.
    package var off: [PolicySwitch]
    /// Why everything is off: a file that cannot be read.
    package var problem: String?

    package init(off: [PolicySwitch] = [], problem: String? = nil) {
        self.off = off
        self.problem = problem
    }
}
