// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffTrust
import HandoffWire
import Testing

@testable import HandoffHost

// Shows T06.
@Suite struct TeamKeyStoreTests {
    let home = TemporaryDirectory()
    var store: TeamKeyStore { TeamKeyStore(directory: home.path("state/teams")) }

    @Test func keyFilesAreOnlyTheirOwners() throws {
        let key = try team("NOTES12345")
        try store.add(key, passphrase: nil)
        #expect(home.mode("state/teams/NOTES12345.pem") == 0o600)
        #expect(home.mode("state/teams") == 0o700)
        #expect(try store.read(key.id)?.unlock().team == key.team)
        #expect(try store.read(TeamID("OTHER12345")) == nil)
    }

    @Test func aKeyIsNeverReplaced() throws {
        try store.add(try team("NOTES12345"), passphrase: nil)
        let before = home.text("state/teams/NOTES12345.pem")
        #expect(throws: Failure(.notAllowed, "")) { try store.add(try team("NOTES12345"), passphrase: nil) }
        #expect(home.text("state/teams/NOTES12345.pem") == before)
    }

    @Test func aKeyThatOthersCanReadIsNotUsed() throws {
        try store.add(try team("NOTES12345"), passphrase: nil)
        chmod(home.path("state/teams/NOTES12345.pem"), 0o644)
        #expect(throws: Failure(.stateNotWritable, "")) { try store.read(try TeamID("NOTES12345")) }
    }

    @Test func aDamagedKeyIsNamedAndHidesNoOther() throws {
        try store.add(try team("NOTES12345"), passphrase: nil)
        try home.file("state/teams/BROKEN1234.pem", "-----BEGIN PRIVATE KEY-----\n")
        try home.file("state/teams/notes.txt", "not a key")
        let (teams, problems) = try store.list()
        #expect(teams.map(\.team.id.name) == ["NOTES12345"])
        #expect(problems.count == 1)
        #expect(problems[0].contains(home.path("state/teams/BROKEN1234.pem")))
    }

    @Test func aKeyUnderAnotherNameIsRefused() throws {
        try store.add(try team("NOTES12345"), passphrase: nil)
        rename(home.path("state/teams/NOTES12345.pem"), home.path("state/teams/OTHER12345.pem"))
        #expect(throws: Failure(.malformed, "")) { try store.read(try TeamID("OTHER12345")) }
    }

    private func team(_ id: String) throws -> TeamKey {
        try TeamKey.create(
            name: DisplayText(cleaning: "Notes Makers"), id: TeamID(id), at: WallTime(milliseconds: 1_772_366_400_000))
    }
}
