// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// Which report about the user is valid. Shows L13.
@Suite final class PresenceStateMachineTests {
    private let desktop: ClientID = 1
    private let other: ClientID = 2
    private var machine = PresenceStateMachine()
    private var word: PresenceWord? { machine.word }
    private var presence: Presence? { word?.presence }
    private var deadline: Instant? { machine.nextDeadline }

    @Test func presenceIsUnknownUntilReported() {
        #expect(presence == nil)
        machine.said(PresenceWord(.locked), by: desktop)
        #expect(presence == .locked)
        machine.said(PresenceWord(.here), by: desktop)
        #expect(presence == .here)
    }

    /// A locked device must show nothing while the part that watches it restarts.
    @Test func reportOfCrashedClientAppliesForGracePeriod() {
        machine.said(PresenceWord(.locked), by: desktop)
        machine.clientClosed(desktop, now: .at(.seconds(100)))
        #expect(presence == .locked)
        #expect(deadline == .at(.seconds(130)))
        machine.deadlineReached(now: .at(.seconds(129)))
        #expect(presence == .locked)
        machine.deadlineReached(now: .at(.seconds(130)))
        #expect(presence == nil, "and is forgotten: a device is not silent for good since something crashed")
        #expect(deadline == nil)
    }

    @Test func reportDuringGracePeriodAppliesAtOnce() {
        machine.said(PresenceWord(.locked), by: desktop)
        machine.clientClosed(desktop, now: .at(.seconds(100)))
        machine.said(PresenceWord(.here), by: other)
        #expect(presence == .here)
        #expect(deadline == nil)
        machine.clientClosed(other, now: .at(.seconds(101)))
        machine.deadlineReached(now: .at(.seconds(131)))
        #expect(presence == nil)
    }

    @Test func hereOverridesAbsenceReports() {
        machine.said(PresenceWord(.here), by: other)
        machine.said(PresenceWord(.idle), by: desktop)
        #expect(presence == .here)
        machine.clientClosed(other, now: .zero)
        #expect(presence == .idle, "those who are there speak for themselves")
        #expect(deadline == nil)
    }

    @Test func latestReasonForAbsenceApplies() {
        machine.said(PresenceWord(.locked), by: desktop)
        machine.said(PresenceWord(.elsewhere, problem: DisplayText(cleaning: "half blind")), by: other)
        #expect(word == PresenceWord(.elsewhere, problem: DisplayText(cleaning: "half blind")))
        machine.said(PresenceWord(.locked), by: desktop)
        #expect(presence == .locked)
    }

    @Test func silentClientLeavesNoReport() {
        machine.clientClosed(other, now: .zero)
        #expect(presence == nil)
        machine.said(PresenceWord(.locked), by: desktop)
        machine.clientClosed(other, now: .zero)
        #expect(presence == .locked)
        #expect(deadline == nil)
    }

    /// A restarted source has reported, or is known to be absent, before the last report expires.
    @Test func theGraceTimeIsLongerThanAStart() {
        #expect(PresenceStateMachine.grace <= .seconds(60))
    }
}
