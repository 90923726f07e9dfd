// SPDX-License-Identifier: Apache-2.0

internal import HandoffClient
internal import HandoffCore
internal import HandoffHost
internal import HandoffTrust
internal import HandoffWire

/// From the daemon, which applies changes at once, or without a daemon from its file.
struct TeamBook {
    private let common: CommonOptions

    init(_ common: CommonOptions) { self.common = common }

    func trusted() throws -> [TeamSummary] {
        if let client = try common.connectIfRunning() { return try client.ask(.teams(.listTeams), \.teams) }
        let apps = common.installedApps().apps
        return try TrustedTeamFile(common.locations).read().entries.map { entry in
            TeamSummary(
                team: entry.certificate.team, name: entry.certificate.name, trustedSince: entry.since,
                apps: apps.count { $0.developer == entry.certificate.team })
        }
    }

    func isTrusted(_ team: DeveloperTeam) throws -> Bool { try trusted().contains { $0.team == team } }

    func trust(_ certificate: TeamCertificate) throws {
        if let client = try common.connectIfRunning() {
            _ = try client.ask(.teams(.trustTeam(certificate: certificate.der)), \.teams)
        } else {
            try TrustedTeamFile(common.locations).change { teams throws(Failure) in
                try teams.trust(certificate, at: .now)
            }
        }
    }

    func distrust(_ key: TeamFingerprint) throws {
        if let client = try common.connectIfRunning() {
            _ = try client.ask(.teams(.distrustTeam(key)), \.teams)
        } else {
            try TrustedTeamFile(common.locations).change { teams throws(Failure) in _ = teams.distrust(key) }
        }
    }
}

extension LocalMessage {
    fileprivate var teams: [TeamSummary]? { if case .teams(.teamList(let teams)) = self { teams } else { nil } }
}

struct ShownTrust: Encodable {
    let team: String
    let name: String
    let key: String
    let trustedSince: String
    let apps: Int
    let grouped: String

    enum CodingKeys: String, CodingKey {
        case team, name, key, trustedSince, apps
    }

    init(_ summary: TeamSummary) {
        team = summary.team.id.name
        name = summary.name.text
        key = summary.team.key.hex
        grouped = summary.team.key.grouped
        trustedSince = summary.trustedSince.iso8601
        apps = summary.apps
    }
}
