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
