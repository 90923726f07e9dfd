// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDesktop

/// The combined reports of sessions and screen savers. Shows L13.
@Suite final class AttendanceStateMachineTests {
    private static let saver = "org.example.ScreenSaver"
    private let fixture = LoginSession("2", .graphical)
    private var machine = AttendanceStateMachine(savers: [saver], now: .zero)

    private var word: PresenceWord? { machine.word }
    private var presence: Presence? { word?.presence }
    private var deadline: Instant? { machine.nextDeadline }

    private func said(_ sessions: [LoginSession], isCovered: Bool = false) -> Presence? {
        machine.sessionsRead(sessions)
        machine.saverSaid(Self.saver, isActive: isCovered)
        return presence
    }

    // MARK: The session in front

    @Test func foregroundSessionDecides() {
        #expect(said([fixture]) == .here)
        #expect(said([LoginSession("2", .graphical, isLocked: true)]) == .locked)
        #expect(said([LoginSession("2", .graphical, isIdle: true)]) == .idle)
        #expect(said([LoginSession("2", .graphical, isLocked: true, isIdle: true)]) == .locked)
        #expect(said([LoginSession("2", .graphical, isInFront: false)]) == .elsewhere)
        #expect(said([LoginSession("2", .graphical, isInFront: false, isLocked: true)]) == .elsewhere)
    }

    /// The user switched to a text screen, with the windows locked or not.
    @Test func oneAttendedSessionIsEnough() {
        let console = LoginSession("3", .text)
        #expect(said([LoginSession("2", .graphical, isInFront: false, isLocked: true), console]) == .here)
        let idle = LoginSession("3", .text, isIdle: true)
        #expect(said([LoginSession("2", .graphical, isInFront: false), idle]) == .idle)
        #expect(
            said([LoginSession("2", .graphical, isLocked: true), LoginSession("4", .graphical, isInFront: false)])
                == .locked)
    }

    /// A user who works over ssh is not at the locked desktop.
    @Test func remoteSessionIsIgnoredBesideDesktop() {
        let ssh = LoginSession("5", .remote)
        #expect(said([LoginSession("2", .graphical, isLocked: true), ssh]) == .locked)
        #expect(said([fixture, ssh]) == .here)
    }

    /// Without a screen, absence cannot be detected.
    @Test func withoutAScreenThereIsNothingToBeAwayFrom() {
        #expect(said([LoginSession("5", .remote, isIdle: true)]) == .here)
        #expect(said([]) == .here)
        #expect(word?.problem == nil)
    }

    @Test func sessionsAreWhatLogindSaysOfThem() {
        func kind(_ type: String, class sessionClass: String = "user", state: String = "active", seat: Bool = true)
            -> LoginSession.Kind?
        {
            LoginSession(
                "1", type: type, class: sessionClass, state: state, hasSeat: seat, isActive: true, isLocked: false,
                isIdle: false)?.kind
        }
        #expect(kind("wayland") == .graphical)
        #expect(kind("x11", seat: false) == .graphical, "a desktop shown elsewhere is one")
        #expect(kind("tty") == .text)
        #expect(kind("tty", seat: false) == .remote)
        #expect(kind("unspecified", seat: false) == .remote)
        #expect(kind("wayland", class: "user-early") == .graphical)
        #expect(kind("wayland", class: "greeter") == nil)
        #expect(kind("unspecified", class: "background", seat: false) == nil)
        #expect(kind("unspecified", class: "manager", seat: false) == nil)
        #expect(kind("wayland", state: "closing") == nil)
    }

    // MARK: Screen savers

    @Test func lockerOnSessionBusAloneIsRecognized() {
        #expect(said([fixture], isCovered: true) == .locked)
        machine.saverSaid(Self.saver, isActive: false)
        #expect(presence == .here)
        machine.saverSaid("org.example.Unknown", isActive: true)
        #expect(presence == .here)
    }

    @Test func aScreenSaverCoversGraphicalSessionsIfThereAreAny() {
        let console = LoginSession("3", .text)
        #expect(said([LoginSession("2", .graphical, isInFront: false), console], isCovered: true) == .here)
        // A manually started X server belongs to a text session.
        #expect(said([console], isCovered: true) == .locked)
        #expect(said([], isCovered: true) == .locked)
    }

    // MARK: Requests to lock

    @Test func lockRequestAppliesUntilLockerReports() {
        #expect(said([fixture]) == .here)
        machine.lockRequested("2", now: .at(.seconds(1)))
        #expect(presence == .locked)
        #expect(said([LoginSession("2", .graphical, isLocked: true)]) == .locked)
        #expect(said([fixture]) == .here, "unlocked again, before the request would have ended")
    }

    @Test func unconfirmedLockRequestExpires() {
        _ = said([fixture])
        machine.lockRequested("2", now: .at(.seconds(1)))
        #expect(deadline == .at(.seconds(1) + AttendanceLimits().lockRequest))
        machine.deadlineReached(now: .at(.seconds(11)))
        #expect(presence == .here)
    }

    @Test func aRequestIsOverWithUnlockWithTheSaverAndWithItsSession() {
        _ = said([fixture])
        machine.lockRequested("2", now: .at(.seconds(1)))
        machine.unlockRequested("2")
        #expect(presence == .here)
        machine.lockRequested("2", now: .at(.seconds(2)))
        machine.saverSaid(Self.saver, isActive: true)
        machine.saverSaid(Self.saver, isActive: false)
        #expect(presence == .here)
        machine.lockRequested("2", now: .at(.seconds(3)))
        #expect(said([LoginSession("7", .graphical)]) == .here)
        machine.lockRequested("nobody's", now: .at(.seconds(3)))
        #expect(
            deadline.map { $0 <= .at(AttendanceLimits().firstAnswers) } ?? true,
            "of one that is not there nothing is kept")
    }

    /// Only the locker knows that it has unlocked the screen.
    @Test func aRequestToUnlockOpensNoLock() {
        _ = said([LoginSession("2", .graphical, isLocked: true)])
        machine.unlockRequested("2")
        #expect(presence == .locked)
    }

    // MARK: Absent sources

    @Test func presenceIsUnknownUntilAllSourcesReport() {
        machine.sessionsRead([fixture])
        #expect(presence == nil)
        #expect(deadline == .at(AttendanceLimits().firstAnswers))
        machine.saverLost(Self.saver, now: .at(.seconds(1)))
        #expect(presence == .here)
        #expect(deadline == nil)
    }

    @Test func withoutLogindTheUserIsPresentAndItIsReported() {
        machine.deadlineReached(now: .at(.seconds(4)))
        #expect(presence == nil)
        machine.deadlineReached(now: .at(AttendanceLimits().firstAnswers))
        let problem = DisplayText(cleaning: "systemd-logind does not respond")
        #expect(word == PresenceWord(.here, problem: problem, missing: [.screenLock]))
        machine.sessionsRead([fixture])
        #expect(word == PresenceWord(.here), "it came late")
    }

    @Test func aRestartingLogindsLastAnswerIsKept() {
        _ = said([LoginSession("2", .graphical, isLocked: true)])
        machine.sessionsLost(now: .at(.seconds(100)))
        #expect(word == PresenceWord(.locked))
        machine.sessionsRead([LoginSession("2", .graphical, isLocked: true)])
        machine.deadlineReached(now: .at(.seconds(1000)))
        #expect(presence == .locked)
        machine.sessionsLost(now: .at(.seconds(1000)))
        machine.sessionsLost(now: .at(.seconds(1020)))
        #expect(deadline == .at(.seconds(1030)))
        machine.deadlineReached(now: .at(.seconds(1030)))
        #expect(word == PresenceWord(.here, problem: DisplayText(cleaning: "systemd-logind does not respond")))
    }

    @Test func aSaverThatDiesIsBelievedForAGraceTime() {
        _ = said([fixture], isCovered: true)
        machine.saverLost(Self.saver, now: .at(.seconds(100)))
        #expect(presence == .locked)
        machine.deadlineReached(now: .at(.seconds(130)))
        #expect(word == PresenceWord(.here))
    }

    /// The explanation fits into its place.
    @Test func tooManySessionsAreReported() {
        let limit = AttendanceLimits().sessions
        let idle = (0..<limit).map { LoginSession("\($0)", .text, isIdle: true) }
        #expect(said(idle) == .idle)
        #expect(word?.problem == nil)
        #expect(said(idle + [fixture]) == .idle)
        #expect(word?.problem?.text == "only \(limit) sessions are checked")
    }

    @Test func limitsAreOfAHumanSize() {
        let limits = AttendanceLimits()
        #expect(limits.grace > limits.firstAnswers * 2)
        #expect(limits.lockRequest >= .seconds(5) && limits.lockRequest <= limits.grace)
        #expect((16...256).contains(limits.sessions))
    }
}
