// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffCore

/// The programs that own a name of an interface on the bus, by events alone.
final class ProgramNames {
    /// Names that are followed at the same time.
    static let maximum = 64

    /// By well-known name.
    private var owners: [String: InstanceName] = [:]
    private var slot: BusSlot?
    private let appeared: (InstanceName) -> Void
    private let left: (InstanceName) -> Void

    /// `appeared` and `left` are called once for each program, however many names it has.
    init(
        of interface: KnownProgram.Interface, on bus: BusConnection,
        appeared: @escaping (InstanceName) -> Void, left: @escaping (InstanceName) -> Void
    ) throws(BusFailure) {
        self.appeared = appeared
        self.left = left
        guard let namespace = interface.busNames else { return }
        slot = try bus.watchNames(below: namespace) { [weak self] name, owner in
            if interface.owns(name) { self?.changed(name, to: owner.map(InstanceName.init)) }
        }
    }

    private func changed(_ name: String, to after: InstanceName?) {
        let before = owners[name]
        guard before != after, after == nil || owners.count < Self.maximum else { return }
        owners[name] = after
        if let before, !owners.values.contains(before) { left(before) }
        if let after, owners.values.filter({ $0 == after }).count == 1 { appeared(after) }
    }
}
