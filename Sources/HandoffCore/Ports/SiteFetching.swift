// SPDX-License-Identifier: Apache-2.0

/// Contains no data of the user, the device or the apps.
package struct SiteFetch: Hashable, Sendable {
    package let id: UInt64
    package let site: Site
    package let place: SitePlace
    /// The stored file's.
    package let etag: String?

    package init(id: UInt64, site: Site, place: SitePlace, etag: String? = nil) {
        self.id = id
        self.site = site
        self.place = place
        self.etag = etag
    }
}

package enum SiteAnswer: Hashable, Sendable {
    case file(SiteFile)
    case unchanged
}

package protocol SiteFetching: AnyObject {
    /// Sends one GET of `https://HOST/PATH`. Requires a valid certificate and follows no redirect. Unless the site's
    /// reach is `anywhere`, never connects to this machine or to a private, link-local or multicast address, even if
    /// the name resolves to one. Completes once, on the loop, within `SiteLimits.time` and never before it returns:
    /// with at most `Limits.associationBytes` bytes, or a failure.
    func fetch(_ fetch: SiteFetch, completion: @escaping (Result<SiteAnswer, SiteFailure>) -> Void)
    /// For the user.
    var problems: [String] { get }
    func stop()
}
