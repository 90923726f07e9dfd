// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import Testing

@testable import HandoffTrust

@Suite struct TrustedTeamsTests {
    private let notes = Teams.notes.team
    private let impostor = Teams.impostor.team
    private let later = Teams.now.advanced(by: .seconds(60))

    /// Shows T08: the ten letters alone are not trusted.
    @Test func teamIsTrustedByItsKey() throws {
        var trusted = TrustedTeams()
        try trusted.trust(notes, at: Teams.now)
        #expect(trusted.isTrusted(notes.team))
        #expect(!trusted.isTrusted(impostor.team))
        #expect(!trusted.isTrusted(DeveloperTeam(id: try TeamID("OTHER12345"), key: notes.fingerprint)))
    }

    @Test func trustingAgainKeepsTheFirstTime() throws {
        var trusted = TrustedTeams()
        try trusted.trust(notes, at: Teams.now)
        try trusted.trust(notes, at: later)
        #expect(trusted.entries.map(\.since) == [Teams.now])
    }

    @Test func distrustedTeamIsGone() throws {
        var trusted = TrustedTeams()
        try trusted.trust(notes, at: Teams.now)
        try trusted.trust(impostor, at: later)
        #expect(trusted.distrust(notes.fingerprint)?.certificate == notes)
        #expect(trusted.distrust(notes.fingerprint) == nil)
        #expect(!trusted.isTrusted(notes.team))
        #expect(trusted.isTrusted(impostor.team))
    }

    @Test func maximumTeams() throws {
        var trusted = TrustedTeams()
        for number in 0..<TrustedTeams.maximumTeams {
            try trusted.trust(Teams.team("Team \(number)", "NOTES12345").team, at: Teams.now)
        }
        #expect(throws: Failure(.limitReached, "")) { try trusted.trust(notes, at: Teams.now) }
    }

    @Test func trustedTeamsRoundTrip() throws {
        var trusted = TrustedTeams()
        #expect(try TrustedTeams(bytes: trusted.encoded) == trusted)
        try trusted.trust(notes, at: Teams.now)
        try trusted.trust(impostor, at: later)
        #expect(try TrustedTeams(bytes: trusted.encoded) == trusted)
    }

    @Test func everyDamageIsNoticed() throws {
        var trusted = TrustedTeams()
        try trusted.trust(notes, at: Teams.now)
        let whole = trusted.encoded
        for length in 0..<whole.count {
            #expect(throws: TrustedTeams.Damage.self) { try TrustedTeams(bytes: Array(whole.prefix(length))) }
        }
        for index in whole.indices {
            var flipped = whole
            flipped[index] ^= 1
            #expect(throws: TrustedTeams.Damage.self) { try TrustedTeams(bytes: flipped) }
        }
    }
}
