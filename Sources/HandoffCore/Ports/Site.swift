// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// An app in developer mode may name a host on a private network; the result applies only to such apps.
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

/// In the order of the requests.
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
        /// Compressed unasked.
        case encoded
        /// HTML, empty, or wrongly signed.
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
    /// Shown after the site's name: "it redirects (301)".
    package let reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// Other failures prove nothing: a network without internet access, or an attacker on the path, must not end the
    /// site's permission.
    package var isAnswer: Bool {
        switch code {
        case .absent, .redirected, .tooLarge, .encoded, .unreadable: true
        case .nameUnknown, .privateAddress, .unreachable, .timedOut, .badCertificate, .inTrouble, .malformed: false
        }
    }

    package var description: String { reason }
}

package enum SiteLimits {
    package static let time: Duration = .seconds(10)
    package static let connectTime: Duration = .seconds(3)
    package static let addresses = 4
    /// In bytes: file, head, and chunk lengths.
    package static let answerBytes = 256 * 1024
    /// A longer ETag is ignored.
    static let etagBytes = 256
    /// Stored with a site. For other apps, the site is asked again after a restart.
    package static let claimants = 64
    /// Precedes the file in a stored answer.
    package static let headingBytes = 16 * 1024
}

package struct WebLinksLimits: Sendable {
    /// Asked and stored. With `Limits.associationBytes` each, 16 MiB on disk.
    package var sites = 128
    package var fetchesAtOnce = 4
    package var interval: Duration = .seconds(7 * 86400)
    /// Subtracts up to this at random, so that neither all sites nor all devices ask at once.
    package var intervalJitter: Duration = .seconds(86400)
    package var pauseAfterNo: Duration = .seconds(86400)
    /// After a failed request. Each further failure doubles it, up to `longestPause`. Adds up to a quarter at random.
    package var firstPause: Duration = .seconds(60)
    package var longestPause: Duration = .seconds(6 * 3600)
    /// An unreachable site's last answer.
    package var keeping: Duration = .seconds(30 * 86400)
    /// Between two requests to a site, even if a client asks.
    package var gap: Duration = .seconds(10)

    package init() {}
}
