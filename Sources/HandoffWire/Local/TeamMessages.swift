// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

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

extension LocalMessage.Teams {
    var wire: PBLocalFrame.OneOf_Body {
        switch self {
        case .trustTeam(let certificate): .trustTeam(.with { $0.certificate = certificate.data })
        case .distrustTeam(let key): .distrustTeam(.with { $0.key = key.bytes.data })
        case .listTeams: .listTeams(PBListTeams())
        case .teamList(let teams): .teamList(.with { $0.teams = teams.map(PBTrustedTeam.init) })
        }
    }

    init?(_ body: PBLocalFrame.OneOf_Body) throws(WireError) {
        switch body {
        case .trustTeam(let trust): self = .trustTeam(certificate: Array(trust.certificate))
        case .distrustTeam(let distrust): self = .distrustTeam(try TeamFingerprint(bytes: distrust.key))
        case .listTeams: self = .listTeams
        case .teamList(let list):
            var teams: [TeamSummary] = []
            for team in list.teams { teams.append(try TeamSummary(team)) }
            self = .teamList(teams)
        default: return nil
        }
    }
}

extension PBTrustedTeam {
    init(_ summary: TeamSummary) {
        self.init()
        team = PBDeveloperTeam(summary.team)
        name = summary.name.text
        trustedMs = summary.trustedSince.milliseconds
        apps = UInt32(clamping: summary.apps)
    }
}

extension TeamSummary {
    init(_ message: PBTrustedTeam) throws(WireError) {
        self.init(
            team: try DeveloperTeam(message.team), name: .name(message.name),
            trustedSince: WallTime(milliseconds: message.trustedMs), apps: Int(message.apps))
    }
}
