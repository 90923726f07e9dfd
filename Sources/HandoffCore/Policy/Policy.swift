// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// What may be advertised and received: what the administrator has ruled, then what the user has switched off.
/// Switches only take away, so neither can allow what the other forbids.
package struct Policy: Hashable, Sendable {
    package var administrator: AdministratorPolicy
    package var user: PolicySwitches

    package init(administrator: AdministratorPolicy = AdministratorPolicy(), user: PolicySwitches = PolicySwitches()) {
        self.administrator = administrator
        self.user = user
    }

    /// The switch that stands in the way, the widest first; nil: it may. A nil bundle is no app of its own, a script.
    package func obstacle(
        to direction: HandoffDirection, of bundle: BundleID?, wall: WallTime
    ) -> PolicySwitch? {
        let subjects = PolicySubject(direction, of: bundle).andWider
        return ruling(over: subjects) ?? subjects.lazy.compactMap { user.off($0, wall: wall) }.first
    }

    private func ruling(over subjects: [PolicySubject]) -> PolicySwitch? {
        subjects.first(where: administrator.off.contains).map { PolicySwitch($0, isByAdministrator: true) }
    }

    /// What the user's switches are then. Throws `.notAllowed` where it would switch on what the administrator has
    /// switched off, so that nobody takes it for on, and `.limitReached`.
    package func applying(_ change: PolicyChange, wall: WallTime) throws(Failure) -> PolicySwitches {
        if !change.isOff, let ruling = ruling(over: change.subject.andWider) {
            throw Failure(.notAllowed, "\(ruling.reason), so it cannot be switched on")
        }
        var switches = user
        try switches.apply(change, wall: wall)
        return switches
    }

    /// All that is off.
    package func switches(wall: WallTime) -> [PolicySwitch] {
        administrator.off.sorted(by: PolicySubject.inOrder).map { PolicySwitch($0, isByAdministrator: true) }
            + user.all(wall: wall)
    }
}

/// What the administrator of this machine has switched off for everybody, for good, and says of it.
package struct AdministratorPolicy: Hashable, Sendable {
    package var off: Set<PolicySubject>
    /// It is managed by an organization: an app's claims of sites for managed devices count.
    package var isManaged: Bool
    /// Set where there is a file that cannot be understood. Then everything is off: a ruling that is mistyped must not
    /// pass for none.
    package var problem: String?

    package init(off: Set<PolicySubject> = [], isManaged: Bool = false) {
        self.off = off
        self.isManaged = isManaged
    }

    package init(problem: String) {
        off = Set(HandoffDirection.allCases.map { PolicySubject($0) })
        isManaged = false
        self.problem = problem
    }
}

extension PolicySubject {
    /// The whole device comes first.
    fileprivate var andWider: [PolicySubject] { bundle == nil ? [self] : [PolicySubject(direction), self] }
}

extension PolicySwitch {
    /// `receiving is switched off on this device by its administrator`
    package var reason: String {
        let whom = subject.bundle.map { "for \($0)" } ?? "on this device"
        return "\(subject.direction.word) is switched off \(whom)\(isByAdministrator ? " by its administrator" : "")"
    }
}
