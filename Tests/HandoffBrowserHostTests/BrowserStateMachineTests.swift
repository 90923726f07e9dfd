// SPDX-License-Identifier: Apache-2.0

import HandoffClient
import HandoffWire
import Testing

@testable import HandoffBrowserHost

// Shows L06: the host's reactions to messages of the browser and the daemon.
@Suite struct BrowserStateMachineTests {
    private typealias Action = BrowserStateMachine.Action

    private let start = ContinuousClock.now
    private let weather = BrowsedPage(url: "https://weather.example/", title: "Weather")
    private let bread = BrowsedPage(url: "https://bread.example/rye", title: "Rye")
    private let first = ActivityID(uncheckedBytes: Array(repeating: 1, count: 16))
    private let second = ActivityID(uncheckedBytes: Array(repeating: 2, count: 16))
    private let laptop = DeviceID(uncheckedBytes: Array(repeating: 7, count: 32))
    private let ticket = AnswerTicket(request: 5, connection: 1)
    private let welcome = Welcome(
        version: 1, deviceName: DisplayText(cleaning: "desktop"), isRegistered: false,
        software: DisplayText(cleaning: "handoffd"))

    private func publication(_ activity: ActivityID, _ page: BrowsedPage, host: String) throws -> Action {
        .ask(
            .advertising(
                .publish(
                    Publication(
                        activity: activity, type: try ActivityType("NSUserActivityTypeBrowsingWeb"),
                        title: DisplayText(cleaning: page.title), hasWebPage: true, webHost: try WebHost(host)))),
            .publication)
    }

    private func state(_ page: BrowsedPage, scroll: Double? = nil, seconds: Double? = nil) throws -> ActivityState {
        var place: [Value: Value] = [:]
        if let scroll { place[.string("scroll")] = .double(scroll) }
        if let seconds { place[.string("seconds")] = .double(seconds) }
        let info = place.isEmpty ? nil : try Value.dictionary(place).encoded()
        return ActivityState(
            type: try ActivityType("NSUserActivityTypeBrowsingWeb"), title: page.title, userInfo: info ?? [],
            webpageURL: page.url)
    }

    private func connected(showing page: BrowsedPage? = nil) -> BrowserStateMachine {
        var machine = BrowserStateMachine(opensHandoff: true, noDaemon: .noDaemon(.command("handoffd &")))
        _ = machine.connected(welcome, fresh: first, at: start)
        if let page { _ = machine.said(.page(page), fresh: first, at: start) }
        return machine
    }

    @Test func everyAddressIsAnActivityOfItsOwn() throws {
        var machine = connected()
        #expect(
            machine.said(.page(weather), fresh: first, at: start)
                == [try publication(first, weather, host: "weather.example")])
        #expect(machine.said(.page(weather), fresh: second, at: start) == [])
        #expect(
            machine.said(.page(bread), fresh: second, at: start)
                == [try publication(second, bread, host: "bread.example")])
        #expect(machine.said(.left, fresh: first, at: start) == [.send(.advertising(.withdraw(second)))])
        #expect(machine.said(.left, fresh: first, at: start) == [])
    }

    @Test func thePageInFrontIsOfferedAgainToTheNextDaemon() throws {
        var machine = BrowserStateMachine(opensHandoff: true, noDaemon: .noDaemon(.command("handoffd &")))
        #expect(machine.said(.page(weather), fresh: second, at: start) == [])
        let offered = try publication(first, weather, host: "weather.example")
        #expect(machine.connected(welcome, fresh: first, at: start).contains(offered))
        #expect(machine.disconnected() == [.tell(.state(noDaemon))])
        #expect(machine.disconnected() == [])
        let again = try publication(second, weather, host: "weather.example")
        #expect(machine.connected(welcome, fresh: second, at: start).contains(again))
    }

    private var noDaemon: HostState {
        var state = HostState()
        state.problem = HostProblem(code: "noDaemon", words: "Handoff is not running", command: "handoffd &")
        state.opensHandoff = true
        return state
    }

    /// A page that must not be offered withdraws the previous one, even if the extension reports it.
    @Test(arguments: ["about:blank", "file:///etc/passwd", "https://user:secret@example.com/", "https://a b/"])
    func otherAddressesAreNotOffered(url: String) {
        var machine = connected(showing: weather)
        let actions = machine.said(.page(BrowsedPage(url: url, title: "x")), fresh: second, at: start)
        #expect(actions == [.send(.advertising(.withdraw(first)))])
    }

    @Test func aTitleThatChangesAThousandTimesASecondIsSpaced() throws {
        var machine = connected(showing: weather)
        var told: [Action] = []
        for number in 1...5000 {
            let page = BrowsedPage(url: weather.url, title: "\(number)")
            let now = start + .milliseconds(number)
            told += machine.said(.page(page), fresh: second, at: now)
            told += machine.passed(now)
        }
        #expect(told.count == 5)
        // The newest one is sent.
        let last = BrowsedPage(url: weather.url, title: "last")
        let early = machine.said(.page(last), fresh: second, at: start + .milliseconds(5001))
        #expect(early == [])
        let due = machine.nextDeadline
        let sent = machine.passed(try #require(due))
        #expect(sent == [try publication(first, last, host: "weather.example")])
        let later = machine.nextDeadline
        #expect(later == nil)
    }

    @Test func aTitleOfAMegabyteIsCut() throws {
        var machine = connected()
        let page = BrowsedPage(url: weather.url, title: String(repeating: "ü", count: 500_000))
        _ = machine.said(.page(page), fresh: first, at: start)
        _ = machine.asked(.advertising(.save(first, deadline: .seconds(8))), ticket, at: start)
        let actions = machine.said(.place(request: 1, PagePlace()), fresh: second, at: start)
        guard case .answer(_, .advertising(.saved(let state, _, _)))? = actions.first else {
            Issue.record("\(actions)")
            return
        }
        #expect(state.title?.utf8.count == Limits.titleBytes)
    }

    // MARK: Sending

    private func device(_ name: String, _ number: UInt8, connected: Bool, here: Bool = false) -> DeviceSummary {
        DeviceSummary(
            device: DeviceID(uncheckedBytes: Array(repeating: number, count: 32)), name: DisplayText(cleaning: name),
            kind: .tablet, isThisDevice: here, isConnected: connected, address: "192.168.0.7:4747",
            admitted: WallTime(milliseconds: 0), admittedBy: nil)
    }

    private func report(_ standing: SendReport.Standing) -> SendReport {
        let offer = Offer(
            activity: second, type: .browsingWeb, appName: DisplayText(cleaning: "Firefox"),
            team: .personal(AccountID(uncheckedBytes: Array(repeating: 1, count: 32))), since: WallTime(milliseconds: 0)
        )
        return SendReport(
            offer: offer, device: laptop, deviceName: DisplayText(cleaning: "laptop"), sent: WallTime(milliseconds: 0),
            until: WallTime(milliseconds: 1), standing: standing)
    }

    @Test func otherDevicesAreListedWithConnectedDevicesFirst() {
        var machine = connected()
        let list = [
            device("desktop", 1, connected: true, here: true), device("alpha", 2, connected: false),
            device("tablet", 3, connected: true),
        ]
        let actions = machine.answered(.devices, .success(.identity(.deviceList(list))), at: start)
        guard case .tell(.state(let state))? = actions.first else {
            Issue.record("\(actions)")
            return
        }
        #expect(state.devices.map(\.name) == ["tablet", "alpha"])
        #expect(state.devices.map(\.isConnected) == [true, false])
        #expect(machine.disconnected() == [.tell(.state(noDaemon))])
    }

    // Shows M08.
    @Test func pageIsHandedToAPhone() throws {
        var machine = connected()
        let pixel = Phone(
            id: try PhoneID("pixel_1"), name: DisplayText(cleaning: "Pixel"), kind: .phone, link: .kdeConnect)
        guard
            case .tell(.state(let state))? = machine.answered(
                .phones, .success(.phones(.phoneList([pixel]))), at: start
            )
            .first
        else {
            Issue.record("no state")
            return
        }
        #expect(state.phones.map(\.through) == ["KDE Connect"] && state.phones.map(\.device) == ["pixel_1"])
        #expect(state.devices.isEmpty)
        let actions = machine.said(
            .send(request: 4, page: weather, to: .phone(pixel.id), PagePlace()), fresh: first, at: start)
        #expect(
            actions == [.ask(.sending(.sendPage(try self.state(weather, scroll: nil), to: "pixel_1")), .send(4))])
        let answer = machine.answered(.send(4), .success(.phones(.handedToPhone(pixel))), at: start)
        #expect(answer == [.tell(.sent(request: 4, SentPage(handed: pixel)))])
        #expect(!SentPage(handed: pixel).isTaken)
    }

    @Test func lookalikeDeviceNamesAreDistinguished() {
        let shown = ShownDevice.list([device("tablet", 1, connected: true), device("tab1et", 2, connected: true)])
        #expect(shown.allSatisfy { $0.name.contains("(") })
        let crowd = (0..<200).map { device("tablet \($0)", UInt8($0), connected: false) }
        #expect(ShownDevice.list(crowd).count == BrowserLimits.devicesShown)
    }

    /// It need not be in front, because a click chose it.
    @Test func pageIsSentWithItsPlaceAndWithoutBeingOffered() throws {
        var machine = connected()
        let actions = machine.said(
            .send(request: 4, page: weather, to: .device(laptop), PagePlace(scroll: 0.5)), fresh: first, at: start)
        let page = try state(weather, scroll: 0.5)
        #expect(actions == [.ask(.sending(.sendPage(page, to: laptop.description)), .send(4))])
        let kept = report(.waiting(problem: nil))
        let sent = try #require(SentPage(kept))
        #expect(!sent.isTaken)
        #expect(
            machine.answered(.send(4), .success(.sending(.sendList([kept]))), at: start)
                == [.tell(.sent(request: 4, sent))])
        #expect(SentPage(report(.taken))?.isTaken == true)
        let takenBack = machine.said(.takeBack(request: 5, activity: second), fresh: first, at: start)
        #expect(takenBack == [.ask(.sending(.unsendActivity(second)), .takeBack(5))])
        #expect(
            machine.answered(.takeBack(5), .success(.sending(.sendList([kept]))), at: start)
                == [.tell(.answer(request: 5, nil))])
    }

    @Test(arguments: ["about:blank", "file:///etc/passwd", "https://user:secret@example.com/", "https://a b/"])
    func otherAddressesAreNotSent(url: String) {
        var machine = connected()
        let page = BrowsedPage(url: url, title: "x")
        let actions = machine.said(
            .send(request: 4, page: page, to: .device(laptop), PagePlace()), fresh: first, at: start)
        guard actions.count == 1, case .tell(.answer(request: 4, let problem?)) = actions[0] else {
            Issue.record("\(actions)")
            return
        }
        #expect(problem.code == "notAllowed")
    }

    @Test func refusedPageIsAProblem() {
        var machine = connected()
        let refused = Failure(.unimplemented, "the other device runs an older version of Handoff")
        let problem = HostProblem(refused)
        #expect(
            machine.answered(.send(4), .failure(refused), at: start) == [.tell(.answer(request: 4, problem))])
        #expect(
            machine.answered(.send(4), .success(.done(accepted: true)), at: start)
                == [.tell(.answer(request: 4, HostProblem(.unexpectedAnswer)))])
        // The daemon may end in between.
        _ = machine.disconnected()
        #expect(
            machine.answered(.send(4), .failure(refused), at: start) == [.tell(.answer(request: 4, problem))])
        #expect(
            machine.said(.send(request: 6, page: weather, to: .device(laptop), PagePlace()), fresh: first, at: start)
                == [.tell(.answer(request: 6, .noDaemon(.command("handoffd &"))))])
    }

    @Test func windowIsOpenedOnceForSeveralClicks() {
        var machine = connected()
        #expect(machine.said(.openHandoff(request: 1), fresh: first, at: start) == [.openWindow])
        #expect(machine.said(.openHandoff(request: 2), fresh: first, at: start) == [])
        let opened = [1, 2].map { Action.tell(.answer(request: $0, nil)) }
        #expect(machine.windowOpened(nil) == opened)
        #expect(machine.said(.openHandoff(request: 3), fresh: first, at: start) == [.openWindow])
    }

    // MARK: Saving

    @Test func aSavedPageHasItsPlace() throws {
        var machine = connected(showing: weather)
        #expect(
            machine.asked(.advertising(.save(first, deadline: .seconds(8))), ticket, at: start)
                == [.tell(.place(request: 1, url: weather.url))])
        let now = start + .milliseconds(3)
        #expect(
            machine.said(.place(request: 1, PagePlace(scroll: 0.5, seconds: 61)), fresh: second, at: now)
                == [
                    .answer(
                        ticket,
                        .advertising(
                            .saved(try state(weather, scroll: 0.5, seconds: 61), saving: .milliseconds(3))))
                ])
        #expect(machine.said(.place(request: 1, PagePlace(scroll: 0.7)), fresh: second, at: now) == [], "answered once")
        let later = machine.nextDeadline
        #expect(later == nil)
    }

    @Test func aPageThatDoesNotSayItsPlaceGoesWithoutIt() throws {
        var machine = connected(showing: weather)
        _ = machine.asked(.advertising(.save(first, deadline: .seconds(8))), ticket, at: start)
        let next = machine.nextDeadline
        let deadline = try #require(next)
        #expect(deadline == start + BrowserLimits.placePatience)
        #expect(machine.passed(deadline - .milliseconds(1)) == [])
        let saved = LocalMessage.advertising(.saved(try state(weather), saving: BrowserLimits.placePatience))
        #expect(machine.passed(deadline) == [.answer(ticket, saved)])
        // Too late.
        #expect(machine.said(.place(request: 1, PagePlace(scroll: 1)), fresh: second, at: deadline) == [])
    }

    @Test func aPageNoLongerInFrontIsGone() {
        var machine = connected(showing: weather)
        _ = machine.said(.page(bread), fresh: second, at: start)
        let actions = machine.asked(.advertising(.save(first, deadline: .seconds(8))), ticket, at: start)
        #expect(actions == [.answer(ticket, .failure(Failure(.activityGone, "")))])
    }

    // Shows M02: the origin's film pauses.
    @Test func continuedPageIsReported() throws {
        var machine = connected(showing: weather)
        let continued = LocalMessage.continuation(.wasContinued(first, deviceName: DisplayText(cleaning: "desktop")))
        #expect(machine.asked(continued, nil, at: start) == [.tell(.continued(url: weather.url))])
        _ = machine.said(.page(bread), fresh: second, at: start)
        #expect(machine.asked(continued, nil, at: start) == [], "another page is in front")
    }

    // MARK: Opening

    @Test func aContinuedPageIsOpenedAtItsPlace() throws {
        var machine = connected()
        let continuation = ContinuationID(uncheckedBytes: Array(repeating: 3, count: 16))
        #expect(
            machine.asked(
                .continuation(.continueActivity(continuation, try state(bread, scroll: 0.25, seconds: 61))), ticket,
                at: start)
                == [.tell(.open(request: 1, url: bread.url, PagePlace(scroll: 0.25, seconds: 61)))])
        #expect(
            machine.said(.opened(request: 1, problem: nil), fresh: first, at: start)
                == [.answer(ticket, .done(accepted: true))])
    }

    @Test func aPageThatIsNotOpenedIsAFailure() throws {
        var machine = connected()
        let continuation = ContinuationID(uncheckedBytes: Array(repeating: 3, count: 16))
        let failure = LocalMessage.failure(Failure(.appDidNotAnswer, ""))
        _ = machine.asked(.continuation(.continueActivity(continuation, try state(bread))), ticket, at: start)
        #expect(
            machine.said(.opened(request: 1, problem: "no window"), fresh: first, at: start)
                == [.answer(ticket, failure)])
        _ = machine.asked(.continuation(.continueActivity(continuation, try state(bread))), ticket, at: start)
        #expect(machine.passed(start + BrowserLimits.openPatience) == [.answer(ticket, failure)])
    }

    @Test(arguments: ["file:///etc/passwd", "javascript:alert(1)", "https://a@b.example/"])
    func otherAddressesAreNotOpened(url: String) throws {
        var machine = connected()
        let continuation = ContinuationID(uncheckedBytes: Array(repeating: 3, count: 16))
        let page = try state(BrowsedPage(url: url, title: ""))
        let actions = machine.asked(.continuation(.continueActivity(continuation, page)), ticket, at: start)
        #expect(actions == [.answer(ticket, .failure(Failure(.malformed, "")))])
    }

    @Test func invalidPlaceFromPeerIsIgnored() throws {
        let values: [Value] = [
            .string("scroll"), .dictionary([.string("scroll"): .double(2)]),
            .dictionary([.string("scroll"): .double(.nan)]), .dictionary([.string("scroll"): .string("1")]),
            .dictionary([.string("seconds"): .double(-1)]), .dictionary([.string("seconds"): .double(.infinity)]),
        ]
        let continuation = ContinuationID(uncheckedBytes: Array(repeating: 3, count: 16))
        for (number, info) in values.map({ try? $0.encoded() }).enumerated() {
            var machine = connected()
            var state = try state(bread)
            state.userInfo = info ?? [1, 2, 3]
            let actions = machine.asked(.continuation(.continueActivity(continuation, state)), ticket, at: start)
            #expect(actions == [.tell(.open(request: 1, url: bread.url, PagePlace()))], "\(number)")
        }
    }

    // MARK: The list

    private func listed(
        _ title: String, target: ListedActivity.Target, isHere: Bool = false, browserToo: Bool = false
    ) throws -> ListedActivity {
        let offer = Offer(
            activity: first, type: try ActivityType("com.example.notes.editing"), title: DisplayText(cleaning: title),
            appName: DisplayText(cleaning: "Notes"),
            team: .personal(AccountID(uncheckedBytes: Array(repeating: 1, count: 32))),
            since: WallTime(milliseconds: 42))
        return ListedActivity(
            offer: offer, device: laptop, deviceName: DisplayText(cleaning: "laptop"), deviceKind: .laptop,
            isFromThisDevice: isHere, target: target, targetName: DisplayText(cleaning: "Notes"),
            isForBrowserToo: browserToo)
    }

    @Test func listHasOffersOfOthersAndLocalActivities() throws {
        var machine = connected()
        let list = try [
            listed("a page", target: .webPage),
            listed("an app", target: .app(BundleID("com.example.notes")), browserToo: true),
            listed("a script", target: .script), listed("nothing", target: .nothing("no app")),
            listed("mine", target: .webPage, isHere: true),
        ]
        let actions = machine.answered(.list, .success(.advertising(.activityList(list))), at: start)
        guard case .tell(.state(let state))? = actions.first else {
            Issue.record("\(actions)")
            return
        }
        #expect(state.offers.map(\.title) == ["a page", "an app"])
        #expect(state.offers.map(\.kind) == [.page, .app])
        #expect(state.offers.map(\.browserToo) == [false, true])
        #expect(state.offers[0].deviceKind == "laptop")
        #expect(state.deviceName == "desktop")
        #expect(machine.answered(.list, .success(.advertising(.activityList(list))), at: start) == [], "said once")
    }

    @Test func aMissingAccountIsReportedUntilThereIsAnAccount() throws {
        var machine = connected()
        var status = DaemonStatus()
        let told = machine.answered(.status, .success(.status(.status(status))), at: start)
        guard case .tell(.state(let state))? = told.first else {
            Issue.record("\(told)")
            return
        }
        #expect(state.problem?.code == "noAccount")
        #expect(machine.said(.look, fresh: first, at: start) == [.ask(.status(.getStatus), .status)])
        status.account = AccountID(uncheckedBytes: Array(repeating: 1, count: 32))
        guard
            case .tell(.state(let later))? = machine.answered(.status, .success(.status(.status(status))), at: start)
                .first
        else {
            Issue.record("nothing was told")
            return
        }
        #expect(later.problem == nil)
        let refused = machine.answered(.publication, .failure(Failure(.noAccount, "none")), at: start)
        #expect(refused == [.tell(.state(state))])
    }

    // MARK: Continuing

    @Test func aContinuationEndsWithOneAnswer() throws {
        var machine = connected()
        let start = StartContinuation(activity: first, device: laptop, inBrowser: true)
        let goOn = BrowserMessage.goOn(request: 9, activity: first, device: laptop, inBrowser: true)
        #expect(
            machine.said(goOn, fresh: second, at: self.start)
                == [.ask(.continuation(.startContinuation(start)), .continuation(9))])
        let question = BrowserStateMachine.Question.continuation(9)
        let progress = LocalMessage.continuation(.progress(PhaseTime(.fetch, .milliseconds(1))))
        #expect(machine.answered(question, .success(progress), at: self.start) == [])
        #expect(
            machine.answered(question, .success(outcome(.pageShown)), at: self.start)
                == [.tell(.answer(request: 9, nil))])
        #expect(
            machine.answered(question, .failure(Failure(.deviceLost, "gone")), at: self.start)
                == [.tell(.answer(request: 9, HostProblem(code: "deviceLost", words: "gone")))])
    }

    /// No running browser was known to the daemon, so the page is sent with the answer.
    @Test func aPageThatComesWithTheAnswerIsOpened() throws {
        var machine = connected()
        let question = BrowserStateMachine.Question.continuation(9)
        #expect(
            machine.answered(question, .success(outcome(.state(try state(bread)))), at: start)
                == [.tell(.open(request: 1, url: bread.url, PagePlace()))])
        #expect(
            machine.said(.opened(request: 1, problem: nil), fresh: first, at: start)
                == [.tell(.answer(request: 9, nil))])
    }

    @Test func withoutADaemonGoingOnFailsAtOnce() {
        var machine = BrowserStateMachine(opensHandoff: true, noDaemon: .noDaemon(.command("handoffd &")))
        let actions = machine.said(
            .goOn(request: 9, activity: first, device: nil, inBrowser: false), fresh: second, at: start)
        guard case .tell(.answer(request: 9, let problem?))? = actions.first else {
            Issue.record("\(actions)")
            return
        }
        #expect(problem.code == "noDaemon")
    }

    private func outcome(_ how: ContinuationOutcome.How) -> LocalMessage {
        .continuation(
            .outcome(
                ContinuationOutcome(
                    continuation: ContinuationID(uncheckedBytes: Array(repeating: 3, count: 16)), phases: [], how: how,
                    targetName: DisplayText(cleaning: "Firefox"))))
    }

    @Test func unsupportedRequestIsUnimplemented() throws {
        var machine = connected()
        #expect(
            machine.asked(.status(.getStatus), ticket, at: start) == [
                .answer(ticket, .failure(Failure(.unimplemented, "")))
            ])
        let hooks = LocalMessage.continuation(
            .willContinue(
                ContinuationID(uncheckedBytes: Array(repeating: 3, count: 16)), type: try ActivityType("com.example.a"),
                originName: DisplayText(cleaning: "laptop")))
        #expect(machine.asked(hooks, ticket, at: start) == [.answer(ticket, .done(accepted: true))])
        #expect(
            machine.asked(
                .continuation(.wasContinued(first, deviceName: DisplayText(cleaning: "laptop"))), nil, at: start) == [])
    }
}
