// SPDX-License-Identifier: Apache-2.0

/// A way to a device: what a session, and each of its streams, is dialled by.
package enum PeerEndpoint: Hashable, Sendable, CustomStringConvertible {
    /// Over the network, straight to it.
    case address(NetworkAddress)

    package var preference: LinkPreference {
        switch self {
        case .address: .direct
        }
    }

    /// Nil where something else than an address leads there.
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

/// How good a way to a device is. Of two links the one of the better way stays, whichever came first.
package struct LinkPreference: Hashable, Comparable, Sendable {
    /// Higher is better. Means nothing by itself.
    private let rank: Int

    package init(rank: Int) { self.rank = rank }

    /// Nothing is between the two devices but their network.
    package static let direct = LinkPreference(rank: 100)

    package static func < (one: Self, other: Self) -> Bool { one.rank < other.rank }
}
