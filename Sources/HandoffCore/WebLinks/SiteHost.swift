// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// The host of a web site that an app claims, as DNS has it: labels of ASCII letters, digits and dashes, at least two
/// of them. Kept in lower case. No address in any spelling, no port, no dot at the end; a name with other letters is in
/// its ASCII form.
package struct SiteHost: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let name: String

    package init(_ name: String) throws(WireError) {
        guard name.utf8.count <= SiteLimits.hostBytes else {
            throw WireError(.badIdentifier, "a host has at most \(SiteLimits.hostBytes) characters")
        }
        let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.count > 1, labels.allSatisfy({ Self.isLabel(Array($0)) }) else {
            throw WireError(.badIdentifier, "a host is letters, digits and dashes between single dots")
        }
        // Else it could be one of the many ways to write an IPv4 address.
        guard let last = labels.last?.first, Self.isLetter(last) else {
            throw WireError(.badIdentifier, "a host is a name, not an address")
        }
        self.name = name.lowercased()
    }

    package var description: String { name }
    package static func < (left: Self, right: Self) -> Bool { left.name < right.name }

    private static func isLabel(_ label: [UInt8]) -> Bool {
        let dash = UInt8(ascii: "-")
        return (1...63).contains(label.count) && label.first != dash && label.last != dash
            && label.allSatisfy { isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == dash }
    }

    private static func isLetter(_ character: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(character | 0x20)
    }
}

/// A host, and where it may be. An app in developer mode may name one on a private network; what is found there counts
/// for such apps alone.
package struct Site: Hashable, Sendable, Comparable, CustomStringConvertible {
    package enum Reach: String, Sendable, CaseIterable {
        case internet
        /// Also this machine and private networks.
        case anywhere
    }

    package let host: SiteHost
    package let reach: Reach

    package init(_ host: SiteHost, reach: Reach = .internet) {
        self.host = host
        self.reach = reach
    }

    package var description: String { reach == .internet ? host.name : "\(host) (anywhere)" }

    package static func < (left: Self, right: Self) -> Bool {
        (left.host.name, left.reach.rawValue) < (right.host.name, right.reach.rawValue)
    }
}

/// Where a site keeps its file, in the order in which it is asked.
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
