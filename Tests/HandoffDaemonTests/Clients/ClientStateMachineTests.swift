// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

@Suite struct ClientStateMachineTests {
    private let hello = LocalHello(role: .control, name: DisplayText(cleaning: "script"))

    private func openMachine() -> ClientStateMachine<String> {
        var machine = ClientStateMachine<String>(now: .zero)
        _ = machine.frameReceived(LocalFrame(.hello(hello), request: 1))
        _ = machine.admitted()
        return machine
    }

    @Test func helloComesFirst() {
        var machine = ClientStateMachine<String>(now: .zero)
        #expect(
            machine.frameReceived(LocalFrame(.hello(hello), request: 4)) == .identify(hello, version: 1, request: 4))
        _ = machine.admitted()
        #expect(
            machine.frameReceived(LocalFrame(.launching(.listApps), request: 5))
                == .handle(.launching(.listApps), request: 5))
    }

    @Test func framesAfterHelloWaitForAdmission() {
        var machine = ClientStateMachine<String>(now: .zero)
        _ = machine.frameReceived(LocalFrame(.hello(hello), request: 1))
        let frames = (2..<UInt64(2 + ClientLimits().heldFrames)).map { LocalFrame(.launching(.listApps), request: $0) }
        for frame in frames { #expect(machine.frameReceived(frame) == .ignore) }
        let (deadline, isOpen) = (machine.nextDeadline, machine.isOpen)
        #expect(deadline == nil && !isOpen)
        let held = machine.admitted()
        #expect(held == frames)
        #expect(machine.frameReceived(held[0]) == .handle(.launching(.listApps), request: 2))
    }

    @Test func moreThanMayWaitIsRefused() {
        var machine = ClientStateMachine<String>(now: .zero)
        _ = machine.frameReceived(LocalFrame(.hello(hello), request: 1))
        for _ in 0..<ClientLimits().heldFrames {
            _ = machine.frameReceived(LocalFrame(.launching(.listApps), request: 2))
        }
        #expect(
            machine.frameReceived(LocalFrame(.launching(.listApps), request: 9))
                == .refuse(Failure(.limitReached, ""), request: 9))
        #expect(machine.frameReceived(LocalFrame(.launching(.listApps), request: 10)) == .ignore)
        let held = machine.admitted()
        #expect(held.isEmpty)
    }

    @Test func anythingBeforeTheHelloIsRefused() {
        var machine = ClientStateMachine<String>(now: .zero)
        #expect(
            machine.frameReceived(LocalFrame(.launching(.listApps), request: 3))
                == .refuse(Failure(.malformed, ""), request: 3))
        #expect(machine.frameReceived(LocalFrame(.hello(hello), request: 4)) == .ignore)
    }

    /// Shows Y07.
    @Test(arguments: [0...0, 2...9] as [ClosedRange<UInt32>])
    func versionsOutsideTheRangeAreRefusedByName(versions: ClosedRange<UInt32>) {
        var machine = ClientStateMachine<String>(now: .zero)
        let stranger = LocalHello(versions: versions, role: .control, name: DisplayText(cleaning: "old"))
        #expect(
            machine.frameReceived(LocalFrame(.hello(stranger), request: 1))
                == .refuse(Failure(.versionUnsupported, ""), request: 1))
    }

    /// Shows Y07.
    @Test func newerClientThatStillSpeaksThisVersionIsTaken() {
        var machine = ClientStateMachine<String>(now: .zero)
        let newer = LocalHello(versions: 1...7, role: .control, name: DisplayText(cleaning: "new"))
        #expect(
            machine.frameReceived(LocalFrame(.hello(newer), request: 1)) == .identify(newer, version: 1, request: 1))
    }

    @Test func rangeTheWrongWayRoundIsRefused() {
        var machine = ClientStateMachine<String>(now: .zero)
        var reversed = hello
        reversed.minimumVersion = 3
        #expect(
            machine.frameReceived(LocalFrame(.hello(reversed))) == .refuse(Failure(.versionUnsupported, ""), request: 0)
        )
    }

    @Test func secondHelloIsRefused() {
        var machine = openMachine()
        _ = machine.requested(by: "ann", deadline: .at(.seconds(1)))
        #expect(
            machine.frameReceived(LocalFrame(.hello(hello), request: 9)) == .refuse(Failure(.malformed, ""), request: 9)
        )
        #expect(machine.closed() == ["ann"])
    }

    @Test func clientThatSaysNothingIsGivenUp() {
        var machine = ClientStateMachine<String>(now: .zero)
        let deadline = machine.nextDeadline
        #expect(deadline == .at(.seconds(10)))
        #expect(machine.deadlineReached(now: .at(.seconds(9))) == .giveUp([]))
        #expect(machine.deadlineReached(now: .at(.seconds(10))) == .refuse(Failure(.malformed, "")))
    }

    @Test func answersGoToThoseWhoAsked() {
        var machine = openMachine()
        let first = machine.requested(by: "ann", deadline: .at(.seconds(1))) ?? 0
        let second = machine.requested(by: "bob", deadline: .at(.seconds(1))) ?? 0
        let done = LocalMessage.done(accepted: true)
        #expect(machine.frameReceived(LocalFrame(done, answer: second)) == .complete("bob", done))
        #expect(machine.frameReceived(LocalFrame(done, answer: first)) == .complete("ann", done))
    }

    @Test func staleAndInventedAnswersAreIgnored() {
        var machine = openMachine()
        let request = machine.requested(by: "ann", deadline: .at(.seconds(1))) ?? 0
        let deadline = machine.nextDeadline
        #expect(deadline == .at(.seconds(1)))
        #expect(machine.deadlineReached(now: .at(.seconds(1))) == .giveUp(["ann"]))
        #expect(machine.frameReceived(LocalFrame(.done(accepted: true), answer: request)) == .ignore)
        #expect(machine.frameReceived(LocalFrame(.done(accepted: true), answer: 4711)) == .ignore)
        let next = machine.nextDeadline
        #expect(next == nil)
    }

    @Test func thoseWhoWaitLearnThatTheClientLeft() {
        var machine = openMachine()
        _ = machine.requested(by: "ann", deadline: .at(.seconds(1)))
        _ = machine.requested(by: "bob", deadline: .at(.seconds(1)))
        #expect(machine.closed() == ["ann", "bob"])
        #expect(machine.closed() == [])
        #expect(machine.requested(by: "cy", deadline: .at(.seconds(1))) == nil)
        #expect(machine.frameReceived(LocalFrame(.launching(.listApps), request: 1)) == .ignore)
    }
}

@Suite struct ClientIdentityTests {
    private let editor = try! BundleID("com.example.editor")
    private let reader = try! BundleID("com.example.reader")
    /// Apps with desktop entries.
    private let notes = try! BundleID("com.example.notes")
    private let music = try! BundleID("com.example.music")

    private func identity(
        role: ClientRole = .app, claimed: BundleID? = nil, redeemed: BundleID? = nil, owner: ProgramOwner = .nobody,
        names: [String]? = nil
    ) -> ClientIdentity {
        let team = DeveloperTeam.made("ABCDE12345")
        let signers: [BundleID: AppSigner] = [
            editor: .team(team, name: DisplayText(cleaning: "Editors")), reader: .development, notes: .entry,
            music: .entry,
        ]
        let caller = names.map {
            BusCaller(processID: 7, file: .init(path: "/usr/bin/python3", device: 1, inode: 2), names: $0)
        }
        let hello = LocalHello(role: role, bundle: claimed, name: DisplayText(cleaning: "Editor"), caller: caller)
        return .of(hello, redeemed: redeemed, owner: owner) { bundle in
            signers[bundle].map {
                InstalledApp(bundle: bundle, name: hello.name, signer: $0, activityTypes: [], path: "", executable: "")
            }
        }
    }

    /// Shows T09.
    @Test func launchTokenOrExecutableTellsTheApp() {
        #expect(identity(redeemed: editor) == .app(editor))
        #expect(identity(claimed: editor, owner: .app(editor)) == .app(editor))
        // An app whose executable is a script runs in an interpreter, so its token identifies it.
        #expect(identity(redeemed: editor, owner: .app(reader)) == .app(editor))
    }

    /// Shows T09.
    @Test func claimThatDoesNotMatchIsRefused() {
        let refused = ClientIdentity.refused(Failure(.notAllowed, ""))
        #expect(identity(claimed: editor) == refused)
        #expect(identity(claimed: editor, owner: .app(reader)) == refused)
        #expect(identity(claimed: editor, redeemed: reader) == refused)
    }

    /// Shows T09.
    @Test func alteredExecutableIsRefused() {
        let refused = ClientIdentity.refused(Failure(.notAllowed, ""))
        #expect(identity(claimed: editor, owner: .altered(editor)) == refused)
        #expect(identity(owner: .altered(editor)) == refused)
    }

    /// Shows L02, T09.
    @Test func aNameOnTheBusTellsTheAppOfADesktopEntry() {
        #expect(identity(claimed: notes, names: ["com.example.notes"]) == .app(notes))
        #expect(identity(names: ["org.other", "com.example.notes"]) == .app(notes))
        #expect(identity(claimed: notes, names: ["com.example.music", "com.example.notes"]) == .app(notes))
        // The bus name is sufficient, although the executable belongs to another app.
        #expect(identity(claimed: notes, owner: .app(music), names: ["com.example.notes"]) == .app(notes))
        #expect(identity(owner: .app(music), names: ["com.example.notes"]) == .app(music))
    }

    /// Shows T09: any program may own any name.
    @Test func aNameOnTheBusTellsNoBundle() {
        let refused = ClientIdentity.refused(Failure(.notAllowed, ""))
        for bundle in [editor, reader] {
            #expect(identity(claimed: bundle, names: [bundle.name]) == refused)
            #expect(identity(names: [bundle.name]) == .unregistered)
        }
        #expect(identity(claimed: editor, owner: .altered(editor), names: ["com.example.editor"]) == refused)
    }

    /// Shows L02, T09.
    @Test func aProgramThatNothingShowsToBeTheAppOfItsEntryIsRefusedWithTheReason() {
        for names in [nil, [], ["com.example.music"]] {
            guard case .refused(let failure) = identity(claimed: notes, names: names) else {
                Issue.record("taken")
                continue
            }
            #expect(failure.code == .notAllowed)
            #expect(failure.reason.hasPrefix("this program cannot prove that it is com.example.notes"))
        }
    }

    @Test func aProgramWithTheNamesOfTwoAppsHasToSayWhichItIs() {
        let names = ["com.example.music", "com.example.notes"]
        #expect(identity(names: names) == .refused(Failure(.notAllowed, "")))
        #expect(identity(claimed: music, names: names) == .app(music))
    }

    @Test func programUnderDevelopmentIsNotAnApp() throws {
        #expect(identity() == .unregistered)
        #expect(identity(claimed: try BundleID("com.example.unknown")) == .unregistered)
    }

    @Test func controlClientIsNeverAnApp() {
        #expect(identity(role: .control, claimed: editor, redeemed: editor, owner: .app(editor)) == .control)
    }

    @Test func unknownRoleIsRefused() {
        #expect(identity(role: .unspecified) == .refused(Failure(.malformed, "")))
    }
}
