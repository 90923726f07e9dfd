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

    package init(
        app: InstalledApp, team: Team?, isTrusted: Bool = true, isRunning: Bool = false, recency: Int? = nil,
        obstacle: PolicySwitch? = nil
    ) {
        self.app = app
        self.team = team
        self.isTrusted = isTrusted
        self.isRunning = isRunning
        self.recency = recency
        self.obstacle = obstacle
    }

    /// Whether an app goes on with an offer, or why not.
    package enum Fit: Hashable, Sendable {
        /// It declares the type and lists this very title for it.
        case namesTitle
        case takesType
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
            case .namesTitle, .takesType: true
            case .otherTeam, .teamNotTrusted, .typeNotDeclared, .otherTitles, .switchedOff: false
            }
        }
    }

    package func fit(_ offer: Offer) -> Fit {
        guard app.activityTypes.contains(offer.type) else { return .typeNotDeclared }
        guard let team, team == offer.team else { return .otherTeam }
        guard isTrusted else { return .teamNotTrusted }
        if let obstacle { return .switchedOff(obstacle) }
        guard let titles = app.activityTitles[offer.type] else { return .takesType }
        // Boards carry cleaned titles, so the listed ones are cleaned before they are compared.
        return offer.title.map { title in titles.contains { DisplayText(cleaning: $0) == title } } ?? false
            ? .namesTitle : .otherTitles
    }
}
