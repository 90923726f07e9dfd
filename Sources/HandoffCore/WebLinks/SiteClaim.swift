// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// An installed app says, in entitlements that its team signed, that it belongs to a site. Only the site can say that
/// it is so.
package struct SiteClaim: Hashable, Sendable {
    package let site: Site
    package let app: BundleID

    package init(_ site: Site, by app: BundleID) {
        self.site = site
        self.app = app
    }
}

/// What is known of a site now. Whether its file lists an app is for whoever reads it.
package enum SiteStanding: Hashable, Sendable {
    /// No installed app claims it: it is never asked.
    case unclaimed
    /// Claimed, but one of more than are asked.
    case surplus
    /// Not asked yet.
    case unknown
    /// As it said last.
    case answered(KeptSite)
    /// As it said last, which still counts: it could not be asked again.
    case kept(KeptSite, SiteFailure, tried: WallTime)
    /// Nobody could ask it, and nothing is kept of it, or not any more.
    case unreachable(SiteFailure, tried: WallTime)
    /// It has no file, at neither place.
    case refused(wellKnown: SiteFailure, root: SiteFailure, said: WallTime)

    /// The file by which claims are judged.
    package var file: KeptSite? {
        switch self {
        case .answered(let kept), .kept(let kept, _, _): kept
        case .unclaimed, .surplus, .unknown, .unreachable, .refused: nil
        }
    }
}
