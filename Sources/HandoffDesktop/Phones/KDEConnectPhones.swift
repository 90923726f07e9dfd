// SPDX-License-Identifier: Apache-2.0

internal import HandoffBus
internal import HandoffWire

/// After any change, all phones are read again: KDE Connect's signals differ between its versions.
final class KDEConnectPhones: PhoneProgram {
    private static let service = "org.kde.kdeconnect"
    private static let root = "/modules/kdeconnect"
    private static let daemon = "org.kde.kdeconnect.daemon"
    private static let device = "org.kde.kdeconnect.device"

    let link = PhoneLink.kdeConnect
    private(set) var phones: [Phone] = []
    var changed: () -> Void = {}

    private var bus: BusConnection?
    private var slots: [BusSlot] = []
    /// A unique name: calls never reach another program that takes over the name.
    private var owner: String?
    private var reading: Reading?
    /// A change occurred during the reading.
    private var isStale = false

    /// Answers for an earlier reading are ignored.
    private final class Reading {
        var waiting = 0
        var phones: [Phone] = []
    }

    func busConnected(_ bus: BusConnection) {
        self.bus = bus
        let isOfOwner = { [unowned self] (header: BusMessage) in header.sender == owner && owner != nil }
        let rules = [
            "type='signal',sender='\(Self.service)',interface='\(Self.daemon)',path='\(Self.root)'",
            "type='signal',sender='\(Self.service)',interface='\(Self.device)',path_namespace='\(Self.root)/devices'",
        ]
        do throws(BusFailure) {
            slots = []
            for rule in rules {
                slots.append(try bus.match(rule, accepts: isOfOwner) { [unowned self] _ in read() })
            }
            slots.append(try bus.watchName(Self.service) { [unowned self] in ownerChanged($0) })
        } catch {
            Complaint.say("phones of \(link.name) are not listed: \(error.sentence)")
        }
    }

    func busDisconnected() {
        (bus, slots) = (nil, [])
        ownerChanged(nil)
    }

    private func ownerChanged(_ name: String?) {
        guard name != owner else { return }
        (owner, reading, isStale) = (name, nil, false)
        if name == nil { found([]) } else { read() }
    }

    private func found(_ phones: [Phone]) {
        guard phones != self.phones else { return }
        self.phones = phones
        changed()
    }

    // MARK: Reading

    private func read() {
        guard reading == nil else {
            isStale = true
            return
        }
        guard let bus, let owner else { return }
        let reading = Reading()
        self.reading = reading
        let onlyReachableAndPaired: [BusValue] = [.boolean(true), .boolean(true)]
        bus.call(BusCall(owner, Self.root, Self.daemon, "devices", onlyReachableAndPaired, mayStart: false)) {
            [weak self] result in
            guard let self, self.reading === reading else { return }
            let ids = (try? result.get())?[0]?.strings ?? []
            read(ids.filter(Self.isPathElement).prefix(Limits.phones), into: reading, from: owner, on: bus)
        }
    }

    /// Its ids are parts of object paths.
    private static func isPathElement(_ id: String) -> Bool { (try? PhoneID(id)) != nil && !id.contains("-") }

    private func read(_ ids: some Collection<String>, into reading: Reading, from owner: String, on bus: BusConnection)
    {
        reading.waiting = ids.count
        guard !ids.isEmpty else { return finish(reading) }
        for id in ids {
            bus.call(.properties(of: Self.device, at: "\(Self.root)/devices/\(id)", on: owner)) { [weak self] result in
                guard let self, self.reading === reading else { return }
                let properties = (try? result.get())?[0]?.properties ?? [:]
                if let phone = Phone(kdeConnect: id, properties) { reading.phones.append(phone) }
                reading.waiting -= 1
                if reading.waiting == 0 { finish(reading) }
            }
        }
    }

    private func finish(_ reading: Reading) {
        self.reading = nil
        found(reading.phones.sorted { $0.id < $1.id })
        guard isStale else { return }
        isStale = false
        read()
    }

    // MARK: Sharing

    func share(_ uri: String, with phone: Phone, completion: @escaping (Result<Void, Failure>) -> Void) {
        guard let bus, let owner else {
            return completion(.failure(Failure(.deviceLost, "\(link.name) has quit")))
        }
        let call = BusCall(
            owner, "\(Self.root)/devices/\(phone.id)/share", "\(Self.device).share", "shareUrl", [.string(uri)],
            mayStart: false)
        bus.call(call, within: PhoneWaits.answer) { [link] result in
            completion(result.map { _ in }.mapError { link.failure($0, of: phone) })
        }
    }
}
