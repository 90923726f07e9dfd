// SPDX-License-Identifier: Apache-2.0

extension LocalMessage {
    package enum Policy: Hashable, Sendable {
        case showPolicy
        case setPolicy(PolicyChange)
        case policy(PolicySummary)
    }
}

package enum HandoffDirection: Int, Sendable, Hashable, CaseIterable {
    /// This device's activities are shown on the others.
    case advertising = 1
    /// Other devices' activities are shown and continued here.
    case receiving = 2
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

/// Everything without a switch is on.
package struct PolicySwitch: Hashable, Sendable {
    package var subject: PolicySubject
    /// Nil: until the user switches it on.
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
    /// Only with `isOff`. Nil: until the user switches it on.
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
    /// Everything is off because a file cannot be read.
    package var problem: String?

    package init(off: [PolicySwitch] = [], problem: String? = nil) {
        self.off = off
        self.problem = problem
    }
}
