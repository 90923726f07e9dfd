// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import Testing

@testable import HandoffCommand

@Suite struct NoActivitiesTests {
    private var status = DaemonStatus()

    init() {
        status.account = AccountID(uncheckedBytes: [UInt8](repeating: 1, count: 32))
        status.devicesKnown = 3
        status.devicesConnected = 1
    }

    private func sentence(all: Bool = false, _ change: (inout DaemonStatus) -> Void = { _ in }) -> String {
        var status = status
        change(&status)
        return NoActivities(status: status, all: all).sentence
    }

    @Test(arguments: [false, true]) func theNearestReasonIsGiven(all: Bool) {
        #expect(sentence(all: all) == "no activities: your other devices offer nothing now")
        #expect(
            sentence(all: all) { $0.devicesConnected = 0 } == "no activities: no other device of yours is connected")
        let alone = sentence(all: all) { ($0.devicesConnected, $0.devicesKnown) = (0, 1) }
        #expect(alone == "no activities: this account has no other device; add one with handoff account invite")
        let outside = sentence(all: all) { ($0.account, $0.devicesConnected, $0.devicesKnown) = (nil, 0, 0) }
        #expect(outside.contains("this device is not in an account yet"))
        #expect(
            sentence(all: all) { $0.policy.problem = "the file is damaged" } == "no activities: the file is damaged")
    }

    @Test func disabledReceivingIsReported() {
        let off = sentence { $0.policy.off = [PolicySwitch(PolicySubject(.receiving), isByAdministrator: true)] }
        #expect(off == "no activities: receiving is switched off, by the administrator")
        // With --all, its effect is a line in the list.
        let all = sentence(all: true) { $0.policy.off = [PolicySwitch(PolicySubject(.receiving))] }
        #expect(all == "no activities: your other devices offer nothing now")
        // A switch for one app does not explain an empty list.
        let app = sentence {
            $0.policy.off = [PolicySwitch(PolicySubject(.receiving, of: try? BundleID("com.example.notes")))]
        }
        #expect(app == "no activities: your other devices offer nothing now")
        #expect(sentence { $0.policy.off = [PolicySwitch(PolicySubject(.advertising))] } == sentence())
    }

    @Test func activitiesThatCannotContinueHereAreMentioned() {
        #expect(sentence { $0.activitiesOffered = 2 }.hasSuffix("run handoff activity list --all to see why"))
        let all = sentence(all: true) { $0.policy.off = [PolicySwitch(PolicySubject(.advertising))] }
        #expect(all == "no activities: your other devices offer nothing, and here advertising is switched off")
    }
}
