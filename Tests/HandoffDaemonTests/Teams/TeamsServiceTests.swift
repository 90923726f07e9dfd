// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffDaemon
import HandoffTesting
import HandoffTrust
import HandoffWire
import Logging
import Testing

/// Shows T07: whom the user trusts, told over the daemon's socket and kept on disk.
@Suite struct TeamsServiceTests {
    private static let notes = made("Notes Makers")
    /// The same name and the same ten letters, another key.
    private static let impostor = made("Notes Makers")

    private let desk: Desk
    private let service: TeamsService

    init() throws {
        desk = try Desk("laptop", apps: [Desk.app("notes", team: Self.notes.team)])
        service = try Self.service(of: desk)
    }

    private static func made(_ name: String) -> TeamCertificate {
        // Well-formed, so it can be made.
        try! TeamKey.create(
            name: DisplayText(cleaning: name), id: try! TeamID("NOTES12345"), at: WallTime(milliseconds: 0)
        ).team
    }

    private static func service(of desk: Desk) throws -> TeamsService {
        let log = Logger(label: "teams") { _ in SwiftLogNoOpLogHandler() }
        let service = try TeamsService(catalog: desk.catalog, store: desk.store, time: desk.time, log: log)
        desk.clients.register(service)
        return service
    }

    @Test func trustedTeamIsListedWithItsApps() {
        #expect(desk.answer(desk.script(), .listTeams) == .teamList([]))
        #expect(!service.isTrusted(Self.notes.team))
        var changes = 0
        service.onChange { changes += 1 }
        let since = desk.time.wallTime
        let script = desk.script()
        guard case .teamList(let answer)? = desk.answer(script, .trustTeam(certificate: Self.notes.der)) else {
            Issue.record("no list")
            return
        }
        #expect(answer.map(\.team) == [Self.notes.team])
        #expect(answer.map(\.apps) == [1])
        #expect(answer.first.map { $0.trustedSince >= since } == true)
        #expect(desk.answer(script, .listTeams) == .teamList(answer))
        #expect(service.isTrusted(Self.notes.team))
        #expect(!service.isTrusted(Self.impostor.team))
        #expect(service.trustedCount == 1)
        #expect(changes == 1)
    }

    @Test func distrustedTeamIsTrustedNoMoreAlsoAfterARestart() throws {
        let script = desk.script()
        for team in [Self.notes, Self.impostor] { _ = desk.answer(script, .trustTeam(certificate: team.der)) }
        #expect(try Self.service(of: desk).trustedCount == 2)
        _ = desk.answer(script, .distrustTeam(Self.notes.fingerprint))
        #expect(!service.isTrusted(Self.notes.team))
        let restarted = try Self.service(of: desk)
        #expect(!restarted.isTrusted(Self.notes.team))
        #expect(restarted.isTrusted(Self.impostor.team))
    }

    @Test func teamThatIsNotTrustedCannotBeDistrusted() {
        let answer = desk.answer(desk.script(), .distrustTeam(Self.notes.fingerprint))
        #expect(answer == .failure(Failure(.notAllowed, "no team with that key is trusted on this device")))
    }

    @Test func whatIsNoTeamCertificateIsRefused() {
        guard case .failure(let failure)? = desk.answer(desk.script(), .trustTeam(certificate: [0x30, 0x00])) else {
            Issue.record("taken")
            return
        }
        #expect(failure.code == .malformed)
        #expect(service.trustedCount == 0)
    }

    /// An app must not vouch for itself.
    @Test func appMayNeitherTrustNorDistrust() {
        let app = desk.run(desk.catalog.apps[0])
        for message in [LocalMessage.trustTeam(certificate: Self.notes.der), .distrustTeam(Self.notes.fingerprint)] {
            guard case .failure(let failure)? = desk.answer(app, message) else {
                Issue.record("taken")
                return
            }
            #expect(failure.code == .notAllowed)
        }
        #expect(service.trustedCount == 0)
    }

    @Test func fullDiskChangesNothing() {
        desk.store.writeFailure = Failure(.stateNotWritable, "no space left")
        #expect(
            desk.answer(desk.script(), .trustTeam(certificate: Self.notes.der))
                == .failure(Failure(.stateNotWritable, "no space left")))
        #expect(!service.isTrusted(Self.notes.team))
    }

    @Test func damagedListIsNamedAndNotGuessed() throws {
        desk.store.files[TeamsService.fileName] = Array("handoff-teams/1\nnonsense".utf8)
        let error = #expect(throws: DamagedStateError.self) { try Self.service(of: desk) }
        #expect(error?.file == "trusted-teams")
    }
}
