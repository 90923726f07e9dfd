// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// An installed app's claim, in entitlements signed by its team, that it belongs to a site. Only the site can confirm
/// it.
struct SiteClaim: Hashable, Sendable {
    let site: Site
    let app: BundleID

    init(_ site: Site, by app: BundleID) {
        self.site = site
        self.app = app
    }
}

/// What is known about a site now. The reader of the file checks whether it lists an app.
enum SiteStanding: Hashable, Sendable {
    /// No installed app claims the site, so it is never asked.
    case unclaimed
    /// Claimed, but beyond the number of sites that are asked.
    case surplus
    case unknown
    case answered(KeptSite)
    /// The last answer, which is still valid although the last request failed.
    case kept(KeptSite, SiteFailure, tried: WallTime)
    /// The site could not be reached, and there is no valid earlier answer.
    case unreachable(SiteFailure, tried: WallTime)
    case refused(wellKnown: SiteFailure, root: SiteFailure, said: WallTime)

    /// The file that claims are checked against.
    var file: KeptSite? {
        switch self {
        case .answered(let kept), .kept(let kept, _, _): kept
        case .unclaimed, .surplus, .unknown, .unreachable, .refused: nil
        }
    }
}
