// SPDX-License-Identifier: Apache-2.0

/// A route to a device, which sessions and streams dial.
package enum PeerEndpoint: Hashable, Sendable, CustomStringConvertible {
    case address(NetworkAddress)

    package var preference: LinkPreference {
        switch self {
        case .address: .direct
        }
    }

    package var address: NetworkAddress? {
        switch self {
        case .address(let address): address
        }
    }

    package var description: String {
        switch self {
        case .address(let address): address.description
        }
    }
}

/// The preference of a route to a device. Of two links, the one with the higher preference stays, regardless of their
/// order.
package struct LinkPreference: Hashable, Comparable, Sendable {
    /// Higher is better. Only the order matters.
    private let rank: Int

    package init(rank: Int) { self.rank = rank }

    package static let direct = LinkPreference(rank: 100)

    package static func < (one: Self, other: Self) -> Bool { one.rank < other.rank }
}
