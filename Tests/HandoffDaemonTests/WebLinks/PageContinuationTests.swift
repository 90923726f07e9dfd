// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

/// Whole daemons: the desktop continues a page of the laptop, in an app or in a browser.
@Suite struct PageContinuationTests {
    private let web: WebSimulation

    init() throws { web = try WebSimulation() }

    private func failure(_ result: Result<ContinuationOutcome, Failure>?) -> Failure? {
        guard case .failure(let failure)? = result else { return nil }
        return failure
    }

    /// Shows N01, L03.
    @Test func withoutAnAppThePageGoesToWhoAsked() throws {
        let browser = web.browse(WebSimulation.page(userInfo: WebSimulation.scrolled))
        #expect(web.listed(browser)?.target == .webPage)
        #expect(web.listed(browser)?.targetName.isEmpty == true)
        let outcome = try web.go(on: browser)?.get()
        #expect(outcome?.how == .state(WebSimulation.page()), "the place on the page is for browsers")
        #expect(browser.wasContinued == 1)
    }

    /// Shows N03: an app of a different team from the origin's, started for the page.
    @Test func appOfTheSiteGetsTheAddressByteForByteAndNoUserInfo() throws {
        let reader = try web.install("reader", on: web.desktop)
        let browser = web.browse(WebSimulation.page(userInfo: WebSimulation.scrolled))
        #expect(web.listed(browser)?.target == .webPage, "it is not approved yet")
        try web.approve([reader.bundle], for: WebSimulation.site)
        let listed = try #require(web.listed(browser))
        #expect(listed.target == .app(reader.bundle))
        #expect(listed.targetName == reader.name)
        #expect(listed.isForBrowserToo)
        let outcome = try web.go(on: browser)?.get()
        #expect(outcome?.how == .app(reader.bundle))
        #expect(web.given(reader) == [ActivityState(type: .browsingWeb, title: "News", webpageURL: WebSimulation.url)])
        #expect(web.desktop.launcher.launches.map(\.activityType) == [.browsingWeb])
        #expect(browser.wasContinued == 1)
    }

    /// Shows N03, N05: the same with a real request to the site, and an explanation on request.
    @Test func appThatItsSiteListsGetsItsPages() throws {
        let web = try WebSimulation()
        web.desktop.sites.pages[.init(WebSimulation.site)] = .success(
            DeviceFixture.file(listing: "AAAAAAAAAA.com.example.reader"))
        let reader = try web.install(
            "reader", domains: ["activitycontinuation:news.example.com"], on: web.desktop)
        let browser = web.browse(WebSimulation.page(userInfo: WebSimulation.scrolled))
        #expect(web.listed(browser)?.target == .app(reader.bundle))
        _ = try web.go(on: browser)?.get()
        #expect(web.given(reader) == [WebSimulation.page()])
        guard
            case .webLinks(.webPageCheck(let check)) = try web.simulation.ask(
                web.desktop, .webLinks(.checkWebPage(WebSimulation.url)))
        else {
            Issue.record("no check")
            return
        }
        #expect(check.taker == .app(reader.bundle))
        #expect(check.reason == "news.example.com and reader approve each other")
        try web.simulation.ask(web.desktop, .webChoices(.chooseForHost(WebSimulation.site, .browser)))
        guard
            case .webLinks(.webPageCheck(let chosen)) = try web.simulation.ask(
                web.desktop, .webLinks(.checkWebPage(WebSimulation.url)))
        else {
            Issue.record("no check")
            return
        }
        #expect(chosen.taker == .browser)
        #expect(chosen.reason == "you chose the browser for news.example.com; the default browser opens its web page")
    }

    /// Shows N04: regardless of its own offers, it receives the pages of its own hosts.
    @Test func appSetsAnyAddressButReceivesOnlyThoseOfItsOwnHosts() throws {
        let maker = try web.install("maker", team: 0, on: web.laptop)
        let reader = try web.install("reader", on: web.desktop)
        try web.approve([reader.bundle], for: WebSimulation.site)
        let app = web.run(maker, on: web.laptop)
        app.offer(1, WebSimulation.page("https://shop.example.org/cart"))
        web.settle()
        #expect(web.listed(app)?.target == .webPage)
        #expect(
            failure(try web.go(on: app, in: reader.bundle))?.reason
                == "reader is not approved for shop.example.org, and is not a browser")
        app.offer(2, WebSimulation.page(WebSimulation.url, userInfo: WebSimulation.scrolled))
        #expect(web.listed(app)?.target == .app(reader.bundle))
        _ = try web.go(on: app)?.get()
        #expect(web.given(reader).map(\.webpageURL) == [WebSimulation.url])
        #expect(web.given(reader).map(\.userInfo) == [[]])
    }

    /// Shows N02: a browser of the same team is continued like any other app, with its whole state.
    @Test func browserOfTheSameTeamGetsTheWholeState() throws {
        let here = try web.install("monkey", team: 0, types: [.browsingWeb], on: web.laptop)
        _ = try web.install("monkey", team: 0, types: [.browsingWeb], on: web.desktop)
        let app = web.run(here, on: web.laptop)
        let page = WebSimulation.page("https://other.example.org:8443/", userInfo: WebSimulation.scrolled)
        app.offer(1, page)
        #expect(web.listed(app)?.target == .app(here.bundle))
        _ = try web.go(on: app)?.get()
        #expect(web.given(here) == [page])
    }

    /// Shows N02: a browser of another team is not started, but continues pages while it is running.
    @Test func browserOfAnotherTeamGetsThePageWhereItRuns() throws {
        let viewer = try web.install("viewer", types: [.browsingWeb], on: web.desktop)
        let browser = web.browse(WebSimulation.page(userInfo: WebSimulation.scrolled))
        #expect(web.listed(browser)?.target == .webPage)
        let running = web.run(viewer, on: web.desktop)
        #expect(web.listed(browser)?.target == .app(viewer.bundle))
        _ = try web.go(on: browser)?.get()
        #expect(running.shown == [WebSimulation.page()])
    }

    /// Shows X12, N03: neither the offered host nor the received one is trusted.
    @Test(arguments: [
        "https://evil.example.org/", "https://news.example.com@evil.example.org/",
        "https://user:secret@news.example.com/", "https://news.example.com:8443/", "ftp://news.example.com/",
        "javascript:alert(1)", "https://news.example.com/\n", "https://news.example.com./", "https://nеws.example.com/",
        "https://news.example.com/a/../b", "https://news.example.com/" + String(repeating: "a", count: 100_000),
    ])
    func addressThatIsNotWhatWasOfferedReachesNoApp(address: String) throws {
        let reader = try web.install("reader", on: web.desktop)
        try web.approve([reader.bundle], for: WebSimulation.site)
        let browser = web.browse()
        browser.navigate(to: WebSimulation.page(address))
        let failure = try #require(failure(try web.go(on: browser)))
        #expect(!failure.reason.isEmpty && !failure.reason.contains("example.org"))
        #expect(web.given(reader).isEmpty)
        let told = web.desktop.apps.filter { $0.app.bundle == reader.bundle }.flatMap(\.told.values)
        #expect(told == [[.willContinue, .failed(failure.code)]])
        #expect(browser.wasContinued == 0)
    }

    /// Shows N04. A host is only relevant for a page that is being browsed.
    @Test func hostIsIgnoredUnlessAPageIsBrowsed() throws {
        let reader = try web.install("reader", on: web.desktop)
        try web.approve([reader.bundle], for: WebSimulation.site)
        let app = web.run(web.simulation.installed[0], on: web.laptop)
        var state = WebSimulation.page()
        state.type = try ActivityType("com.example.viewing")
        app.offer(1, state, host: WebSimulation.site)
        #expect(web.listed(app)?.offer.webHost == nil)
        #expect(web.listed(app)?.target != .app(reader.bundle))
        app.offer(2, WebSimulation.page(), host: WebSimulation.site, hasPage: false)
        #expect(web.listed(app)?.offer.webHost == nil)
    }

    // Shows N03.
    @Test func mostRecentlyUsedClaimantTakesThePage() throws {
        let alpha = try web.install("alpha", on: web.desktop)
        let beta = try web.install("beta", on: web.desktop)
        try web.approve([alpha.bundle, beta.bundle], for: WebSimulation.site)
        let browser = web.browse()
        #expect(web.listed(browser)?.target == .app(alpha.bundle))
        _ = try web.go(on: browser, in: beta.bundle)?.get()
        #expect(web.listed(browser)?.target == .app(beta.bundle))
        #expect(web.given(beta).count == 1)
    }

    /// Shows N12, X10: a site that revokes its approval ends the continuation immediately.
    @Test func approvalThatEndsInTheMiddleEndsTheContinuation() throws {
        let reader = try web.install("reader", on: web.desktop)
        try web.approve([reader.bundle], for: WebSimulation.site)
        let running = web.run(reader, on: web.desktop)
        let control = web.desktop.control()
        // A site is not asked again immediately.
        web.simulation.time.advance(by: .seconds(20))
        running.onAnnounced = { [web] in
            web.desktop.sites.pages = [:]
            web.desktop.sites.latency = .microseconds(1)
            control.request(.webLinks(.refreshSites(WebSimulation.site)))
        }
        let browser = web.browse()
        #expect(failure(try web.go(on: browser)) == Failure(.noApp, ""))
        #expect(running.failures == [.noApp])
        #expect(running.shown.isEmpty)
    }

    /// Shows N01. Any browser can continue the page of a native activity, without the app's state.
    @Test func nativeActivityContinuesAsItsPageWithoutState() throws {
        let maker = try web.install("maker", team: 0, types: [.init("com.example.shopping")], on: web.laptop)
        let app = web.run(maker, on: web.laptop)
        var state = WebSimulation.page("https://shop.example.org/cart?x=%20", userInfo: WebSimulation.scrolled)
        state.type = try ActivityType("com.example.shopping")
        app.offer(1, state)
        #expect(web.listed(app)?.target == .webPage)
        state.userInfo = []
        #expect(try web.go(on: app)?.get().how == .state(state))
        let browser = WebProgram("Firefox", on: web.desktop)
        #expect(web.listed(app)?.targetName.text == "Firefox")
        #expect(try web.go(on: app)?.get().how == .pageShown)
        #expect(browser.shown == [state])
    }
}
