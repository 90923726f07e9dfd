// SPDX-License-Identifier: Apache-2.0

import HandoffBus

/// The programs that own a name of an MPRIS player, by events alone.
final class PlayerNames {
    static let prefix = "org.mpris.MediaPlayer2"
    static let path = "/org/mpris/MediaPlayer2"
    static let player = "org.mpris.MediaPlayer2.Player"
    /// Names that are followed at the same time.
    static let maximum = 64

    /// By well-known name.
    private var owners: [String: PlayerName] = [:]
    private var slot: BusSlot?
    private let appeared: (PlayerName) -> Void
    private let left: (PlayerName) -> Void

    /// `appeared` and `left` are called once for each program, however many names it has.
    init(
        on bus: BusConnection, appeared: @escaping (PlayerName) -> Void, left: @escaping (PlayerName) -> Void
    ) throws(BusFailure) {
        self.appeared = appeared
        self.left = left
        slot = try bus.watchNames(below: Self.prefix) { [weak self] in self?.changed($0, to: $1.map(PlayerName.init)) }
    }

    private func changed(_ name: String, to after: PlayerName?) {
        let before = owners[name]
        guard before != after, after == nil || owners.count < Self.maximum else { return }
        owners[name] = after
        if let before, !owners.values.contains(before) { left(before) }
        if let after, owners.values.filter({ $0 == after }).count == 1 { appeared(after) }
    }
}
