// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffDaemon
package import HandoffWire

/// Ignores certificates.
package final class MemoryTeamTrust: TeamTrust {
    package private(set) var distrusted: Set<DeveloperTeam> = []
    private var observers: [(TeamsChange) -> Void] = []

    package init() {}

    package func distrust(_ team: DeveloperTeam) {
        distrusted.insert(team)
        for observer in observers { observer(TeamsChange(team, isTrusted: false)) }
    }

    package func trust(_ team: DeveloperTeam) {
        distrusted.remove(team)
        for observer in observers { observer(TeamsChange(team, isTrusted: true)) }
    }

    package func isTrusted(_ team: DeveloperTeam) -> Bool { !distrusted.contains(team) }
    package var trustedCount: Int { 0 }
    package func onChange(_ observer: @escaping (TeamsChange) -> Void) { observers.append(observer) }
}

extension DeveloperTeam {
    /// `number` distinguishes keys.
    package static func made(_ id: String, key number: UInt8 = 1) -> DeveloperTeam {
        DeveloperTeam(id: try! TeamID(id), key: TeamFingerprint(uncheckedBytes: Array(repeating: number, count: 32)))
    }
}

extension Team {
    package static func made(_ id: String, key number: UInt8 = 1) -> Team { .developer(.made(id, key: number)) }
}

package final class MemoryAdministratorRules: AdministratorRules {
    package var policy = AdministratorPolicy() {
        didSet { changed() }
    }
    private var changed: () -> Void = {}

    package init() {}

    package func read() -> AdministratorPolicy { policy }
    package func watch(_ changed: @escaping () -> Void) { self.changed = changed }
}
