// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// Shows B03, B04, B05: which app continues an offer, and why none does.
@Suite struct AppChoiceTests {
    private let editing = try! ActivityType("com.example.editing")
    private let reading = try! ActivityType("com.example.reading")
    private let ours = Team.made("ABCDE12345")
    private let theirs = Team.made("ZZZZZ99999", key: 2)
    private let personal = Team.personal(AccountID(uncheckedBytes: Array(repeating: 1, count: 32)))

    private func offer(title: String? = nil, from bundle: String? = nil, team: Team? = nil, page: Bool = false) -> Offer
    {
        Offer(
            activity: BoardFixture.activity(1), type: editing, title: title.map { DisplayText(cleaning: $0) },
            bundle: bundle.map { try! BundleID($0) }, appName: DisplayText(cleaning: "Editor"), team: team ?? ours,
            hasWebPage: page, since: BoardFixture.wallZero)
    }

    private func app(
        _ name: String, types: Set<ActivityType>? = nil, titles: Set<String>? = nil, team: Team? = nil,
        isTrusted: Bool = true, isRunning: Bool = false, recency: Int? = nil, isDefault: Bool = false,
        isPreferred: Bool = false
    ) -> AppCandidate {
        let app = InstalledApp(
            bundle: try! BundleID("com.example.\(name)"), name: DisplayText(cleaning: name), signer: .development,
            activityTypes: types ?? [editing], activityTitles: titles.map { [editing: $0] } ?? [:],
            path: "/apps/\(name).app", executable: "/apps/\(name).app/Contents/Linux/\(name)",
            isDefault: isDefault)
        return AppCandidate(
            app: app, team: team ?? ours, isTrusted: isTrusted, isRunning: isRunning, recency: recency,
            isPreferred: isPreferred)
    }

    private func ranked(_ candidates: [AppCandidate], for offer: Offer) -> [String] {
        AppChoice.ranked(candidates, for: offer).map(\.app.name.text)
    }

    private func target(
        _ offer: Offer, _ candidates: [AppCandidate], only: String? = nil
    ) -> ListedActivity.Target {
        Resolution.of(
            offer, wish: Resolution.Wish(app: only.map { try! BundleID("com.example.\($0)") }),
            among: Resolution.Candidates(apps: candidates, personalTeam: personal)
        ).target
    }

    /// Shows B03, X10.
    @Test func appsOfAnotherTeamAreNotCandidates() {
        #expect(ranked([app("mine"), app("strangers", team: theirs)], for: offer()) == ["mine"])
    }

    /// Shows B03, T08: the Team ID alone is not sufficient.
    @Test func appsWithTheSameTeamIDButAnotherKeyAreNotCandidates() {
        let twins = Team.made("ABCDE12345", key: 2)
        #expect(ranked([app("mine"), app("twin", team: twins)], for: offer()) == ["mine"])
        #expect(ranked([app("mine"), app("twin", team: twins)], for: offer(team: twins)) == ["twin"])
        let why =
            "twin supports this activity type but belongs to another team that also calls itself ABCDE12345, with a different key"
        #expect(target(offer(), [app("twin", team: twins)]) == .nothing(why))
        #expect(target(offer(), [app("twin", team: twins)], only: "twin") == .nothing(why))
    }

    /// Shows B03, X10: until the user trusts its team here, an installed app receives nothing.
    @Test func appsOfAnUntrustedTeamAreNotCandidates() {
        let why = "mine supports this activity type, but team ABCDE12345 is not trusted on this device"
        #expect(ranked([app("mine", isTrusted: false)], for: offer()).isEmpty)
        #expect(target(offer(), [app("mine", isTrusted: false)]) == .nothing(why))
        #expect(target(offer(), [app("mine", isTrusted: false)], only: "mine") == .nothing(why))
        #expect(target(offer(page: true), [app("mine", isTrusted: false)]) == .webPage)
    }

    /// Shows M01.
    @Test func preferredAppPrecedesTheOriginsAndThatTheDesktopsDefault() {
        let others = [
            app("running", isRunning: true, recency: 0), app("default", isDefault: true), app("origin"),
        ]
        #expect(
            ranked(others + [app("preferred", isPreferred: true)], for: offer(from: "com.example.origin"))
                == ["preferred", "origin", "default", "running"])
        let stranger = app("stranger", team: theirs, isPreferred: true)
        #expect(ranked([stranger, app("mine")], for: offer()) == ["mine"])
    }

    /// Shows B04.
    @Test func onlyDeclaringAppsAreCandidates() {
        #expect(ranked([app("reader", types: [reading]), app("editor")], for: offer()) == ["editor"])
    }

    /// Shows B05.
    @Test func appThatListsTheTitleWins() {
        let general = app("general", isRunning: true, recency: 0)
        let weather = app("weather", titles: ["Weather"])
        let fromGeneral = offer(title: "Weather", from: "com.example.general")
        #expect(ranked([general, weather], for: fromGeneral).first == "weather")
        #expect(ranked([general, weather], for: offer(title: "News")) == ["general"])
        #expect(ranked([general, weather], for: offer(title: nil)) == ["general"])
    }

    @Test func listedTitleIsComparedAsBoardsShowIt() {
        let weather = app("weather", titles: ["Weather\u{202E} \n today"])
        #expect(ranked([weather], for: offer(title: "Weather today")) == ["weather"])
    }

    @Test func titlesOfAnUndeclaredTypeAreIgnored() {
        #expect(ranked([app("odd", types: [reading], titles: ["Weather"])], for: offer(title: "Weather")).isEmpty)
    }

    @Test func orderIsOriginThenRunningThenRecentThenName() {
        let candidates = [
            app("zebra"), app("apple"), app("recent", recency: 1), app("lately", recency: 0),
            app("awake", isRunning: true, recency: 3), app("busy", isRunning: true, recency: 2), app("origin"),
        ]
        let expected = ["origin", "busy", "awake", "lately", "recent", "apple", "zebra"]
        #expect(ranked(candidates, for: offer(from: "com.example.origin")) == expected)
        #expect(ranked(candidates.reversed(), for: offer(from: "com.example.origin")) == expected)
    }

    @Test func resolvesToTheBestApp() throws {
        #expect(target(offer(page: true), [app("editor")]) == .app(try BundleID("com.example.editor")))
    }

    @Test func resolvesToTheWebPageWithoutAnApp() {
        #expect(target(offer(page: true), [app("reader", types: [reading])]) == .webPage)
        #expect(target(offer(team: personal, page: true), []) == .webPage)
    }

    /// Shows L09.
    @Test func resolvesToAScriptWithinThePersonalTeam() {
        #expect(target(offer(team: personal), [app("editor")]) == .script)
    }

    @Test(arguments: [
        ([], "no app of team ABCDE12345 is installed"),
        (["reader"], "no installed app of team ABCDE12345 supports this activity type"),
        (
            ["reader", "stranger"],
            "stranger supports this activity type but belongs to team ZZZZZ99999, not to team ABCDE12345"
        ),
        (["stranger", "narrow"], "narrow supports this activity type, but only with other titles"),
        (["foreign"], "no app of team ABCDE12345 is installed"),
    ])
    func missingTargetHasAReason(names: [String], reason: String) {
        let apps = [
            "reader": app("reader", types: [reading]), "stranger": app("stranger", team: theirs),
            "narrow": app("narrow", titles: ["Weather"]), "foreign": app("foreign", types: [reading], team: theirs),
        ]
        #expect(target(offer(title: "News"), names.compactMap { apps[$0] }) == .nothing(reason))
    }

    @Test func appAskedForByNameStillHasToBeAllowed() throws {
        let apps = [
            app("editor"), app("other"), app("reader", types: [reading]), app("stranger", team: theirs),
            app("narrow", titles: ["Weather"]),
        ]
        #expect(target(offer(), apps, only: "other") == .app(try BundleID("com.example.other")))
        #expect(target(offer(), apps, only: "absent") == .nothing("com.example.absent is not installed"))
        #expect(target(offer(), apps, only: "reader") == .nothing("reader does not declare this activity type"))
        #expect(
            target(offer(), apps, only: "stranger")
                == .nothing(
                    "stranger supports this activity type but belongs to team ZZZZZ99999, not to team ABCDE12345"))
        #expect(
            target(offer(), apps, only: "narrow")
                == .nothing("narrow supports this activity type, but only with other titles"))
    }

    @Test func appWithoutATeamTakesNothing() {
        let candidate = AppCandidate(app: app("editor").app, team: nil)
        #expect(candidate.fit(offer()) == .otherTeam)
        let why = "editor supports this activity type but belongs to no team, because this device has no account"
        #expect(target(offer(), [candidate]) == .nothing(why))
    }
}
