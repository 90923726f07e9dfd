// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// A host and its permitted networks. An app in developer mode may name a host on a private network; the result is
/// valid only for such apps.
package struct Site: Hashable, Sendable, Comparable, CustomStringConvertible {
    package enum Reach: String, Sendable, CaseIterable {
        case internet
        /// Includes this machine and private networks.
        case anywhere
    }

    package let host: WebHost
    package let reach: Reach

    package init(_ host: WebHost, reach: Reach = .internet) {
        self.host = host
        self.reach = reach
    }

    package var description: String { reach == .internet ? host.name : "\(host) (anywhere)" }

    package static func < (left: Self, right: Self) -> Bool {
        (left.host.name, left.reach.rawValue) < (right.host.name, right.reach.rawValue)
    }
}

/// The locations of a site's file, in the order of the requests.
package enum SitePlace: String, Sendable, CaseIterable {
    case wellKnown = "well-known"
    case root

    package var path: String {
        switch self {
        case .wellKnown: "/.well-known/apple-app-site-association"
        case .root: "/apple-app-site-association"
        }
    }
}

package struct SiteFailure: CodedError {
    package enum Code: String, Sendable, CaseIterable {
        // The site answered.
        case absent
        case redirected
        case tooLarge
        /// Compressed without a request for it.
        case encoded
        /// The file is invalid: HTML, empty, or wrongly signed.
        case unreadable

        // The site did not answer, or its identity is unproven.
        case nameUnknown
        case privateAddress
        case unreachable
        case timedOut
        case badCertificate
        /// 5xx, 408, 425, 429.
        case inTrouble
        /// Cut off, or not HTTP.
        case malformed
    }

    package let code: Code
    /// A clause in English for the user: "it redirects (301)". The text around it names the site.
    package let reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The site itself answered that it has no file there. Other failures prove nothing about the site: a network
    /// without internet access, or an attacker on the path, must not end what the site allowed.
    package var isAnswer: Bool {
        switch code {
        case .absent, .redirected, .tooLarge, .encoded, .unreadable: true
        case .nameUnknown, .privateAddress, .unreachable, .timedOut, .badCertificate, .inTrouble, .malformed: false
        }
    }

    package var description: String { reason }
}

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
