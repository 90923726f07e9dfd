// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// Shows N03: which app continues a page that is being browsed, and why.
@Suite struct PageChoiceTests {
    private let site = try! WebHost("news.example.com")
    private let personal = Team.personal(AccountID(uncheckedBytes: Array(repeating: 1, count: 32)))
    private let ours = DeveloperTeam.made("ABCDE12345")
    private let theirs = DeveloperTeam.made("ZZZZZ99999", key: 2)
    private let firefox = DisplayText(cleaning: "Firefox")
    private let other = try! ActivityType("com.example.editing")

    /// As a browser on another device offers it.
    private func page(
        host: WebHost?, team: Team? = nil, type: ActivityType = .browsingWeb, title: String? = nil
    ) -> Offer {
        Offer(
            activity: BoardFixture.activity(1), type: type, title: title.map { DisplayText(cleaning: $0) },
            appName: DisplayText(cleaning: "Chromium"), team: team ?? personal, hasWebPage: true,
            since: BoardFixture.wallZero, webHost: host)
    }

    private var page: Offer { page(host: site) }

    private func app(
        _ name: String, by team: DeveloperTeam? = nil, types: Set<ActivityType> = [], titles: Set<String>? = nil,
        isApproved: Bool = false, isTrusted: Bool = true, isRunning: Bool = false, recency: Int? = nil,
        obstacle: PolicySwitch? = nil, signed: Bool = true
    ) -> AppCandidate {
        let team = team ?? theirs
        let app = InstalledApp(
            bundle: try! BundleID("com.example.\(name)"), name: DisplayText(cleaning: name),
            signer: signed ? .team(team, name: DisplayText(cleaning: "Makers")) : .development, activityTypes: types,
            activityTitles: titles.map { [.browsingWeb: $0] } ?? [:], path: "/apps/\(name).app",
            executable: "/apps/\(name).app/Contents/Linux/\(name)")
        return AppCandidate(
            app: app, team: signed ? .developer(team) : personal, isTrusted: isTrusted, isRunning: isRunning,
            recency: recency, obstacle: obstacle, isApproved: isApproved)
    }

    private func resolve(
        _ offer: Offer, _ apps: [AppCandidate], browser: Bool = false, choice: WebTaker? = nil, only: String? = nil,
        inBrowser: Bool = false
    ) -> Resolution {
        Resolution.of(
            offer, wish: Resolution.Wish(app: only.map { try! BundleID("com.example.\($0)") }, inBrowser: inBrowser),
            among: Resolution.Candidates(
                apps: apps, browser: browser ? firefox : nil, choice: choice, personalTeam: personal))
    }

    private func bundle(_ name: String) -> BundleID { try! BundleID("com.example.\(name)") }

    // MARK: The order

    // Shows N02.
    @Test func pageTargetsFollowTheDocumentedOrder() {
        let approved = app("reader", isApproved: true)
        let own = app("maker", by: ours, types: [.browsingWeb])
        let shower = app("viewer", types: [.browsingWeb], isRunning: true)
        let offer = page(host: site, team: .developer(ours))
        let all = resolve(offer, [approved, own, shower], browser: true)
        #expect(all.target == .app(bundle("reader")) && all.isPageAlone && all.isForBrowserToo)
        #expect(all.reason == "news.example.com and reader approve each other")
        let withoutSite = resolve(offer, [own, shower], browser: true)
        #expect(withoutSite.target == .app(bundle("maker")) && !withoutSite.isPageAlone && withoutSite.isForBrowserToo)
        #expect(withoutSite.reason == "maker is of the same team and supports this activity type")
        let withBrowser = resolve(offer, [shower], browser: true)
        #expect(withBrowser.target == .webPage && withBrowser.targetName == firefox && withBrowser.isPageAlone)
        #expect(withBrowser.reason == "no installed app is approved for news.example.com; Firefox shows its web page")
        let withShower = resolve(offer, [shower])
        #expect(withShower.target == .app(bundle("viewer")) && withShower.isPageAlone)
        #expect(
            withShower.reason
                == "no installed app is approved for news.example.com; viewer shows web pages and is running")
        let nobody = resolve(offer, [])
        #expect(nobody.target == .webPage && nobody.targetName.isEmpty && nobody.isPageAlone)
        #expect(
            nobody.reason == "no installed app is approved for news.example.com; the default browser opens its web page"
        )
    }

    /// Shows N02: an app of another team that shows pages is not started for one.
    @Test func browserAppThatDoesNotRunIsNotStarted() {
        #expect(resolve(page, [app("viewer", types: [.browsingWeb])]).target == .webPage)
        #expect(
            resolve(page, [app("viewer", types: [.browsingWeb])], only: "viewer").target == .app(bundle("viewer")))
    }

    @Test func sharedHostGoesToMostRecentAppThenFirstByName() {
        let used = [
            app("alpha", isApproved: true, isRunning: true, recency: 4), app("beta", isApproved: true, recency: 1),
        ]
        #expect(resolve(page, used).target == .app(bundle("beta")))
        #expect(resolve(page, used).reason.hasSuffix("was used most recently"))
        let unused = [app("beta", isApproved: true), app("alpha", isApproved: true)]
        #expect(resolve(page, unused).target == .app(bundle("alpha")))
        #expect(resolve(page, unused).reason.hasSuffix("is first by name"))
    }

    // MARK: Apps without permission

    /// Shows X10, N04: an approval is valid for a signed app of a trusted team, for a page that is being browsed.
    @Test func approvalRequiresTrustedSignedAppAndBrowsedPage() {
        #expect(resolve(page, [app("reader", isApproved: true, signed: false)]).target == .webPage)
        let stranger = resolve(page, [app("reader", isApproved: true, isTrusted: false)])
        #expect(stranger.target == .webPage)
        #expect(
            stranger.reason
                == "reader is approved for this site, but team ZZZZZ99999 is not trusted on this device; "
                + "the default browser opens its web page")
        let off = PolicySwitch(PolicySubject(.receiving, of: bundle("reader")))
        let switchedOff = resolve(page, [app("reader", isApproved: true, obstacle: off)])
        #expect(switchedOff.target == .webPage && switchedOff.reason.hasPrefix(off.reason))
        let native = page(host: site, team: .developer(ours), type: other)
        #expect(resolve(native, [app("reader", isApproved: true)]).target == .webPage)
        #expect(resolve(page(host: nil), [app("reader", isApproved: true)]).target == .webPage)
    }

    @Test func unapprovedAppIsRefusedWithAReason() {
        let reader = [app("reader")]
        #expect(
            resolve(page, reader, only: "reader").target
                == .nothing("reader is not approved for news.example.com, and is not a browser"))
        #expect(
            resolve(page(host: nil), reader, only: "reader").target
                == .nothing("reader is not a browser, and no other app handles such an address"))
        #expect(resolve(page, reader, only: "absent").target == .nothing("com.example.absent is not installed"))
    }

    @Test func titlesOfABrowserAppCount() {
        let viewer = app("viewer", types: [.browsingWeb], titles: ["Weather"], isRunning: true)
        #expect(resolve(page(host: site, title: "Weather"), [viewer]).target == .app(bundle("viewer")))
        #expect(resolve(page(host: site, title: "News"), [viewer]).target == .webPage)
    }

    // MARK: The user's choice

    @Test func theChoiceGoesFirst() {
        let apps = [app("reader", isApproved: true, recency: 0), app("paper", isApproved: true)]
        let chosen = resolve(page, apps, choice: .app(bundle("paper")))
        #expect(chosen.target == .app(bundle("paper")) && chosen.isPageAlone)
        #expect(chosen.reason == "you chose paper for news.example.com")
        let browser = resolve(page, apps, browser: true, choice: .browser)
        #expect(browser.target == .webPage && browser.targetName == firefox)
        #expect(browser.reason == "you chose the browser for news.example.com; Firefox shows its web page")
        let viewer = app("viewer", types: [.browsingWeb])
        #expect(resolve(page, apps + [viewer], choice: .app(viewer.app.bundle)).target == .app(viewer.app.bundle))
    }

    /// The choice is kept, but is not used without the approval.
    @Test func unapprovedChosenAppIsSkippedWithAReason() {
        let apps = [app("reader", isApproved: true), app("paper")]
        let resolution = resolve(page, apps, choice: .app(bundle("paper")))
        #expect(resolution.target == .app(bundle("reader")))
        #expect(
            resolution.reason
                == "news.example.com and reader approve each other; the app you chose for news.example.com "
                + "cannot: paper is not approved for news.example.com, and is not a browser")
    }

    @Test func askingForTheBrowserSkipsTheAppsAndTheChoice() {
        let apps = [app("reader", isApproved: true)]
        let resolution = resolve(page, apps, browser: true, choice: .app(bundle("reader")), inBrowser: true)
        #expect(resolution.target == .webPage && resolution.targetName == firefox)
        #expect(resolution.reason == "you asked for a browser; Firefox shows its web page")
        var pageless = page
        pageless.hasWebPage = false
        #expect(resolve(pageless, apps, inBrowser: true).target == .nothing("this activity has no web page"))
    }

    // MARK: Native activities

    /// Shows N01.
    @Test func pageOfNativeActivityIsShownWithoutItsApp() {
        let native = page(host: nil, team: .developer(ours), type: other)
        let missing = "no app of team ABCDE12345 is installed"
        #expect(resolve(native, []).reason == "\(missing); the default browser opens its web page")
        let running = resolve(native, [], browser: true)
        #expect(running.target == .webPage && running.targetName == firefox && running.isPageAlone)
        #expect(running.reason == "\(missing); Firefox shows its web page")
        let editor = app("editor", by: ours, types: [other])
        let inApp = resolve(native, [editor], browser: true)
        #expect(inApp.target == .app(bundle("editor")) && inApp.isForBrowserToo && !inApp.isPageAlone)
        #expect(resolve(native, [editor], browser: true, inBrowser: true).target == .webPage)
    }

    @Test func hostIsResolvedLikeABrowsedPage() {
        let offer = Offer.page(of: site, in: nil)
        #expect(offer.isBrowsedPage && offer.isFromBrowser && offer.browsedHost == site)
        #expect(resolve(offer, [app("reader", isApproved: true)]).target == .app(bundle("reader")))
    }
}
