// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// An installed app, with what counts when one is chosen.
package struct AppCandidate: Hashable, Sendable {
    package var app: InstalledApp
    /// Nil: under development, and no account.
    package var team: Team?
    /// Its user trusts that team here.
    package var isTrusted: Bool
    /// It has a client that takes continuations.
    package var isRunning: Bool
    /// 0 for the app used last, then upwards; nil if it was never used.
    package var recency: Int?
    /// Set where this app is to receive nothing.
    package var obstacle: PolicySwitch?
    /// The site of the host that is offered approves of its claim. Counts for a signed app alone.
    package var isApproved: Bool

    package init(
        app: InstalledApp, team: Team?, isTrusted: Bool = true, isRunning: Bool = false, recency: Int? = nil,
        obstacle: PolicySwitch? = nil, isApproved: Bool = false
    ) {
        self.app = app
        self.team = team
        self.isTrusted = isTrusted
        self.isRunning = isRunning
        self.recency = recency
        self.obstacle = obstacle
        self.isApproved = isApproved
    }

    /// Whether an app continues an offer, or why not.
    package enum Fit: Hashable, Sendable {
        /// It declares the type and lists this very title for it.
        case namesTitle
        case takesType
        /// It is the app of that site, whoever offers the page.
        case approved
        /// It shows web pages, but is of another team than who offers this one: only where it runs, or was chosen.
        case showsPages
        /// Another key, whatever the Team ID.
        case otherTeam
        case teamNotTrusted
        case typeNotDeclared
        /// It wants the type with other titles only.
        case otherTitles
        /// It would, but is to receive nothing.
        case switchedOff(PolicySwitch)

        package var isCandidate: Bool {
            switch self {
            case .namesTitle, .takesType, .approved: true
            case .showsPages, .otherTeam, .teamNotTrusted, .typeNotDeclared, .otherTitles, .switchedOff: false
            }
        }

        package var mayBeChosen: Bool { isCandidate || self == .showsPages }

        /// It gets the page and nothing else of the activity.
        package var isPageAlone: Bool { self == .approved || self == .showsPages }
    }

    /// Whether its claim of the host that is offered counts.
    package func isApproved(for offer: Offer) -> Bool {
        isApproved && !app.isInDevelopment && offer.browsedHost != nil
    }

    package func fit(_ offer: Offer) -> Fit {
        let isApproved = isApproved(for: offer)
        guard isApproved || app.activityTypes.contains(offer.type) else { return .typeNotDeclared }
        let isOwn = team != nil && team == offer.team
        guard isApproved || isOwn || (offer.isBrowsedPage && team != nil) else { return .otherTeam }
        guard isTrusted else { return .teamNotTrusted }
        if let obstacle { return .switchedOff(obstacle) }
        if isApproved { return .approved }
        guard let titles = app.activityTitles[offer.type] else { return isOwn ? .takesType : .showsPages }
        // Boards carry cleaned titles, so the listed ones are cleaned before they are compared.
        let isListed = offer.title.map { title in titles.contains { DisplayText(cleaning: $0) == title } } ?? false
        guard isListed else { return .otherTitles }
        return isOwn ? .namesTitle : .showsPages
    }
}
