// SPDX-License-Identifier: Apache-2.0

package enum SiteLimits {
    /// For the whole request: name resolution, connection, handshake and body.
    package static let time: Duration = .seconds(10)
    /// For one address, if the name has several.
    package static let connectTime: Duration = .seconds(3)
    package static let addresses = 4
    /// The whole answer in bytes: the file, its head, and the chunk lengths.
    package static let answerBytes = 256 * 1024
    /// In bytes. A longer ETag is ignored.
    static let etagBytes = 256
    /// The number of apps stored with a site. The site is asked again for further ones after a restart.
    package static let claimants = 64
    /// The size of the part before the file in a stored answer, in bytes.
    package static let headingBytes = 16 * 1024
}

/// How often sites are asked, and how long answers are valid.
package struct WebLinksLimits: Sendable {
    /// The number of sites that are asked and stored. With `Limits.associationBytes` each, 16 MiB on disk.
    package var sites = 128
    package var fetchesAtOnce = 4
    /// From a site's answer to the next request.
    package var interval: Duration = .seconds(7 * 86400)
    /// A random part up to this is subtracted, so that neither all sites of a device nor all devices ask
    /// simultaneously.
    package var intervalJitter: Duration = .seconds(86400)
    /// From a site's refusal to the next request.
    package var pauseAfterNo: Duration = .seconds(86400)
    /// From a failed request to the next. Each further failure doubles it, up to the longest pause. Up to a quarter is
    /// added at random.
    package var firstPause: Duration = .seconds(60)
    package var longestPause: Duration = .seconds(6 * 3600)
    /// How long the last answer of an unreachable site is valid.
    package var keeping: Duration = .seconds(30 * 86400)
    /// The minimum time between two requests to one site, even if a client requests it.
    package var gap: Duration = .seconds(10)

    package init() {}
}
