// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTrust
package import HandoffWire
import Logging

/// Apps of untrusted teams cannot take part.
package final class TeamsService: Feature {
    package static let fileName = TrustedTeams.fileName

    private let catalog: any AppCatalog
    private let store: any StateStore
    private let time: any TimeSource
    private let log: Logger

    private var teams: TrustedTeams
    private var observers: [(TeamsChange) -> Void] = []

    /// Throws `DamagedStateError` for an invalid list, and the store's errors.
    init(catalog: any AppCatalog, store: any StateStore, time: any TimeSource, log: Logger) throws {
        self.catalog = catalog
        self.store = store
        self.time = time
        self.log = log
        guard let bytes = try store.read(Self.fileName) else {
            teams = TrustedTeams()
            return
        }
        do throws(TrustedTeams.Damage) {
            teams = try TrustedTeams(bytes: bytes)
        } catch {
            throw DamagedStateError(file: Self.fileName, reason: error.rawValue)
        }
    }

    package func start() throws {}
    package func stop() {}

    private func trust(certificate bytes: [UInt8]) throws(Failure) -> TeamSummary {
        let certificate: TeamCertificate
        do throws(TeamRejection) {
            certificate = try TeamCertificate(der: bytes)
        } catch {
            throw Failure(.malformed, "this is not a team's certificate: \(error)")
        }
        var teams = teams
        try teams.trust(certificate, at: time.wallTime)
        try keep(teams, of: certificate.team)
        log.info("Team trusted", metadata: ["team": "\(certificate.team)"])
        return summary(of: teams.entry(certificate.team.key)!)
    }

    private func distrust(_ key: TeamFingerprint) throws(Failure) -> TeamSummary {
        var teams = teams
        guard let entry = teams.distrust(key) else {
            throw Failure(.notAllowed, "no team with that key is trusted on this device")
        }
        try keep(teams, of: entry.certificate.team)
        log.info("Team no longer trusted", metadata: ["team": "\(entry.certificate.team)"])
        return summary(of: entry)
    }

    private func keep(_ new: TrustedTeams, of team: DeveloperTeam) throws(Failure) {
        guard new != teams else { return }
        try store.write(new.encoded, to: Self.fileName)
        teams = new
        let change = TeamsChange(team, isTrusted: teams.isTrusted(team))
        for observer in observers { observer(change) }
    }

    private func summary(of entry: TrustedTeams.Entry) -> TeamSummary {
        let team = entry.certificate.team
        return TeamSummary(
            team: team, name: entry.certificate.name, trustedSince: entry.since,
            apps: catalog.apps.count { $0.developer == team })
    }
}

extension TeamsService: TeamTrust {
    package func isTrusted(_ team: DeveloperTeam) -> Bool { teams.isTrusted(team) }
    package var trustedCount: Int { teams.entries.count }
    package func onChange(_ observer: @escaping (TeamsChange) -> Void) { observers.append(observer) }
}

extension TeamsService: LocalMessageHandler {
    func handle(_ message: LocalMessage.Teams, from client: any Client, reply: @escaping ClientReply) {
        do throws(Failure) {
            switch message {
            case .listTeams: reply(.teams(.teamList(teams.entries.map(summary))))
            case .trustTeam(let certificate): reply(.teams(.teamList([try trust(certificate: certificate)])))
            case .distrustTeam(let key): reply(.teams(.teamList([try distrust(key)])))
            case .teamList: throw .notForTheDaemon
            }
        } catch {
            reply(.failure(error))
        }
    }
}

/// Implemented by `TeamsService`; tests may substitute it.
package protocol TeamTrust: AnyObject {
    /// By the key alone, not the Team ID.
    func isTrusted(_ team: DeveloperTeam) -> Bool
    var trustedCount: Int { get }
    /// Called in the order of registration.
    func onChange(_ observer: @escaping (TeamsChange) -> Void)
}

package struct TeamsChange: Hashable, Sendable {
    package let team: DeveloperTeam
    package let isTrusted: Bool

    package init(_ team: DeveloperTeam, isTrusted: Bool) {
        self.team = team
        self.isTrusted = isTrusted
    }
}
