// SPDX-License-Identifier: Apache-2.0

import HandoffBus

/// Instances of a program that broadcasts what it opens, by the senders of its signals.
final class AnnouncedInstances<Instance: FollowedProgram> {
    /// Signals that are kept while their sender is being identified.
    static var maximumWaiting: Int { 16 }

    private let tools: FinderTools
    private let make: () -> Instance
    private var followed: [InstanceName: (instance: Instance, leaves: BusSlot)] = [:]
    private var waiting: [InstanceName: [(Instance) -> Void]] = [:]

    init(_ tools: FinderTools, make: @escaping () -> Instance) {
        self.tools = tools
        self.make = make
    }

    var all: [Instance] { followed.values.map(\.instance) }

    /// Does not call `take` for another program, or above the limit.
    func announced(by sender: String, _ take: @escaping (Instance) -> Void) {
        let name = InstanceName(sender)
        if let (instance, _) = followed[name] { return take(instance) }
        if var others = waiting[name] {
            // The last signals show what is open now.
            if others.count == Self.maximumWaiting { others.removeFirst() }
            waiting[name] = others + [take]
            return
        }
        guard let place = tools.offers.expect() else { return }
        waiting[name] = [take]
        tools.identify(name) { [weak self] found in
            place.free()
            guard let self else { return }
            let waiting = waiting.removeValue(forKey: name) ?? []
            let leaves = try? tools.bus.watchName(name.text) { [unowned self] owner in if owner == nil { left(name) } }
            guard let found, let leaves else { return }
            let instance = make()
            followed[name] = (instance, leaves)
            tools.offers.follow(name, instance, of: found.program, in: [found.process])
            for take in waiting { take(instance) }
        }
    }

    private func left(_ name: InstanceName) {
        followed[name] = nil
        tools.offers.left(name)
    }
}
