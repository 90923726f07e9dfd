// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

/// Shows L06, N01, N02 in the daemon: browsers with the extension, on both sides.
@Suite struct RunningBrowserTests {
    private let web: WebSimulation

    init() throws { web = try WebSimulation() }

    private func failure(_ result: Result<ContinuationOutcome, Failure>?) -> Failure? {
        guard case .failure(let failure)? = result else { return nil }
        return failure
    }

    private func answer(_ client: TestClient, _ message: LocalMessage) -> LocalMessage? {
        let request = client.request(message)
        web.settle()
        return client.answers(to: request).first
    }

    @Test func pageMovesFromBrowserToBrowserWithItsPlace() throws {
        let origin = web.browse(WebSimulation.page(userInfo: WebSimulation.scrolled))
        let firefox = WebProgram("Firefox", on: web.desktop)
        let listed = try #require(web.listed(origin))
        #expect(listed.target == .webPage && listed.targetName.text == "Firefox" && !listed.isForBrowserToo)
        let outcome = try #require(try web.go(on: origin)?.get())
        #expect(outcome.how == .pageShown)
        #expect(outcome.targetName.text == "Firefox")
        #expect(outcome.phases.map(\.phase) == [.resolve, .launch, .willContinue, .fetch, .willSave, .deliver])
        #expect(firefox.shown == [WebSimulation.page(userInfo: WebSimulation.scrolled)])
        #expect(origin.wasContinued == 1)
    }

    /// The requesting browser shows it; otherwise the latest to connect.
    @Test func browserThatAsksIsPreferred() throws {
        let origin = web.browse()
        let firefox = WebProgram("Firefox", on: web.desktop)
        let vivaldi = WebProgram("Vivaldi", on: web.desktop)
        web.settle()
        #expect(try web.go(on: origin, asking: firefox.client)?.get().targetName.text == "Firefox")
        #expect(try web.go(on: origin)?.get().targetName.text == "Vivaldi")
        #expect(firefox.shown.count == 1)
        #expect(vivaldi.shown.count == 1)
    }

    @Test func browserThatShowsNothingIsPassedOver() throws {
        let origin = web.browse()
        let silent = WebProgram("Silent", on: web.desktop, receives: false)
        #expect(web.listed(origin)?.targetName.isEmpty == true)
        #expect(try web.go(on: origin, asking: silent.client)?.get().how == .state(WebSimulation.page()))
    }

    @Test func listsChangeAsBrowsersComeAndLeave() throws {
        let origin = web.browse()
        let watcher = web.desktop.control()
        let request = watcher.request(.advertising(.listActivities(watch: true, all: false)))
        web.settle()
        let firefox = WebProgram("Firefox", on: web.desktop)
        web.settle()
        firefox.client.close()
        web.settle()
        let names = watcher.answers(to: request).compactMap { message -> String? in
            guard case .advertising(.activityList(let list)) = message else { return nil }
            return list.first { $0.offer.activity == origin.activity }?.targetName.text
        }
        #expect(names == ["", "Firefox", ""])
    }

    /// It fails with a reason, and the next attempt finds another target.
    @Test(arguments: [WebProgram.End.whenAnnounced, .whenDelivered])
    func browserThatLeavesInTheMiddleIsAFailureWithItsReason(end: WebProgram.End) throws {
        let origin = web.browse()
        let firefox = WebProgram("Firefox", on: web.desktop)
        firefox.end = end
        let failure = failure(try web.go(on: origin))
        #expect(failure == Failure(.appDidNotAnswer, ""))
        #expect(failure?.reason == "the browser quit before it could continue the activity")
        #expect(origin.wasContinued == 0)
        #expect(try web.go(on: origin)?.get().how == .state(WebSimulation.page()))
    }

    /// Shows E06: a browser that requested a continuation and left gets at most one outcome, and blocks no other.
    @Test func browserThatAskedAndLeftBlocksNoOther() throws {
        let origin = web.browse()
        let firefox = WebProgram("Firefox", on: web.desktop)
        firefox.end = .whenAnnounced
        web.settle()
        #expect(try web.go(on: origin, asking: firefox.client) == nil, "nobody is left to be told")
        let vivaldi = WebProgram("Vivaldi", on: web.desktop)
        web.settle()
        #expect(try web.go(on: origin)?.get().how == .pageShown)
        #expect(vivaldi.shown.count == 1)
    }

    @Test func browserThatDoesNotAnswerIsGivenUp() throws {
        let origin = web.browse()
        let firefox = WebProgram("Firefox", on: web.desktop)
        firefox.isStuck = true
        #expect(failure(try web.go(on: origin))?.reason == "the browser did not answer in time")
    }

    @Test func invalidAddressFromTheOriginFailsInTheBrowser() throws {
        let origin = web.browse()
        let firefox = WebProgram("Firefox", on: web.desktop)
        origin.navigate(to: WebSimulation.page("javascript:alert(1)"))
        #expect(failure(try web.go(on: origin)) != nil)
        #expect(firefox.announced == 1 && firefox.failures.count == 1 && firefox.shown.isEmpty)
    }

    // MARK: Browsers' offers

    @Test func browserOffersThePageItShowsAndNothingElse() throws {
        let browser = WebProgram("Chromium", on: web.laptop)
        var native = WebSimulation.page()
        native.type = try ActivityType("com.example.editing")
        let refused = [
            browser.offer(1, native), browser.offer(2, WebSimulation.page(nil)),
            browser.offer(3, WebSimulation.page(), streams: true),
        ]
        web.settle()
        for request in refused {
            #expect(browser.client.answers(to: request) == [.failure(Failure(.notAllowed, ""))])
        }
        #expect(web.laptop.listed()?.isEmpty == true)
        let page = browser.offer(4, WebSimulation.page())
        web.settle()
        #expect(browser.client.answers(to: page) == [.done(accepted: true)])
        let offer = try #require(web.listed(browser)?.offer)
        #expect(offer.webHost == WebSimulation.site && offer.bundle == nil && offer.appName.text == "Chromium")
        #expect(offer.team == web.laptop.account.map(Team.personal))
    }

    /// Shows X11, G03: a closed page is gone, and none of its data is kept.
    @Test func pageIsGoneWithItsBrowser() throws {
        let browser = web.browse()
        #expect(web.listed(browser) != nil)
        web.simulation.time.advance(by: .seconds(10))
        browser.client.close()
        #expect(web.listed(browser) == nil)
    }

    /// Shows G03: a page is not offered while the direction is off, and is offered again afterwards. The browser is not
    /// notified.
    @Test func pageIsNotOfferedWhileAdvertisingIsOff() throws {
        let off = PolicyChange(PolicySubject(.advertising), isOff: true)
        try web.simulation.ask(web.laptop, .policy(.setPolicy(off)))
        let browser = web.browse()
        #expect(web.listed(browser) == nil)
        try web.simulation.ask(web.laptop, .policy(.setPolicy(PolicyChange(PolicySubject(.advertising), isOff: false))))
        #expect(web.listed(browser)?.target == .webPage)
    }

    // MARK: Permissions of apps

    @Test func appNeitherChoosesNorStartsContinuations() throws {
        let origin = web.browse()
        let app = web.run(web.simulation.installed[0], on: web.desktop)
        web.settle()
        #expect(failure(try web.go(on: origin, asking: app.client)) == Failure(.notAllowed, ""))
        #expect(
            answer(app.client, .webChoices(.chooseForHost(WebSimulation.site, .browser)))
                == .failure(Failure(.notAllowed, "")))
        #expect(answer(app.client, .webChoices(.listWebChoices)) == .failure(Failure(.notAllowed, "")))
    }
}
