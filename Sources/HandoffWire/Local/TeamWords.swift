// SPDX-License-Identifier: Apache-2.0

extension LocalMessage {
    /// Whose apps may take part here.
    package enum Teams: Hashable, Sendable {
        /// X.509, DER.
        case trustTeam(certificate: [UInt8])
        case distrustTeam(TeamFingerprint)
        case listTeams
        case teamList([TeamSummary])
    }
}

/// A developer team whose apps take part here.
package struct TeamSummary: Hashable, Sendable {
    package var team: DeveloperTeam
    /// As its certificate says.
    package var name: DisplayText
    package var trustedSince: WallTime
    /// Of it, installed here, count.
    package var apps: Int

    package init(team: DeveloperTeam, name: DisplayText, trustedSince: WallTime, apps: Int) {
        self.team = team
        self.name = name
        self.trustedSince = trustedSince
        self.apps = apps
    }
}
