// SPDX-License-Identifier: Apache-2.0

import HandoffCore
internal import HandoffTrust
import HandoffWire

/// Announced by devices on this network. Anyone can send one: it is shown, and trusted in nothing.
struct NearbyInvites {
    static let most = 32
    /// Also for a source that a neighbour forged.
    static let mostPerHost = 4
    /// Per device.
    static let mostPerCode = 4
    /// Three lost announcements.
    static let memory = Duration.seconds(4)

    private var entries: [Entry] = []

    private struct Entry {
        let code: [UInt8]
        let invite: NearbyInvite
        /// The first received. A neighbour may repeat the announcement, so they are not replaced.
        var addresses: [NetworkAddress]
        var forgotten: Instant
    }

    var invites: [NearbyInvite] { entries.map(\.invite) }
    var nextDeadline: Instant? { entries.map(\.forgotten).min() }

    /// In the order of first reception. No entry displaces another: each ends with its announcements.
    mutating func received(_ announcement: Announcement, from host: String, now: Instant) {
        deadlineReached(now: now)
        let address = NetworkAddress(host: host, port: announcement.port)
        if let index = entries.firstIndex(where: { $0.code == announcement.code }) {
            entries[index].forgotten = now.advanced(by: Self.memory)
            if entries[index].addresses.count < Self.mostPerCode, !entries[index].addresses.contains(address) {
                entries[index].addresses.append(address)
            }
            return
        }
        guard let code = try? InviteCode(bytes: announcement.code) else { return }
        guard entries.count < Self.most, entries.count(where: { $0.addresses[0].host == host }) < Self.mostPerHost
        else { return }
        entries.append(
            Entry(
                code: announcement.code,
                invite: NearbyInvite(
                    code: code.text, name: announcement.name, kind: announcement.kind, address: address.description),
                addresses: [address], forgotten: now.advanced(by: Self.memory)))
    }

    func others(than address: NetworkAddress, for code: InviteCode) -> [NetworkAddress] {
        entries.first { $0.code == code.bytes }?.addresses.filter { $0 != address } ?? []
    }

    mutating func deadlineReached(now: Instant) { entries.removeAll { $0.forgotten <= now } }

    mutating func clear() { entries = [] }
}
