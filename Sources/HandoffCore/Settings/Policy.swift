// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Neither administrator nor user can allow something that the other forbids.
package struct Policy: Hashable, Sendable {
    package var administrator: AdministratorPolicy
    package var user: PolicySwitches

    package init(administrator: AdministratorPolicy = AdministratorPolicy(), user: PolicySwitches = PolicySwitches()) {
        self.administrator = administrator
        self.user = user
    }

    /// The widest first. A nil bundle means a script.
    package func obstacle(
        to direction: HandoffDirection, of bundle: BundleID?, wall: WallTime
    ) -> PolicySwitch? {
        let subjects = PolicySubject(direction, of: bundle).andWider
        return ruling(over: subjects) ?? subjects.lazy.compactMap { user.off($0, wall: wall) }.first
    }

    private func ruling(over subjects: [PolicySubject]) -> PolicySwitch? {
        subjects.first(where: administrator.off.contains).map { PolicySwitch($0, isByAdministrator: true) }
    }

    /// Throws `.limitReached`, or `.notAllowed` if the administrator has switched the subject off: it must not appear
    /// to be on.
    package func applying(_ change: PolicyChange, wall: WallTime) throws(Failure) -> PolicySwitches {
        if !change.isOff, let ruling = ruling(over: change.subject.andWider) {
            throw Failure(.notAllowed, "\(ruling.reason), so it cannot be switched on")
        }
        var switches = user
        try switches.apply(change, wall: wall)
        return switches
    }

    package func switches(wall: WallTime) -> [PolicySwitch] {
        administrator.off.sorted(by: PolicySubject.inOrder).map { PolicySwitch($0, isByAdministrator: true) }
            + user.all(wall: wall)
    }
}

/// For all users of this machine.
package struct AdministratorPolicy: Hashable, Sendable {
    package var off: Set<PolicySubject>
    /// Apps' site claims for managed devices apply.
    package var isManaged: Bool
    /// An invalid file turns everything off, because a mistyped rule must not be ignored.
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
    fileprivate var andWider: [PolicySubject] { bundle == nil ? [self] : [PolicySubject(direction), self] }
}

extension PolicySwitch {
    package var reason: String {
        if let program = subject.program, until == nil, !isByAdministrator {
            let name = program.desktopEntry ?? ""
            return "\(name) is not switched on; run: handoff programs on \(name)"
        }
        let whom = subject.bundle.map { "for \($0)" } ?? "on this device"
        return "\(subject.direction.word) is switched off \(whom)\(isByAdministrator ? " by its administrator" : "")"
    }

    /// Nil: only the administrator can change it, or `reason` says it.
    package var advice: String? {
        isByAdministrator || subject.program != nil && until == nil ? nil : "run: handoff policy on"
    }
}
