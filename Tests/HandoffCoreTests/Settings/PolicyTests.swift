// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import Testing

@testable import HandoffCore

/// Shows P01, P02, G03: the rules of the policy switches.
@Suite struct PolicyTests {
    private let noon = WallTime(milliseconds: 1_800_000_000_000)
    private let notes = try! BundleID("com.example.notes")
    private let mail = try! BundleID("com.example.mail")

    private func policy(
        _ changes: PolicyChange..., administrator: Set<PolicySubject> = []
    ) throws -> Policy {
        var user = PolicySwitches()
        for change in changes { try user.apply(change, wall: noon) }
        return Policy(administrator: AdministratorPolicy(off: administrator), user: user)
    }

    @Test func everythingIsOnUntilItIsSwitchedOff() throws {
        let policy = try policy()
        #expect(policy.obstacle(to: .advertising, of: notes, wall: noon) == nil)
        #expect(policy.obstacle(to: .receiving, of: nil, wall: noon) == nil)
        #expect(policy.switches(wall: noon).isEmpty)
    }

    @Test func directionsAreSwitchedApart() throws {
        let policy = try policy(PolicyChange(PolicySubject(.advertising), isOff: true))
        #expect(policy.obstacle(to: .advertising, of: notes, wall: noon)?.subject == PolicySubject(.advertising))
        #expect(policy.obstacle(to: .receiving, of: notes, wall: noon) == nil)
    }

    @Test func oneAppCanBeSwitchedOffAlone() throws {
        let policy = try policy(PolicyChange(PolicySubject(.receiving, of: notes), isOff: true))
        #expect(policy.obstacle(to: .receiving, of: notes, wall: noon) != nil)
        #expect(policy.obstacle(to: .receiving, of: mail, wall: noon) == nil)
        #expect(policy.obstacle(to: .receiving, of: nil, wall: noon) == nil)
    }

    // Shows P03.
    @Test func temporarySwitchEndsAutomatically() throws {
        let end = noon.advanced(by: .seconds(7200))
        let policy = try policy(PolicyChange(PolicySubject(.receiving), isOff: true, until: end))
        #expect(policy.obstacle(to: .receiving, of: nil, wall: end.advanced(by: .milliseconds(-1)))?.until == end)
        #expect(policy.obstacle(to: .receiving, of: nil, wall: end) == nil)
        #expect(policy.user.nextEnd == end)
    }

    @Test func timeThatIsOverSwitchesNothingOff() throws {
        let past = PolicyChange(PolicySubject(.receiving), isOff: true, until: noon.advanced(by: .seconds(-1)))
        #expect(try policy(past).switches(wall: noon).isEmpty)
    }

    @Test func userCannotSwitchOnWhatTheAdministratorSwitchedOff() throws {
        let policy = try policy(
            PolicyChange(PolicySubject(.advertising), isOff: false), administrator: [PolicySubject(.advertising)])
        #expect(policy.obstacle(to: .advertising, of: mail, wall: noon)?.isByAdministrator == true)
        #expect(
            policy.obstacle(to: .advertising, of: nil, wall: noon)?.reason
                == "advertising is switched off on this device by its administrator")
    }

    @Test func rulingThatCannotBeReadSwitchesEverythingOff() {
        let policy = Policy(administrator: AdministratorPolicy(problem: "a comma too many"))
        for direction in HandoffDirection.allCases {
            #expect(policy.obstacle(to: direction, of: notes, wall: noon)?.isByAdministrator == true)
        }
    }

    @Test func survivesTheFile() throws {
        let policy = try policy(
            PolicyChange(PolicySubject(.advertising), isOff: true),
            PolicyChange(PolicySubject(.receiving, of: notes), isOff: true, until: noon.advanced(by: .seconds(60))))
        let file = policy.user.encoded()
        #expect(
            String(decoding: file, as: UTF8.self)
                == "handoff-policy 1\nadvertising * *\nreceiving com.example.notes 1800000060000\n")
        #expect(try PolicySwitches(encoded: file) == policy.user)
    }

    @Test(arguments: [
        "", "handoff-policy 2\n", "handoff-policy 1\nadvertising *\n", "handoff-policy 1\nsending * *\n",
        "handoff-policy 1\nadvertising ../notes *\n", "handoff-policy 1\nadvertising * soon\n",
    ])
    func damagedFileIsRefused(text: String) {
        #expect(throws: WireError.self) { try PolicySwitches(encoded: Array(text.utf8)) }
    }

    @Test func switchesAreLimited() throws {
        var switches = PolicySwitches()
        for number in 0..<PolicySwitches.maximum {
            let app = try BundleID("com.example.app\(number)")
            try switches.apply(PolicyChange(PolicySubject(.receiving, of: app), isOff: true), wall: noon)
        }
        let one = PolicyChange(PolicySubject(.receiving, of: notes), isOff: true)
        #expect(throws: Failure(.limitReached, "")) { try switches.apply(one, wall: noon) }
        let known = PolicyChange(PolicySubject(.receiving, of: try BundleID("com.example.app1")), isOff: false)
        try switches.apply(known, wall: noon)
        try switches.apply(one, wall: noon)
        let file = switches.encoded() + Array("receiving * *\n".utf8)
        #expect(throws: WireError.self) { try PolicySwitches(encoded: file) }
    }

    // MARK: System programs

    private let mpv = try! BundleID(systemProgram: "mpv")

    // Shows M01.
    @Test func systemProgramIsOffUntilSwitchedOn() throws {
        let off = try policy().obstacle(to: .advertising, of: mpv, wall: noon)
        #expect(off?.reason == "mpv is not switched on; run: handoff programs on mpv")
        #expect(try policy().obstacle(to: .receiving, of: mpv, wall: noon) == nil)
        let on = try policy(PolicyChange(PolicySubject(.advertising, of: mpv), isOff: false))
        #expect(on.obstacle(to: .advertising, of: mpv, wall: noon) == nil)
        #expect(on.switches(wall: noon).isEmpty)
        let again = try policy(
            PolicyChange(PolicySubject(.advertising, of: mpv), isOff: false),
            PolicyChange(PolicySubject(.advertising, of: mpv), isOff: true))
        #expect(again.obstacle(to: .advertising, of: mpv, wall: noon) != nil)
    }

    // Shows M01.
    @Test func deviceAndAdministratorPrecedeAProgramsSwitch() throws {
        let on = PolicyChange(PolicySubject(.advertising, of: mpv), isOff: false)
        let paused = try policy(on, PolicyChange(PolicySubject(.advertising), isOff: true))
        #expect(paused.obstacle(to: .advertising, of: mpv, wall: noon)?.subject == PolicySubject(.advertising))
        let forbidden = try policy(on, administrator: [PolicySubject(.advertising, of: mpv)])
        #expect(forbidden.obstacle(to: .advertising, of: mpv, wall: noon)?.isByAdministrator == true)
    }

    @Test func temporarilyDisabledProgramIsEnabledAgain() throws {
        let end = noon.advanced(by: .seconds(60))
        let policy = try policy(
            PolicyChange(PolicySubject(.advertising, of: mpv), isOff: false),
            PolicyChange(PolicySubject(.advertising, of: mpv), isOff: true, until: end))
        #expect(policy.obstacle(to: .advertising, of: mpv, wall: noon)?.until == end)
        #expect(policy.obstacle(to: .advertising, of: mpv, wall: end) == nil)
    }

    // Shows M01.
    @Test func programsSurviveTheFile() throws {
        let kept = try policy(
            PolicyChange(PolicySubject(.advertising, of: mpv), isOff: false),
            PolicyChange(PolicySubject(.receiving, of: mpv), isOff: true),
            PolicyChange(PolicySubject(.advertising, of: notes), isOff: true)
        ).user
        #expect(try PolicySwitches(encoded: kept.encoded()) == kept)
    }

    @Test(arguments: ["advertising com.example.notes on", "receiving system:mpv on", "advertising * on"])
    func onlyAProgramsAdvertisingIsSwitchedOn(line: String) {
        #expect(throws: WireError.self) { try PolicySwitches(encoded: Array("handoff-policy 1\n\(line)\n".utf8)) }
    }

    @Test func programsThatAreOnAreLimited() throws {
        var switches = PolicySwitches()
        func on(_ number: Int) throws -> PolicyChange {
            PolicyChange(PolicySubject(.advertising, of: try BundleID(systemProgram: "p\(number)")), isOff: false)
        }
        for number in 0..<PolicySwitches.maximumPrograms { try switches.apply(on(number), wall: noon) }
        try switches.apply(on(0), wall: noon)
        let more = try on(-1)
        #expect(throws: Failure.self) { try switches.apply(more, wall: noon) }
    }
}
