// SPDX-License-Identifier: Apache-2.0

extension LocalMessage {
    package enum Teams: Hashable, Sendable {
        /// X.509, DER.
        case trustTeam(certificate: [UInt8])
        case distrustTeam(TeamFingerprint)
        case listTeams
        case teamList([TeamSummary])
    }
}

package struct TeamSummary: Hashable, Sendable {
    package var team: DeveloperTeam
    /// From its certificate.
    package var name: DisplayText
    package var trustedSince: WallTime
    /// Installed here.
    package var apps: Int

    package init(team: DeveloperTeam, name: DisplayText, trustedSince: WallTime, apps: Int) {
        self.team = team
        self.name = name
        self.trustedSince = trustedSince
        self.apps = apps
    }
}
