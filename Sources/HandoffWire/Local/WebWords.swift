// SPDX-License-Identifier: Apache-2.0

extension LocalMessage {
    /// Which apps continue pages of which sites, as the sites say.
    package enum WebLinks: Hashable, Sendable {
        case listSites
        /// Nil: all of them.
        case refreshSites(WebHost?)
        case siteList([SiteSummary])
        case checkWebPage(String)
        case webPageCheck(WebPageCheck)
    }

    /// And as the user says.
    package enum WebChoices: Hashable, Sendable {
        case listWebChoices
        /// Nil: nothing is chosen any more.
        case chooseForHost(WebHost, WebTaker?)
        case webChoices([WebChoice])
    }
}

/// A site that an installed app claims, and what it said of its apps.
package struct SiteSummary: Hashable, Sendable {
    package enum Standing: Int, Sendable, Hashable, CaseIterable {
        case notAsked = 1
        case answered = 2
        /// It could not be asked again; its last answer counts.
        case kept = 3
        /// And nothing of it counts any more.
        case unreachable = 4
        /// It has no file.
        case refused = 5
        /// More sites are claimed than are asked.
        case surplus = 6
    }

    package var host: WebHost
    /// Claimed for development: it may be on this machine or in a private network.
    package var mayBePrivate: Bool
    package var standing: Standing
    /// Why it is kept, unreachable or refused.
    package var reason: String?
    package var answered: WallTime?
    package var tried: WallTime?
    /// Its file was not at the well-known place.
    package var isAtRoot: Bool
    package var isSigned: Bool
    /// That claim it.
    package var apps: [BundleID]

    package init(
        host: WebHost, mayBePrivate: Bool = false, standing: Standing, reason: String? = nil, answered: WallTime? = nil,
        tried: WallTime? = nil, isAtRoot: Bool = false, isSigned: Bool = false, apps: [BundleID]
    ) {
        self.host = host
        self.mayBePrivate = mayBePrivate
        self.standing = standing
        self.reason = reason
        self.answered = answered
        self.tried = tried
        self.isAtRoot = isAtRoot
        self.isSigned = isSigned
        self.apps = apps
    }
}

/// Who continues the pages of a host.
package enum WebTaker: Hashable, Sendable {
    case app(BundleID)
    case browser
}

/// The user's choice.
package struct WebChoice: Hashable, Sendable {
    package var host: WebHost
    package var taker: WebTaker

    package init(_ host: WebHost, _ taker: WebTaker) {
        self.host = host
        self.taker = taker
    }
}

/// What would become of a page, step by step.
package struct WebPageCheck: Hashable, Sendable {
    /// Nil: no app handles such an address.
    package var host: WebHost?
    /// Why not.
    package var problem: String?
    package var claims: [CheckedClaim]
    /// That were looked at.
    package var sites: [SiteSummary]
    package var taker: WebTaker
    package var takerName: DisplayText
    /// Why it and no other.
    package var reason: String

    package init(
        host: WebHost?, problem: String? = nil, claims: [CheckedClaim] = [], sites: [SiteSummary] = [], taker: WebTaker,
        takerName: DisplayText, reason: String
    ) {
        self.host = host
        self.problem = problem
        self.claims = claims
        self.sites = sites
        self.taker = taker
        self.takerName = takerName
        self.reason = reason
    }
}

/// An entry in an app's entitlements that is about the host of a page.
package struct CheckedClaim: Hashable, Sendable {
    package var app: BundleID
    package var appName: DisplayText
    package var entry: String
    package var counts: Bool
    package var reason: String
    /// How the site's file was read.
    package var steps: [String]

    package init(
        app: BundleID, appName: DisplayText, entry: String, counts: Bool, reason: String, steps: [String] = []
    ) {
        self.app = app
        self.appName = appName
        self.entry = entry
        self.counts = counts
        self.reason = reason
        self.steps = steps
    }
}
