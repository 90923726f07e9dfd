// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// The offers while a part of the desktop reports that the user is away. Shows L13, B02.
@Suite struct PresenceServiceTests {
    private let editor = DeviceFixture.app("editor")
    private let viewer = DeviceFixture.app("viewer")
    private let laptop: DeviceFixture
    private let desktop: DeviceFixture
    private let watcher: TestClient

    init() throws {
        laptop = try DeviceFixture("laptop", apps: [editor, viewer])
        desktop = try DeviceFixture("desktop", number: 2, time: laptop.time, apps: [editor, viewer])
        laptop.join(desktop)
        watcher = laptop.script()
    }

    @discardableResult
    private func say(_ presence: Presence, problem: String? = nil, by client: TestClient? = nil) -> LocalMessage? {
        let word = PresenceWord(presence, problem: problem.map { DisplayText(cleaning: $0) })
        return laptop.answer(client ?? watcher, .presence(.setPresence(word)))
    }

    private func browser() -> TestClient {
        let client = laptop.listener.connect(executable: "/usr/bin/firefox")
        client.hello(LocalHello(role: .browser, name: DisplayText(cleaning: "Firefox")))
        laptop.settle()
        return client
    }

    private func facts() -> [Fact] {
        guard case .status(.status(let status))? = laptop.answer(laptop.script(), .status(.getStatus)) else {
            return []
        }
        return status.facts.filter { $0.name.hasPrefix("presence") }
    }

    @Test(arguments: [Presence.locked, .idle, .elsewhere])
    func absenceWithdrawsOffersUntilTheUserReturns(reason: Presence) {
        laptop.publish(1, by: laptop.run(editor), title: "Letter")
        laptop.time.advance(by: .seconds(1))
        laptop.publish(2, by: laptop.script())
        laptop.time.advance(by: .seconds(1))
        laptop.publish(3, by: browser(), type: .browsingWeb, page: true)
        let before = desktop.list(all: true)
        #expect(before.activities == [DeviceFixture.activity(3), DeviceFixture.activity(2), DeviceFixture.activity(1)])
        let shown = desktop.watch(all: true)

        #expect(say(reason) == .done(accepted: true))
        #expect(shown().last?.activities == [DeviceFixture.activity(2)], "what a script holds stays")
        #expect(laptop.list(all: true).activities == [DeviceFixture.activity(2)])
        laptop.time.advance(by: .seconds(3600))
        #expect(desktop.list(all: true).activities == [DeviceFixture.activity(2)])

        say(.here)
        #expect(desktop.list(all: true) == before, "the same order, the same times")
        #expect(shown().count == 3, "in one step each")
    }

    /// A program under development is an app, installed or not.
    @Test func aProgramUnderDevelopmentIsWithdrawnLikeAnApp() {
        let program = laptop.listener.connect(executable: "/home/user/a.out")
        program.hello(LocalHello(role: .app, name: DisplayText(cleaning: "a.out")))
        laptop.settle()
        laptop.publish(1, by: program)
        say(.locked)
        #expect(desktop.list(all: true).isEmpty)
    }

    @Test func absenceWithdrawsSavedOffersUntilTheUserReturns() {
        let app = laptop.runSaving(editor)
        laptop.publish(1, by: app)
        laptop.time.advance(by: .seconds(3))
        say(.locked)
        app.close()
        laptop.time.advance(by: .seconds(60))
        #expect(desktop.list(all: true).isEmpty)
        say(.here)
        let list = desktop.list(all: true)
        #expect(list.activities == [DeviceFixture.activity(1)])
        #expect(list.first?.offer.saved != nil)
    }

    @Test func activityPublishedDuringAbsenceIsOfferedLater() {
        let app = laptop.run(editor)
        say(.idle)
        #expect(laptop.publish(1, by: app) == .done(accepted: true), "an app need not know")
        #expect(laptop.publish(2, by: laptop.script()) == .done(accepted: true))
        #expect(desktop.list(all: true).activities == [DeviceFixture.activity(2)])
        say(.here)
        #expect(Set(desktop.list(all: true).activities) == [DeviceFixture.activity(1), DeviceFixture.activity(2)])
    }

    @Test func aDeviceThatConnectsWhileLockedSeesNoActivity() {
        laptop.publish(1, by: laptop.run(editor))
        say(.locked)
        laptop.part(desktop)
        laptop.join(desktop)
        #expect(desktop.list(all: true).isEmpty)
        say(.here)
        #expect(desktop.list().activities == [DeviceFixture.activity(1)])
    }

    /// Nothing else restores a withdrawn offer or changes its place.
    @Test func togglingASwitchDoesNotEndAbsence() {
        laptop.publish(1, by: laptop.run(editor))
        laptop.time.advance(by: .seconds(1))
        laptop.publish(2, by: laptop.run(viewer))
        let before = desktop.list(all: true)
        say(.locked)
        for isOff in [true, false] {
            let change = PolicyChange(PolicySubject(.receiving, of: editor.bundle), isOff: isOff)
            _ = laptop.answer(laptop.script(), .policy(.setPolicy(change)))
            #expect(desktop.list(all: true).isEmpty)
        }
        say(.here)
        #expect(desktop.list(all: true) == before)
    }

    /// A user who returns may continue another device's activity here.
    @Test func absenceKeepsOffersOfOtherDevicesListed() {
        desktop.publish(1, by: desktop.run(editor))
        say(.locked)
        #expect(laptop.list().activities == [DeviceFixture.activity(1)])
    }

    // MARK: Sources

    @Test func theWordEndsWithItsConnectionAndAGraceTime() {
        laptop.publish(1, by: laptop.run(editor))
        say(.locked)
        watcher.close()
        laptop.time.advance(by: PresenceStateMachine.grace - .seconds(1))
        #expect(
            desktop.list(all: true).isEmpty, "whoever said it may have crashed, and the screen is as locked as before")
        laptop.time.advance(by: .seconds(2))
        #expect(desktop.list().activities == [DeviceFixture.activity(1)])
    }

    @Test func replacementWatcherIsTrustedImmediately() {
        laptop.publish(1, by: laptop.run(editor))
        say(.locked)
        watcher.close()
        laptop.settle()
        let next = laptop.script()
        #expect(desktop.list(all: true).isEmpty, "and not before it spoke")
        say(.here, by: next)
        #expect(desktop.list().activities == [DeviceFixture.activity(1)])
        say(.locked, by: next)
        laptop.time.advance(by: PresenceStateMachine.grace * 2)
        #expect(desktop.list(all: true).isEmpty)
    }

    @Test(arguments: [ClientRole.app, .browser])
    func onlyTheUsersOwnToolsMaySayIt(role: ClientRole) {
        let client = laptop.listener.connect(executable: editor.executable)
        client.hello(LocalHello(role: role, name: DisplayText(cleaning: "somebody")))
        laptop.settle()
        laptop.publish(1, by: laptop.run(viewer))
        #expect(say(.locked, by: client) == .failure(Failure(.notAllowed, "")))
        #expect(desktop.list().activities == [DeviceFixture.activity(1)])
    }

    @Test func statusSaysIt() {
        #expect(facts() == [Fact("presence", .text(DisplayText(cleaning: "unwatched")))])
        say(.locked)
        #expect(facts() == [Fact("presence", .text(DisplayText(cleaning: "locked")))])
        say(.here, problem: "systemd-logind does not respond")
        #expect(
            facts() == [
                Fact("presence", .text(DisplayText(cleaning: "here"))),
                Fact("presenceProblem", .text(DisplayText(cleaning: "systemd-logind does not respond"))),
            ])
    }
}
