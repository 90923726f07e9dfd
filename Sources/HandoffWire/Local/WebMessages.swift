// SPDX-License-Identifier: Apache-2.0

extension LocalMessage {
    /// By the sites' files.
    package enum WebLinks: Hashable, Sendable {
        case listSites
        /// Nil: all.
        case refreshSites(WebHost?)
        case siteList([SiteSummary])
        case checkWebPage(String)
        case webPageCheck(WebPageCheck)
    }

    /// By the user's choice.
    package enum WebChoices: Hashable, Sendable {
        case listWebChoices
        /// Nil: forgets the choice.
        case chooseForHost(WebHost, WebTaker?)
        case webChoices([WebChoice])
    }
}

package struct SiteSummary: Hashable, Sendable {
    package enum Standing: Int, Sendable, Hashable, CaseIterable {
        case notAsked = 1
        case answered = 2
        /// Could not be asked again; its last answer stays valid.
        case kept = 3
        /// Its last answer is invalid too.
        case unreachable = 4
        /// It has no file.
        case refused = 5
        /// More sites are claimed than are asked.
        case surplus = 6
    }

    package var host: WebHost
    /// Claimed for development: may be in a private network.
    package var mayBePrivate: Bool
    package var standing: Standing
    package var reason: String?
    package var answered: WallTime?
    package var tried: WallTime?
    package var isAtRoot: Bool
    package var isSigned: Bool
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

package enum WebTaker: Hashable, Sendable {
    case app(BundleID)
    case browser
}

package struct WebChoice: Hashable, Sendable {
    package var host: WebHost
    package var taker: WebTaker

    package init(_ host: WebHost, _ taker: WebTaker) {
        self.host = host
        self.taker = taker
    }
}

package struct WebPageCheck: Hashable, Sendable {
    /// Nil: no app handles such addresses.
    package var host: WebHost?
    package var problem: String?
    package var claims: [CheckedClaim]
    package var sites: [SiteSummary]
    package var taker: WebTaker
    package var takerName: DisplayText
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

package struct CheckedClaim: Hashable, Sendable {
    package var app: BundleID
    package var appName: DisplayText
    package var entry: String
    package var counts: Bool
    package var reason: String
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
