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
        let rule = """
            type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',\
            member='NameOwnerChanged',arg0namespace='\(Self.prefix)'
            """
        slot = try bus.match(rule, accepts: { $0.sender == "org.freedesktop.DBus" && $0.signature == "sss" }) {
            [unowned self] in changed($0[0]?.text ?? "", to: $0[2]?.text ?? "")
        }
        bus.call(.bus("ListNames", [])) { [weak self, weak bus] result in
            guard case .success(let answer) = result else { return }
            for name in answer[0]?.strings ?? [] where name.hasPrefix(Self.prefix + ".") {
                bus?.call(.bus("GetNameOwner", [.string(name)])) { result in
                    if case .success(let owner) = result { self?.changed(name, to: owner[0]?.text ?? "") }
                }
            }
        }
    }

    private func changed(_ name: String, to owner: String) {
        let before = owners[name]
        let after = owner.isEmpty ? nil : PlayerName(owner)
        guard before != after, after == nil || owners.count < Self.maximum else { return }
        owners[name] = after
        if let before, !owners.values.contains(before) { left(before) }
        if let after, owners.values.filter({ $0 == after }).count == 1 { appeared(after) }
    }
}
