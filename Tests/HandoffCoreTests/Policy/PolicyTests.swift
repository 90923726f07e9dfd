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
}
