// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffTrust
import HandoffWire
import Logging
import Testing

@testable import HandoffDaemon

/// Shows T07: the teams that the user trusts, set over the daemon's socket and kept on disk.
@Suite struct TeamsServiceTests {
    private static let notes = made("Notes Makers")
    /// The same name and Team ID, but another key.
    private static let impostor = made("Notes Makers")

    private let fixture: DeviceFixture
    private var service: TeamsService { get throws { try #require(fixture.realTeams) } }

    init() throws {
        fixture = try DeviceFixture(
            "laptop", apps: [DeviceFixture.app("notes", team: Self.notes.team)], hasRealTeams: true)
    }

    private static func made(_ name: String) -> TeamCertificate {
        // The input is valid, so creation succeeds.
        try! TeamKey.create(
            name: DisplayText(cleaning: name), id: try! TeamID("NOTES12345"), at: WallTime(milliseconds: 0)
        ).team
    }

    private static func restarted(_ fixture: DeviceFixture) throws -> TeamsService {
        try TeamsService(
            catalog: fixture.catalog, store: fixture.store, time: fixture.time,
            log: Logger(label: "teams") { _ in SwiftLogNoOpLogHandler() })
    }

    @Test func trustedTeamIsListedWithItsApps() throws {
        #expect(fixture.answer(fixture.script(), .teams(.listTeams)) == .teams(.teamList([])))
        #expect(try !service.isTrusted(Self.notes.team))
        var changes: [TeamsChange] = []
        try service.onChange { changes.append($0) }
        let since = fixture.time.wallTime
        let script = fixture.script()
        guard
            case .teams(.teamList(let answer))? = fixture.answer(
                script, .teams(.trustTeam(certificate: Self.notes.der)))
        else {
            Issue.record("no list")
            return
        }
        #expect(answer.map(\.team) == [Self.notes.team])
        #expect(answer.map(\.apps) == [1])
        #expect(answer.first.map { $0.trustedSince >= since } == true)
        #expect(fixture.answer(script, .teams(.listTeams)) == .teams(.teamList(answer)))
        #expect(try service.isTrusted(Self.notes.team))
        #expect(try !service.isTrusted(Self.impostor.team))
        #expect(try service.trustedCount == 1)
        #expect(changes == [TeamsChange(Self.notes.team, isTrusted: true)])
    }

    @Test func distrustedTeamStaysDistrustedAfterARestart() throws {
        let script = fixture.script()
        for team in [Self.notes, Self.impostor] {
            _ = fixture.answer(script, .teams(.trustTeam(certificate: team.der)))
        }
        #expect(try Self.restarted(fixture).trustedCount == 2)
        _ = fixture.answer(script, .teams(.distrustTeam(Self.notes.fingerprint)))
        #expect(try !service.isTrusted(Self.notes.team))
        let restarted = try Self.restarted(fixture)
        #expect(!restarted.isTrusted(Self.notes.team))
        #expect(restarted.isTrusted(Self.impostor.team))
    }

    @Test func teamThatIsNotTrustedCannotBeDistrusted() {
        let answer = fixture.answer(fixture.script(), .teams(.distrustTeam(Self.notes.fingerprint)))
        #expect(answer == .failure(Failure(.notAllowed, "no team with that key is trusted on this device")))
    }

    @Test func invalidTeamCertificateIsRefused() throws {
        guard
            case .failure(let failure)? = fixture.answer(
                fixture.script(), .teams(.trustTeam(certificate: [0x30, 0x00])))
        else {
            Issue.record("taken")
            return
        }
        #expect(failure.code == .malformed)
        #expect(try service.trustedCount == 0)
    }

    /// An app must not vouch for itself.
    @Test func appMayNeitherTrustNorDistrust() throws {
        let app = fixture.run(fixture.catalog.apps[0])
        for message in [
            LocalMessage.teams(.trustTeam(certificate: Self.notes.der)), .teams(.distrustTeam(Self.notes.fingerprint)),
        ] {
            guard case .failure(let failure)? = fixture.answer(app, message) else {
                Issue.record("taken")
                return
            }
            #expect(failure.code == .notAllowed)
        }
        #expect(try service.trustedCount == 0)
    }

    @Test func fullDiskChangesNothing() throws {
        fixture.store.writeFailure = Failure(.stateNotWritable, "no space left")
        #expect(
            fixture.answer(fixture.script(), .teams(.trustTeam(certificate: Self.notes.der)))
                == .failure(Failure(.stateNotWritable, "no space left")))
        #expect(try !service.isTrusted(Self.notes.team))
    }

    @Test func damagedListIsNamedAndNotGuessed() throws {
        fixture.store.files[TeamsService.fileName] = Array("handoff-teams/1\nnonsense".utf8)
        let error = #expect(throws: DamagedStateError.self) { try Self.restarted(fixture) }
        #expect(error?.file == "trusted-teams")
    }
}
