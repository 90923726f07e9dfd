// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// Shows W04: whole devices on in-memory adapters, a laptop that sends and a desktop that receives.
@Suite struct SendingServiceTests {
    private let laptop: DeviceFixture
    private let desktop: DeviceFixture
    private let editor = DeviceFixture.app("editor")
    private let app: TestClient
    private let letter = DeviceFixture.activity(1)

    init() throws {
        laptop = try DeviceFixture("laptop", apps: [editor])
        desktop = try DeviceFixture("desktop", number: 2, time: laptop.time, apps: [editor])
        laptop.join(desktop)
        app = laptop.runSaving(editor)
        laptop.publish(1, by: app, title: "Letter", streams: true)
    }

    // MARK: Steps

    private func send(_ activity: ActivityID? = nil, to name: String = "desktop") -> Result<SendReport, Failure> {
        switch laptop.answer(laptop.script(), .sending(.sendActivity(activity ?? letter, to: name))) {
        case .sending(.sendList(let list))? where list.count == 1: .success(list[0])
        case .failure(let failure)?: .failure(failure)
        case let other: .failure(Failure(.internal, "\(String(describing: other))"))
        }
    }

    private func failure(_ result: Result<SendReport, Failure>) -> Failure.Code? {
        if case .failure(let failure) = result { failure.code } else { nil }
    }

    private func waiting(at fixture: DeviceFixture) -> [SendReport] {
        guard case .sending(.sendList(let list))? = fixture.answer(fixture.script(), .sending(.listSends)) else {
            return []
        }
        return list
    }

    private var sentHere: [ListedActivity] { desktop.list(all: true).filter(\.isSent) }

    private func go(on fixture: DeviceFixture, _ activity: ListedActivity) -> LocalMessage? {
        let client = fixture.script()
        let request = client.request(
            .continuation(
                .startContinuation(StartContinuation(activity: activity.offer.activity, device: activity.device))))
        fixture.time.advance(by: .seconds(1))
        return client.answers(to: request).last
    }

    private func runReader(on fixture: DeviceFixture) -> TestClient {
        let client = fixture.run(editor)
        client.onFrame = { [weak client] frame in
            switch frame.message {
            case .continuation(.willContinue), .continuation(.continueActivity):
                client?.answer(frame.request, .done(accepted: true))
            default: break
            }
        }
        return client
    }

    private func states(_ client: TestClient) -> [ActivityState] {
        client.messages.compactMap {
            if case .continuation(.continueActivity(_, let state, _)) = $0 { state } else { nil }
        }
    }

    // MARK: The tests

    @Test func aConnectedDeviceContinuesASendWithoutItsOrigin() throws {
        let report = try send().get()
        #expect(report.standing == .taken)
        #expect(report.deviceName.text == "desktop")
        #expect(waiting(at: laptop).isEmpty)

        laptop.part(desktop)
        let shown = try #require(sentHere.first)
        #expect(sentHere.count == 1)
        #expect(shown.device == laptop.member.device)
        #expect(shown.target == .app(editor.bundle))
        #expect(shown.offer.title?.text == "Letter")
        #expect(shown.offer.activity != letter)
        #expect(!shown.offer.supportsStreams)

        let reader = runReader(on: desktop)
        guard case .continuation(.outcome(let outcome))? = go(on: desktop, shown) else {
            Issue.record("it does not go on")
            return
        }
        #expect(outcome.how == .app(editor.bundle))
        #expect(states(reader).map(\.title) == ["save 1"])
        #expect(states(reader).map(\.supportsStreams) == [false])
        #expect(sentHere.isEmpty)
    }

    // Shows Y02.
    @Test func sendsExpireSoonAfterASleepAtBothEnds() throws {
        #expect(try send().get().standing == .taken)
        laptop.part(desktop)
        #expect(try send().get().standing != .taken)
        #expect(waiting(at: laptop).count == 1)
        let shown = desktop.watch()
        #expect(shown().last?.count == 1)
        laptop.time.machineSleeps(for: .seconds(30 * 86400))
        laptop.time.advance(by: Instant.longestWait)
        #expect(waiting(at: laptop).isEmpty)
        #expect(shown().last?.isEmpty == true)
    }

    @Test func beforeTheUserSaidSoNothingLeaves() {
        #expect(!laptop.sessions.sent.contains { if case .sending = $0 { true } else { false } })
        #expect(failure(send(to: "tablet")) == .noSuchDevice)
        #expect(failure(send(to: "laptop")) == .notAllowed)
        #expect(failure(send(DeviceFixture.activity(9))) == .activityGone)
        #expect(!laptop.sessions.sent.contains { if case .sending = $0 { true } else { false } })
    }

    private func browser() -> TestClient {
        let client = laptop.listener.connect(executable: "/usr/libexec/handoff-browser-host")
        client.hello(LocalHello(role: .browser, name: DisplayText(cleaning: "Firefox")))
        laptop.settle()
        return client
    }

    @Test func browserSendsAPageThatItDoesNotOffer() throws {
        let page = ActivityState(type: .browsingWeb, title: "Weather", webpageURL: "https://weather.example/")
        guard case .sending(.sendList(let list))? = laptop.answer(browser(), .sending(.sendPage(page, to: "desktop")))
        else {
            Issue.record("not sent")
            return
        }
        #expect(list.map(\.standing) == [.taken])
        let shown = try #require(sentHere.first)
        #expect(shown.offer.title?.text == "Weather")
        #expect(shown.offer.appName.text == "Firefox")
        #expect(shown.offer.webHost?.name == "weather.example")
        #expect(shown.target == .webPage)
        #expect(!desktop.list(all: true).contains { $0.offer.title?.text == "Weather" && !$0.isSent })
    }

    @Test(arguments: [("com.example.letter", "https://a.example/"), ("NSUserActivityTypeBrowsingWeb", "file:///etc/a")])
    func browserSendsNothingButWebPages(type: String, url: String) throws {
        let page = ActivityState(type: try ActivityType(type), webpageURL: url)
        guard case .failure(let failure)? = laptop.answer(browser(), .sending(.sendPage(page, to: "desktop"))) else {
            Issue.record("sent")
            return
        }
        #expect(failure.code == .notAllowed)
        #expect(sentHere.isEmpty)
    }

    @Test func sendingWithoutAnAccountFails() throws {
        let alone = try DeviceFixture("alone", number: 9, time: laptop.time, account: nil)
        guard case .failure(let failure)? = alone.answer(alone.script(), .sending(.sendActivity(letter, to: "desktop")))
        else {
            Issue.record("no failure")
            return
        }
        #expect(failure.code == .noAccount)
    }

    @Test func itGoesWhenTheDeviceIsBack() throws {
        laptop.part(desktop)
        let report = try send().get()
        #expect(report.standing == .waiting(problem: nil))
        #expect(waiting(at: laptop) == [report])
        #expect(laptop.store.files["sending-\(report.offer.activity.hex)"] != nil)
        #expect(sentHere.isEmpty)
        laptop.join(desktop)
        #expect(sentHere.map(\.offer.activity) == [report.offer.activity])
        #expect(waiting(at: laptop).isEmpty)
        #expect(!laptop.store.files.keys.contains { $0.hasPrefix("sending-") })
    }

    /// Activities on the disk of a device that now starts in another account, or in none, have no owner there.
    @Test func sentActivityOfANonMemberIsDeletedAtStartup() throws {
        _ = try send().get()
        let store = MemoryStateStore()
        store.files = desktop.store.files
        #expect(store.files.keys.contains { $0.hasPrefix("received-") })
        let other = try DeviceFixture("desktop", number: 2, time: laptop.time, apps: [editor], store: store)
        #expect(other.list(all: true).isEmpty)
        #expect(!store.files.keys.contains { $0.hasPrefix("received-") })
    }

    /// On the laptop; it answers every request to save with this state.
    private func script(saving state: ActivityState) -> TestClient {
        let script = laptop.script()
        script.onFrame = { [weak script] frame in
            guard case .advertising(.save) = frame.message else { return }
            script?.answer(frame.request, .advertising(.saved(state, saving: .zero)))
        }
        return script
    }

    @Test func aScriptsActivityIsSentToo() throws {
        let script = script(saving: ActivityState(type: DeviceFixture.reading, title: "page 7", supportsStreams: true))
        laptop.publish(2, by: script, type: DeviceFixture.reading)
        #expect(try send(DeviceFixture.activity(2)).get().standing == .taken)
        laptop.part(desktop)
        let shown = try #require(sentHere.first)
        #expect(shown.target == .script)
        guard case .continuation(.outcome(let outcome))? = go(on: desktop, shown), case .state(let state) = outcome.how
        else {
            Issue.record("no state")
            return
        }
        #expect(state.title == "page 7")
        // It exists nowhere else, and the recipient may be unable to use it, so only the user dismisses it.
        #expect(sentHere == [shown])
        #expect(
            desktop.answer(desktop.script(), .sending(.dismissSent(shown.offer.activity, from: shown.device)))
                == .done(accepted: true))
        #expect(sentHere.isEmpty)
    }

    @Test func anotherTeamsAppDoesNotGetIt() throws {
        let rival = DeviceFixture.app("editor", team: .made("ABCDE12345", key: 9))
        let tablet = try DeviceFixture("tablet", number: 3, time: laptop.time, apps: [rival])
        laptop.join(tablet)
        #expect(try send(to: "tablet").get().standing == .taken)
        let shown = try #require(tablet.list(all: true).first { $0.isSent })
        #expect(!shown.isContinuable)
        guard case .failure(let failure)? = go(on: tablet, shown) else {
            Issue.record("it goes on")
            return
        }
        #expect(failure.code == .noApp)
        #expect(tablet.list(all: true).contains(shown))
    }

    /// As for a fetched page: the viewer receives its address, and no data for apps.
    @Test func sentPageCarriesOnlyItsTitleAndAddress() throws {
        let script = script(
            saving: ActivityState(
                type: .browsingWeb, title: "Coffee", userInfo: [0x62, 0x00], webpageURL: "https://coffee.example/",
                keywords: ["secret"]))
        laptop.publish(2, by: script, type: .browsingWeb, page: true)
        #expect(try send(DeviceFixture.activity(2)).get().standing == .taken)
        let shown = try #require(sentHere.first)
        #expect(shown.target == .webPage)
        guard case .continuation(.outcome(let outcome))? = go(on: desktop, shown), case .state(let page) = outcome.how
        else {
            Issue.record("no page")
            return
        }
        #expect(page == ActivityState(type: .browsingWeb, title: "Coffee", webpageURL: "https://coffee.example/"))
    }

    @Test func sentActivityStaysIfTheAppFailsToContinue() throws {
        _ = try send().get()
        let shown = try #require(sentHere.first)
        let silent = desktop.run(editor)
        let client = desktop.script()
        let start = StartContinuation(activity: shown.offer.activity, device: shown.device)
        let request = client.request(.continuation(.startContinuation(start)))
        desktop.time.advance(by: .seconds(10))
        guard case .failure(let failure)? = client.answers(to: request).last else {
            Issue.record("it goes on")
            return
        }
        #expect(failure.code == .appDidNotAnswer)
        #expect(sentHere == [shown])
        silent.close()
        desktop.settle()
        let reader = runReader(on: desktop)
        guard case .continuation(.outcome)? = go(on: desktop, shown) else {
            Issue.record("it does not go on")
            return
        }
        #expect(states(reader).count == 1)
        #expect(sentHere.isEmpty)
    }

    @Test func aDeviceThatReceivesNothingRefusesIt() throws {
        let off = PolicyChange(PolicySubject(.receiving), isOff: true)
        _ = desktop.answer(desktop.script(), .policy(.setPolicy(off)))
        #expect(failure(send()) == .notAllowed)
        #expect(waiting(at: laptop).isEmpty)

        laptop.part(desktop)
        let report = try send().get()
        laptop.join(desktop)
        guard case .refused(let why)? = waiting(at: laptop).first?.standing else {
            Issue.record("nobody is told")
            return
        }
        #expect(why.reason.contains("receiving is switched off"))
        let stored = try StoredSend(
            encoded: try #require(laptop.store.files["sending-\(report.offer.activity.hex)"]))
        #expect(stored.content == .refused(report.offer, why))
        _ = laptop.answer(laptop.script(), .sending(.unsendActivity(report.offer.activity)))
        #expect(waiting(at: laptop).isEmpty)
        #expect(laptop.store.files["sending-\(report.offer.activity.hex)"] == nil)
    }

    @Test func sendWaitsWhileAdvertisingIsOff() throws {
        laptop.part(desktop)
        _ = try send().get()
        let subject = PolicySubject(.advertising)
        _ = laptop.answer(laptop.script(), .policy(.setPolicy(PolicyChange(subject, isOff: true))))
        laptop.join(desktop)
        #expect(sentHere.isEmpty)
        guard case .waiting(let problem?)? = waiting(at: laptop).first?.standing else {
            Issue.record("it does not wait")
            return
        }
        #expect(problem.code == .notAllowed)
        _ = laptop.answer(laptop.script(), .policy(.setPolicy(PolicyChange(subject, isOff: false))))
        laptop.settle()
        #expect(sentHere.count == 1)
        #expect(waiting(at: laptop).isEmpty)
    }

    @Test func aFullDiskThereLosesNothing() throws {
        desktop.store.writeFailure = Failure(.stateNotWritable, "cannot write /home/anna: No space left on device")
        guard case .waiting(let problem?) = try send().get().standing else {
            Issue.record("it does not wait")
            return
        }
        #expect(problem.code == .stateNotWritable)
        #expect(!problem.reason.contains("/home"))
        #expect(sentHere.isEmpty)
        desktop.store.writeFailure = nil
        laptop.time.advance(by: SendingLimits.retry)
        #expect(sentHere.count == 1)
        #expect(waiting(at: laptop).isEmpty)
    }

    @Test func aFullLocalDiskIsReportedAtOnce() {
        laptop.store.writeFailure = Failure(.stateNotWritable, "no room")
        #expect(failure(send()) == .stateNotWritable)
        laptop.store.writeFailure = nil
        #expect(waiting(at: laptop).isEmpty)
        #expect(sentHere.isEmpty)
    }

    @Test func anAppThatDoesNotSaveIsAFailure() {
        let silent = laptop.run(DeviceFixture.app("editor"))
        laptop.publish(3, by: silent)
        let client = laptop.script()
        let request = client.request(.sending(.sendActivity(DeviceFixture.activity(3), to: "desktop")))
        laptop.time.advance(by: .seconds(9))
        guard case .failure(let failure)? = client.answers(to: request).first else {
            Issue.record("no answer")
            return
        }
        #expect(failure.code == .appTimedOut)
        #expect(waiting(at: laptop).isEmpty)
    }

    @Test func itCanBeTakenBackWhileItWaits() throws {
        laptop.part(desktop)
        let report = try send().get()
        guard
            case .sending(.sendList(let list))? = laptop.answer(
                laptop.script(), .sending(.unsendActivity(report.offer.activity)))
        else {
            Issue.record("it is not taken back")
            return
        }
        #expect(list == [report])
        laptop.join(desktop)
        #expect(sentHere.isEmpty)
        guard
            case .failure(let failure)? = laptop.answer(
                laptop.script(), .sending(.unsendActivity(report.offer.activity)))
        else {
            Issue.record("it is taken back twice")
            return
        }
        #expect(failure.code == .activityGone)
    }

    @Test func itCanBeDismissedThereAndDoesNotComeAgain() throws {
        let report = try send().get()
        let shown = try #require(sentHere.first)
        #expect(
            desktop.answer(desktop.script(), .sending(.dismissSent(shown.offer.activity, from: shown.device)))
                == .done(accepted: true))
        #expect(sentHere.isEmpty)
        let file = "received-\(shown.device.hex)-\(shown.offer.activity.hex)"
        let stored = try StoredSend(encoded: try #require(desktop.store.files[file]))
        #expect(stored.content == .ended(report.offer.activity))
        guard
            case .failure(let failure)? = desktop.answer(
                desktop.script(), .sending(.dismissSent(shown.offer.activity, from: shown.device)))
        else {
            Issue.record("it is dismissed twice")
            return
        }
        #expect(failure.code == .activityGone)
    }

    /// A crash right after the answer does not restore it.
    @Test func aDismissalIsConfirmedOnceItIsOnDisk() throws {
        _ = try send().get()
        let shown = try #require(sentHere.first)
        let work = VirtualWork(time: desktop.time)
        work.takes = .seconds(1)
        desktop.store.work = work
        let script = desktop.script()
        let request = script.request(.sending(.dismissSent(shown.offer.activity, from: shown.device)))
        #expect(sentHere.isEmpty)
        #expect(script.answers(to: request).isEmpty)
        desktop.time.advance(by: .seconds(1))
        #expect(script.answers(to: request) == [.done(accepted: true)])
        let file = "received-\(shown.device.hex)-\(shown.offer.activity.hex)"
        let stored = try StoredSend(encoded: try #require(desktop.store.files[file]))
        #expect(stored.content == .ended(shown.offer.activity))
    }

    @Test func removingADeviceDeletesItsSends() throws {
        _ = try send().get()
        laptop.part(desktop)
        _ = try send().get()
        for (fixture, other) in [(desktop, laptop), (laptop, desktop)] {
            fixture.membership.changed()
            fixture.membership.members.removeAll { $0.device == other.member.device }
            fixture.membership.changed()
        }
        #expect(sentHere.isEmpty)
        #expect(waiting(at: laptop).isEmpty)
        for store in [laptop.store, desktop.store] {
            #expect(!store.files.keys.contains { $0.hasPrefix("sending-") || $0.hasPrefix("received-") })
        }
    }

    @Test func aDamagedFileIsPutAside() throws {
        let store = MemoryStateStore()
        store.files = ["sending-00": [1, 2, 3], "received-zz": [0xFF]]
        let fixture = try DeviceFixture("desktop", number: 2, time: laptop.time, store: store)
        #expect(waiting(at: fixture).isEmpty)
        #expect(store.files.keys.sorted() == ["unreadable-received-zz", "unreadable-sending-00"])
        #expect(store.files["unreadable-sending-00"] == [1, 2, 3])
    }

    @Test func theListTellsThoseWhoWatch() throws {
        let shown = desktop.watch(all: true)
        _ = try send().get()
        #expect(shown().last?.contains { $0.isSent } == true)
        let sent = try #require(sentHere.first)
        _ = desktop.answer(desktop.script(), .sending(.dismissSent(sent.offer.activity, from: sent.device)))
        #expect(shown().last?.contains { $0.isSent } == false)
    }
}
