// SPDX-License-Identifier: Apache-2.0

internal import HandoffBus

/// Reads a service again after any of its signals. Never starts it.
final class ServiceReader<Content> {
    /// `owner`: a unique name, so that calls never reach another program that takes over the name. Call the closure
    /// once.
    typealias Read = (_ bus: BusConnection, _ owner: String, @escaping (Content) -> Void) -> Void

    /// Nil: the service is not there.
    private(set) var owner: String?
    private(set) var bus: BusConnection?
    private let name: String
    private let rules: [String]
    private let read: Read
    private let show: (Content?) -> Void
    private var slots: [BusSlot] = []
    /// Results of earlier readings are ignored.
    private var reading: UInt64 = 0
    private var isReading = false
    /// A signal arrived during the reading.
    private var isStale = false

    /// `show` is called after each reading, and with nil when the service leaves.
    init(_ name: String, rules: [String], read: @escaping Read, show: @escaping (Content?) -> Void) {
        self.name = name
        self.rules = rules
        self.read = read
        self.show = show
    }

    func busConnected(_ bus: BusConnection) throws(BusFailure) {
        self.bus = bus
        slots = []
        for rule in rules {
            slots.append(
                try bus.match(
                    "type='signal',sender='\(name)',\(rule)",
                    accepts: { [unowned self] in owner != nil && $0.sender == owner }
                ) { [unowned self] _ in begin() })
        }
        slots.append(try bus.watchName(name) { [weak self] in self?.ownerChanged($0) })
    }

    func busDisconnected() {
        (bus, slots) = (nil, [])
        ownerChanged(nil)
    }

    private func ownerChanged(_ new: String?) {
        guard new != owner else { return }
        reading += 1
        (owner, isReading, isStale) = (new, false, false)
        if new == nil { show(nil) } else { begin() }
    }

    private func begin() {
        guard !isReading else {
            isStale = true
            return
        }
        guard let bus, let owner else { return }
        reading += 1
        isReading = true
        read(bus, owner) { [weak self, reading] content in
            guard let self, self.reading == reading else { return }
            isReading = false
            show(content)
            guard isStale else { return }
            isStale = false
            begin()
        }
    }
}
