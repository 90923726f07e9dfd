// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

struct AppCandidate: Hashable, Sendable {
    var app: InstalledApp
    /// Nil for an app under development on a device without an account.
    var team: Team?
    /// The user trusts the app's team on this device.
    var isTrusted: Bool = true
    var isRunning: Bool = false
    /// 0 for the most recently used app; nil if it was never used.
    var recency: Int?
    var obstacle: PolicySwitch?
    /// The site of the offered host approves the app's claim. Only applies to signed apps.
    var isApproved: Bool = false

    enum Fit: Hashable, Sendable {
        /// The app declares the type and lists this exact title for it.
        case namesTitle
        case takesType
        /// The site approves the app, so the team of the origin is irrelevant.
        case approved
        /// The app shows web pages but belongs to a different team from the origin's. It is used only if it is running
        /// or was chosen.
        case showsPages
        /// The key differs, even if the Team ID is equal.
        case otherTeam
        case teamNotTrusted
        case typeNotDeclared
        case otherTitles
        /// The app would fit, but the policy prevents it from receiving.
        case switchedOff(PolicySwitch)

        var isCandidate: Bool {
            switch self {
            case .namesTitle, .takesType, .approved: true
            case .showsPages, .otherTeam, .teamNotTrusted, .typeNotDeclared, .otherTitles, .switchedOff: false
            }
        }

        var mayBeChosen: Bool { isCandidate || self == .showsPages }

        /// The app receives the page but no other data of the activity.
        var isPageAlone: Bool { self == .approved || self == .showsPages }
    }

    func isApproved(for offer: Offer) -> Bool {
        isApproved && !app.isInDevelopment && offer.browsedHost != nil
    }

    func fit(_ offer: Offer) -> Fit {
        let isApproved = isApproved(for: offer)
        guard isApproved || app.activityTypes.contains(offer.type) else { return .typeNotDeclared }
        let isOwn = team != nil && team == offer.team
        guard isApproved || isOwn || (offer.isBrowsedPage && team != nil) else { return .otherTeam }
        guard isTrusted else { return .teamNotTrusted }
        if let obstacle { return .switchedOff(obstacle) }
        if isApproved { return .approved }
        guard let titles = app.activityTitles[offer.type] else { return isOwn ? .takesType : .showsPages }
        // Titles on boards are cleaned, so listed titles are cleaned before the comparison.
        let isListed = offer.title.map { title in titles.contains { DisplayText(cleaning: $0) == title } } ?? false
        guard isListed else { return .otherTitles }
        return isOwn ? .namesTitle : .showsPages
    }
}
