// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

@Suite struct AdvertisingServiceTests {
    private let laptop: DeviceFixture
    private let desktop: DeviceFixture
    private let editor = DeviceFixture.app("editor")

    init() throws {
        laptop = try DeviceFixture("laptop", apps: [editor, DeviceFixture.app("notes")])
        desktop = try DeviceFixture("desktop", number: 2, time: laptop.time, apps: [editor])
        laptop.join(desktop)
    }

    /// Shows B01: a new current activity is on the peer's list one message later.
    @Test func peersSeeWhatBecameCurrent() {
        let shown = desktop.watch()
        #expect(laptop.publish(1, by: laptop.run(editor), title: "Letter") == .done(accepted: true))
        let list = shown()
        #expect(list.map(\.count) == [0, 1])
        let activity = list.last?.first
        #expect(activity?.offer.activity == DeviceFixture.activity(1))
        #expect(activity?.offer.title?.text == "Letter")
        #expect(activity?.offer.appName.text == "editor")
        #expect(activity?.deviceName.text == "laptop")
        #expect(activity?.target == .app(editor.bundle))
        #expect(activity?.targetName.text == "editor")
        #expect(activity?.isFromThisDevice == false)
    }

    /// Shows B01: the delta is sent before anything else happens.
    @Test func deltaLeavesInTheSameInstant() {
        let app = laptop.run(editor)
        app.request(
            .advertising(.publish(Publication(activity: DeviceFixture.activity(1), type: DeviceFixture.editing))))
        let isSent = laptop.time.run(until: { laptop.sessions.sent.count == 2 }, within: .microseconds(20))
        #expect(isSent)
    }

    /// Shows B02, B13.
    @Test func peersSeeNothingAfterItWasWithdrawn() {
        let app = laptop.run(editor)
        laptop.publish(1, by: app)
        let shown = desktop.watch()
        #expect(laptop.answer(app, .advertising(.withdraw(DeviceFixture.activity(1)))) == .done(accepted: true))
        #expect(shown().map(\.count) == [1, 0])
        #expect(laptop.answer(app, .advertising(.withdraw(DeviceFixture.activity(1)))) == .done(accepted: true))
    }

    /// Shows B02.
    @Test func peersSeeNothingOfAnAppThatEnded() {
        let app = laptop.run(editor)
        laptop.publish(1, by: app)
        let shown = desktop.watch()
        app.close()
        laptop.settle()
        #expect(shown().map(\.count) == [1, 0])
        #expect(laptop.boards.ownOfferCount == 0)
    }

    /// Shows A17, B02.
    @Test func expiredActivityIsNotShown() {
        let app = laptop.run(editor)
        let shown = desktop.watch()
        laptop.publish(1, by: app, expires: .seconds(60))
        #expect(laptop.boards.ownOffer(DeviceFixture.activity(1)) != nil)
        laptop.time.advance(by: .seconds(61))
        #expect(shown().map(\.count) == [0, 1, 0])
        #expect(laptop.boards.ownOffer(DeviceFixture.activity(1)) == nil)
        #expect(laptop.publish(2, by: app, expires: .seconds(-1)) == .done(accepted: true))
        #expect(shown().count == 3)
    }

    /// Shows A17, Y02.
    @Test func activityExpiresSoonAfterASleep() {
        let shown = desktop.watch()
        laptop.publish(1, by: laptop.run(editor), expires: .seconds(3600))
        laptop.time.machineSleeps(for: .seconds(7200))
        laptop.time.advance(by: Instant.longestWait)
        #expect(shown().map(\.count) == [0, 1, 0])
        #expect(laptop.boards.ownOfferCount == 0)
    }

    /// Shows B14.
    @Test func secondActivityReplacesTheFirstInOneStep() {
        let app = laptop.run(editor)
        laptop.publish(1, by: app)
        let shown = desktop.watch()
        laptop.publish(2, by: app)
        #expect(shown().map(\.activities) == [[DeviceFixture.activity(1)], [DeviceFixture.activity(2)]])
    }

    /// Shows B03: not even in the receiver's own app with that name.
    @Test func activityOfAnotherTeamIsNotOffered() throws {
        let strangers = try DeviceFixture(
            "tablet", number: 3, time: laptop.time,
            apps: [DeviceFixture.app("editor", team: .made("ZZZZZ99999", key: 2))])
        laptop.join(strangers)
        laptop.publish(1, by: laptop.run(editor))
        #expect(strangers.list().isEmpty)
        let why = "editor supports this activity type but belongs to team ZZZZZ99999, not to team ABCDE12345"
        #expect(strangers.list(all: true).first?.target == .nothing(why))
    }

    /// Shows B04.
    @Test func activityOfAnUndeclaredTypeIsNotOffered() {
        laptop.publish(1, by: laptop.run(editor), type: DeviceFixture.reading)
        #expect(desktop.list().isEmpty)
        #expect(desktop.list(all: true).activities == [DeviceFixture.activity(1)])
    }

    /// Shows B05: one app's types, continued in several apps.
    @Test func typesOfOneAppGoToSeveral() throws {
        let reader = DeviceFixture.app("reader", types: [DeviceFixture.reading])
        desktop.catalog.installed.append(reader)
        _ = desktop.answer(desktop.script(), .launching(.reloadApps))
        laptop.publish(1, by: laptop.run(editor))
        laptop.publish(2, by: laptop.run(editor), type: DeviceFixture.reading)
        #expect(desktop.list().map(\.target) == [.app(reader.bundle), .app(editor.bundle)])
    }

    /// Shows G04.
    @Test func severalDevicesAndActivitiesAreListedNewestFirst() throws {
        let tablet = try DeviceFixture("tablet", number: 3, time: laptop.time, apps: [editor])
        tablet.join(desktop)
        laptop.publish(1, by: laptop.run(editor))
        tablet.publish(2, by: tablet.run(editor))
        laptop.publish(3, by: laptop.run(DeviceFixture.app("notes")))
        let list = desktop.list()
        #expect(list.activities == [DeviceFixture.activity(3), DeviceFixture.activity(2), DeviceFixture.activity(1)])
        #expect(list.map(\.deviceName.text) == ["laptop", "tablet", "laptop"])
        #expect(desktop.boards.peerOfferCount == 3)
        #expect(desktop.boards.peers(offering: DeviceFixture.activity(2)) == [tablet.member.device])
        #expect(desktop.boards.peerOffer(DeviceFixture.activity(2), on: tablet.member.device) != nil)
        #expect(desktop.boards.peerOffer(DeviceFixture.activity(2), on: laptop.member.device) == nil)
    }

    @Test func ownActivitiesAreListedOnlyWithAll() {
        laptop.publish(1, by: laptop.run(editor))
        #expect(laptop.list().isEmpty)
        let own = laptop.list(all: true).first
        #expect(own?.isFromThisDevice == true)
        #expect(own?.target == .nothing("it is on this device already"))
    }

    /// Shows B13.
    @Test func boardComesWithTheSessionAndGoesWithIt() {
        laptop.part(desktop)
        laptop.publish(1, by: laptop.run(editor))
        let shown = desktop.watch()
        laptop.join(desktop)
        laptop.part(desktop)
        #expect(shown().map(\.count) == [0, 1, 0])
        #expect(desktop.boards.peerOfferCount == 0)
    }

    @Test func missedChangeIsMadeUpFor() {
        let app = laptop.run(editor)
        let shown = desktop.watch()
        laptop.sessions.isDeaf = true
        laptop.publish(1, by: app)
        laptop.sessions.isDeaf = false
        laptop.publish(2, by: app)
        #expect(shown().map(\.activities) == [[], [DeviceFixture.activity(2)]])
    }

    @Test func busyAppDoesNotFloodAndItsNewestStateArrives() {
        let app = laptop.run(editor)
        let before = laptop.sessions.sent.count
        for number in 0..<200 {
            app.send(
                .advertising(
                    .publish(
                        Publication(
                            activity: DeviceFixture.activity(1), type: DeviceFixture.editing, title: title(number)))))
        }
        laptop.time.advance(by: .seconds(2))
        #expect(laptop.sessions.sent.count - before <= 8 + 1)
        #expect(desktop.list().first?.offer.title == title(199))
    }

    private func title(_ number: Int) -> DisplayText { DisplayText(cleaning: "draft \(number)") }

    @Test func watchIsToldOnlyWhatChanged() {
        let shown = desktop.watch()
        laptop.publish(1, by: laptop.run(editor), type: DeviceFixture.reading)
        // Another client connects and leaves, which does not change the list.
        desktop.script().close()
        desktop.settle()
        #expect(shown().count == 1)
    }

    @Test func slowReaderReceivesOnlyTheNewestList() {
        let app = laptop.run(editor)
        let client = desktop.script()
        let request = client.request(.advertising(.listActivities(watch: true, all: false)))
        desktop.settle()
        client.readsSlowly(true)
        for number in 1...9 as ClosedRange<UInt8> {
            laptop.publish(number, by: app)
            laptop.time.advance(by: .seconds(1))
        }
        #expect(client.answers(to: request).count == 1)
        client.readsSlowly(false)
        desktop.settle()
        let lists = client.answers(to: request)
        #expect(lists.count == 2)
        guard case .advertising(.activityList(let list))? = lists.last else { return #expect(Bool(false), "no list") }
        #expect(list == desktop.list())
    }

    @Test func installedAppBringsItsActivities() {
        laptop.publish(1, by: laptop.run(editor), type: DeviceFixture.reading)
        let shown = desktop.watch()
        desktop.catalog.installed.append(DeviceFixture.app("reader", types: [DeviceFixture.reading]))
        #expect(desktop.answer(desktop.script(), .launching(.reloadApps)) == .done(accepted: true))
        #expect(shown().map(\.count) == [0, 1])
    }

    @Test func activitiesOfARemovedAppGoWithIt() {
        laptop.publish(1, by: laptop.run(editor))
        laptop.catalog.installed = []
        _ = laptop.answer(laptop.script(), .launching(.reloadApps))
        #expect(desktop.list(all: true).isEmpty)
    }

    /// Shows L09.
    @Test func scriptOffersUnderThePersonalTeam() {
        laptop.publish(1, by: laptop.script())
        #expect(desktop.list().first?.offer.team == DeviceFixture.personal)
        #expect(desktop.list().first?.target == .script)
    }

    @Test func activityWithAWebPageCanBeOpenedAnywhere() {
        laptop.publish(1, by: laptop.run(editor), type: DeviceFixture.reading, page: true)
        #expect(desktop.list().first?.target == .webPage)
    }

    @Test func clientWatchesNoMoreThanItsLimit() {
        let client = desktop.script()
        for _ in 0..<AdvertisingService.watchesPerClient {
            client.request(.advertising(.listActivities(watch: true, all: true)))
        }
        let last = desktop.answer(client, .advertising(.listActivities(watch: true, all: true)))
        #expect(last == .failure(Failure(.limitReached, "")))
    }

    @Test func hostileTitleIsCleanedOnItsWay() {
        laptop.publish(1, by: laptop.run(editor), title: "Letter\u{202E}\u{7}\nto all")
        #expect(desktop.list().first?.offer.title?.text == "Letter to all")
    }

    @Test func activityOfAnotherAppCannotBeTakenOver() {
        laptop.publish(1, by: laptop.run(editor))
        let thief = laptop.run(DeviceFixture.app("notes"))
        #expect(laptop.publish(1, by: thief) == .failure(Failure(.notAllowed, "")))
        #expect(desktop.list().first?.offer.bundle == editor.bundle)
    }

    @Test func refusedActivityEndsTheAppsPreviousOne() {
        laptop.publish(1, by: laptop.run(editor))
        let notes = laptop.run(DeviceFixture.app("notes"))
        laptop.publish(2, by: notes)
        laptop.publish(1, by: notes)
        #expect(desktop.list(all: true).activities == [DeviceFixture.activity(1)])
    }

    @Test func publishWithoutRequestIsAnsweredOnlyIfRefused() {
        laptop.publish(1, by: laptop.run(editor))
        let notes = laptop.run(DeviceFixture.app("notes"))
        let before = notes.received.count
        notes.send(
            .advertising(.publish(Publication(activity: DeviceFixture.activity(2), type: DeviceFixture.editing))))
        laptop.settle()
        #expect(notes.received.count == before)
        notes.send(
            .advertising(.publish(Publication(activity: DeviceFixture.activity(1), type: DeviceFixture.editing))))
        laptop.settle()
        #expect(notes.received.dropFirst(before) == [LocalFrame(.failure(Failure(.notAllowed, "")))])
    }

    @Test func appThatComesIsFoundForWhatWasListedBefore() throws {
        let shown = desktop.watch(all: true)
        laptop.publish(1, by: laptop.run(editor))
        laptop.publish(2, by: laptop.run(DeviceFixture.app("notes")), type: DeviceFixture.reading)
        let reader = DeviceFixture.app("reader", types: [DeviceFixture.reading])
        desktop.catalog.installed.append(reader)
        _ = desktop.answer(desktop.script(), .launching(.reloadApps))
        #expect(shown().last?.map(\.target) == [.app(reader.bundle), .app(editor.bundle)])
    }
}

@Suite struct AdvertisingWithoutAccountTests {
    private let laptop: DeviceFixture
    private let program: TestClient

    init() throws {
        laptop = try DeviceFixture("laptop", apps: [], account: nil)
        program = laptop.listener.connect(executable: "/home/ann/build/draft")
        program.hello(LocalHello(role: .app, name: DisplayText(cleaning: "draft")))
        laptop.settle()
    }

    @Test func scriptReceivesAnErrorWithoutAnAccount() {
        #expect(laptop.publish(1, by: laptop.script()) == .failure(Failure(.noAccount, "")))
    }

    @Test func activityPublishedBeforeTheAccountIsOfferedLater() {
        #expect(laptop.publish(1, by: program) == .done(accepted: true))
        #expect(laptop.boards.ownOfferCount == 0)
        laptop.membership.account = DeviceFixture.account
        laptop.membership.members = [laptop.member]
        laptop.membership.changed()
        #expect(laptop.boards.ownOffer(DeviceFixture.activity(1))?.offer.team == DeviceFixture.personal)
    }

    @Test func withdrawnBeforeThereWasAnAccountStaysAway() {
        laptop.publish(1, by: program)
        _ = laptop.answer(program, .advertising(.withdraw(DeviceFixture.activity(1))))
        laptop.membership.account = DeviceFixture.account
        laptop.membership.changed()
        #expect(laptop.boards.ownOfferCount == 0)
    }
}
