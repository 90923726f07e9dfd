// SPDX-License-Identifier: Apache-2.0

/// Bounds of one question to a site, and of what is kept of its answer.
package enum SiteLimits {
    /// From the question to the answer, name, connection, handshake and body together.
    package static let time: Duration = .seconds(10)
    /// One address of several; the next one is tried then.
    package static let connectTime: Duration = .seconds(3)
    /// Addresses of one name that are tried, count.
    package static let addresses = 4
    /// The whole answer, bytes: the file, its head, and the lengths between the pieces of a chunked one.
    package static let answerBytes = 256 * 1024
    /// An ETag, bytes. A longer one is not used.
    package static let etagBytes = 256
    /// Apps that are kept with a site, count. Others are asked for again after a restart.
    package static let claimants = 64
    /// What stands before the file in what is kept, bytes.
    package static let headingBytes = 16 * 1024
}

/// Times and bounds of asking sites.
package struct WebLinksLimits: Sendable {
    /// Sites that are asked and kept, count. With `Limits.associationBytes` each, 16 MiB on disk.
    package var sites = 128
    /// Questions under way, count.
    package var fetchesAtOnce = 4
    /// From a site's answer to the next question.
    package var interval: Duration = .seconds(7 * 86400)
    /// Taken from that at random, so that neither all sites of a device nor all devices ask at once.
    package var intervalJitter: Duration = .seconds(86400)
    /// From a site's no to the next question.
    package var pauseAfterNo: Duration = .seconds(86400)
    /// From a question that reached nobody to the next; each further one doubles it, up to the longest. Up to a quarter
    /// is added at random.
    package var firstPause: Duration = .seconds(60)
    package var longestPause: Duration = .seconds(6 * 3600)
    /// An unreachable site's last good answer counts for so long.
    package var keeping: Duration = .seconds(30 * 86400)
    /// Between two questions to one site, however often somebody asks for it.
    package var gap: Duration = .seconds(10)

    package init() {}
}
