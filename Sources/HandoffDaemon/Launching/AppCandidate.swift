// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

struct AppCandidate: Hashable, Sendable {
    var app: InstalledApp
    /// Nil for an app under development on a device without an account.
    var team: Team?
    /// On this device.
    var isTrusted: Bool = true
    var isRunning: Bool = false
    /// 0: most recently used. Nil: never used.
    var recency: Int?
    var obstacle: PolicySwitch?
    /// By the site of the offered host. Ignored for apps under development.
    var isApproved: Bool = false
    /// By the user, in `handoff programs prefer`.
    var isPreferred: Bool = false
    /// Indexed the item, so it need not declare the type.
    var isIndexer: Bool = false

    enum Fit: Hashable, Sendable {
        /// Lists this exact title for the type.
        case namesTitle
        case takesType
        /// By the site, so the origin's team does not matter.
        case approved
        /// From another team. Used only if it runs or was chosen.
        case showsPages
        /// The keys differ, even if the Team ID is equal.
        case otherTeam
        case teamNotTrusted
        case typeNotDeclared
        case otherTitles
        case switchedOff(PolicySwitch)

        var isCandidate: Bool {
            switch self {
            case .namesTitle, .takesType, .approved: true
            case .showsPages, .otherTeam, .teamNotTrusted, .typeNotDeclared, .otherTitles, .switchedOff: false
            }
        }

        var mayBeChosen: Bool { isCandidate || self == .showsPages }

        /// Without other data of the activity.
        var isPageAlone: Bool { self == .approved || self == .showsPages }
    }

    func isApproved(for offer: Offer) -> Bool {
        isApproved && !app.isInDevelopment && offer.browsedHost != nil
    }

    func fit(_ offer: Offer) -> Fit {
        let isApproved = isApproved(for: offer)
        guard isApproved || isIndexer || app.activityTypes.contains(offer.type) else { return .typeNotDeclared }
        let isOwn = team != nil && team == offer.team
        guard isApproved || isOwn || (offer.isBrowsedPage && team != nil) else { return .otherTeam }
        guard isTrusted else { return .teamNotTrusted }
        if let obstacle { return .switchedOff(obstacle) }
        if isApproved { return .approved }
        guard let titles = app.activityTitles[offer.type] else { return isOwn ? .takesType : .showsPages }
        // Titles on boards are cleaned too.
        let isListed = offer.title.map { title in titles.contains { DisplayText(cleaning: $0) == title } } ?? false
        guard isListed else { return .otherTitles }
        return isOwn ? .namesTitle : .showsPages
    }
}

/// Chooses the app that continues an offer. A candidate's team is trusted here, and either is the origin's and the app
/// declares the type, or the page's site approves the app. An app that lists titles for the type takes only those.
enum AppChoice {
    /// Best first: the site's apps by recency, the preferred app, the app that lists the title, the origin's app, the
    /// desktop's default, running apps by recency, other apps by recency, then by name.
    static func ranked(_ candidates: [AppCandidate], for offer: Offer) -> [AppCandidate] {
        candidates.filter { $0.fit(offer).isCandidate }.sorted { rank($0, offer) < rank($1, offer) }
    }

    static func runningBrowsers(_ candidates: [AppCandidate], for offer: Offer) -> [AppCandidate] {
        candidates.filter { $0.isRunning && $0.fit(offer) == .showsPages }.sorted { rank($0, offer) < rank($1, offer) }
    }

    private static func rank(_ candidate: AppCandidate, _ offer: Offer) -> Rank {
        Rank(
            preferences: preferences(candidate, candidate.fit(offer), offer), name: candidate.app.name.text,
            bundle: candidate.app.bundle)
    }

    private static func preferences(_ candidate: AppCandidate, _ fit: AppCandidate.Fit, _ offer: Offer) -> [Int] {
        let recency = candidate.recency ?? .max
        guard fit != .approved else { return [0, recency] }
        return [
            1, candidate.isPreferred ? 0 : 1, fit == .namesTitle ? 0 : 1, candidate.app.bundle == offer.bundle ? 0 : 1,
            candidate.app.isDefault ? 0 : 1, candidate.isRunning ? 0 : 1, recency,
        ]
    }

    private struct Rank: Comparable {
        let preferences: [Int]
        let name: String
        /// Breaks ties.
        let bundle: BundleID

        static func < (left: Rank, right: Rank) -> Bool {
            if left.preferences != right.preferences {
                return left.preferences.lexicographicallyPrecedes(right.preferences)
            }
            return (left.name, left.bundle) < (right.name, right.bundle)
        }
    }
}

struct Misfit: Hashable, Sendable {
    let reason: String
    /// A clause. Nil: nothing helps, or `reason` says it.
    let advice: String?

    private init(_ reason: String, advice: String?) { (self.reason, self.advice) = (reason, advice) }

    init(_ fit: AppCandidate.Fit, _ candidate: AppCandidate, _ offer: Offer) {
        reason = Self.reason(fit, candidate, offer)
        advice =
            switch fit {
            case .namesTitle, .takesType, .approved, .showsPages, .otherTitles: nil
            case .typeNotDeclared: offer.browsedHost.map(Self.checking)
            case .switchedOff(let obstacle): obstacle.advice
            case .otherTeam: "install the app that the origin has, of the same team and key: handoff app list"
            case .teamNotTrusted: "trust it: handoff team trust"
            }
    }

    private static func reason(_ fit: AppCandidate.Fit, _ candidate: AppCandidate, _ offer: Offer) -> String {
        let name = candidate.app.name
        return switch fit {
        case .namesTitle, .takesType, .approved, .showsPages: "\(name) could continue it"
        case .typeNotDeclared: notDeclared(candidate, offer)
        case .otherTitles: "\(name) supports this activity type, but only with other titles"
        case .switchedOff(let obstacle): obstacle.reason
        case .otherTeam: otherTeam(candidate, offer)
        case .teamNotTrusted: notTrusted(candidate, offer)
        }
    }

    static func nearest(_ offer: Offer, _ candidates: [AppCandidate]) -> Misfit {
        let byName = candidates.sorted { ($0.app.name.text, $0.app.bundle) < ($1.app.name.text, $1.app.bundle) }
        let misses = byName.map { (candidate: $0, fit: $0.fit(offer)) }
        func first(_ isMeant: (AppCandidate.Fit) -> Bool) -> Misfit? {
            misses.first { isMeant($0.fit) }.map { Misfit($0.fit, $0.candidate, offer) }
        }
        if let near = first({ $0 == .otherTitles }) ?? first(\.isSwitchedOff) ?? first({ $0 == .teamNotTrusted })
            ?? first({ $0 == .otherTeam })
        {
            return near
        }
        if offer.isBrowsedPage {
            let reason =
                offer.browsedHost.map { "no installed app is approved for \($0)" }
                ?? "no app handles such an address"
            return Misfit(reason, advice: offer.browsedHost.map(checking))
        }
        return byName.contains { $0.team == offer.team }
            ? Misfit(
                "no installed app of \(offer.team.phrase) supports this activity type",
                advice: "install or update the app that the origin has: handoff app list")
            : Misfit(
                "no app of \(offer.team.phrase) is installed",
                advice: "install the app that the origin has: handoff app install")
    }

    private static func checking(_ host: WebHost) -> String { "run: handoff web check https://\(host)" }

    private static func notDeclared(_ candidate: AppCandidate, _ offer: Offer) -> String {
        guard offer.isBrowsedPage else { return "\(candidate.app.name) does not declare this activity type" }
        return offer.browsedHost.map { "\(candidate.app.name) is not approved for \($0), and is not a browser" }
            ?? "\(candidate.app.name) is not a browser, and no other app handles such an address"
    }

    private static func otherTeam(_ candidate: AppCandidate, _ offer: Offer) -> String {
        let misses = "\(candidate.app.name) supports this activity type but belongs to"
        guard let theirs = candidate.team else { return "\(misses) no team, because this device has no account" }
        if let twins = twins(theirs, offer.team) {
            return "\(misses) another team that also calls itself \(twins), with a different key"
        }
        return "\(misses) \(theirs.phrase), not to \(offer.team.phrase)"
    }

    private static func notTrusted(_ candidate: AppCandidate, _ offer: Offer) -> String {
        let theirs = candidate.team ?? offer.team
        return candidate.isApproved(for: offer)
            ? "\(candidate.app.name) is approved for this site, but \(theirs.phrase) is not trusted on this device"
            : "\(candidate.app.name) supports this activity type, but \(theirs.phrase) is not trusted on this device"
    }

    private static func twins(_ left: Team, _ right: Team) -> TeamID? {
        guard case .developer(let left) = left, case .developer(let right) = right, left.id == right.id else {
            return nil
        }
        return left.id
    }
}

extension AppCandidate.Fit {
    fileprivate var isSwitchedOff: Bool {
        if case .switchedOff = self { true } else { false }
    }
}

extension Team {
    fileprivate var phrase: String {
        switch self {
        case .personal: "the personal team"
        case .system: "the system programs"
        case .developer(let team): "team \(team.id)"
        }
    }
}
