// SPDX-License-Identifier: Apache-2.0

/// One question to a site. Nothing in it is of the user, the device or the apps.
package struct SiteFetch: Hashable, Sendable {
    /// No other question has it.
    package let id: UInt64
    package let site: Site
    package let place: SitePlace
    /// Of the file that we have from there.
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
    /// It is the one with the question's ETag.
    case unchanged
}

/// HTTPS to web sites, for their association files and nothing else. In-memory twin: `MemorySites` in `HandoffTesting`.
package protocol SiteFetching: AnyObject {
    /// One GET of `https://HOST/PATH`, with a valid certificate for that host, and no redirect followed. Never connects
    /// to this machine or to a private, link-local or multicast address, whatever the name resolves to, unless the
    /// site's reach is `anywhere`.
    /// Answers once, on the daemon's loop, within `SiteLimits.time` and never before it returned: at most
    /// `Limits.associationBytes` bytes, or why there are none.
    func fetch(_ fetch: SiteFetch, completion: @escaping (Result<SiteAnswer, SiteFailure>) -> Void)
    /// Why no site can be asked, for people; empty where sites can be.
    var problems: [String] { get }
    /// Gives up what is under way, without an answer.
    func stop()
}
