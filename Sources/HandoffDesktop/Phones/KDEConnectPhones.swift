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

    private lazy var reader = ServiceReader<[Phone]>(
        Self.service,
        rules: [
            "interface='\(Self.daemon)',path='\(Self.root)'",
            "interface='\(Self.device)',path_namespace='\(Self.root)/devices'",
        ], read: Self.read, show: { [unowned self] in found($0 ?? []) })

    func busConnected(_ bus: BusConnection) {
        do throws(BusFailure) {
            try reader.busConnected(bus)
        } catch {
            Complaint.say("phones of \(link.name) are not listed: \(error.sentence)")
        }
    }

    func busDisconnected() { reader.busDisconnected() }

    private func found(_ phones: [Phone]) {
        guard phones != self.phones else { return }
        self.phones = phones
        changed()
    }

    // MARK: Reading

    private static func read(_ bus: BusConnection, _ owner: String, then: @escaping ([Phone]) -> Void) {
        let onlyReachableAndPaired: [BusValue] = [.boolean(true), .boolean(true)]
        bus.call(BusCall(owner, root, daemon, "devices", onlyReachableAndPaired, mayStart: false)) {
            [weak bus] result in
            let ids = (try? result.get())?[0]?.strings ?? []
            guard let bus else { return }
            read(Array(ids.filter(isPathElement).prefix(Limits.phones)), bus, owner, then)
        }
    }

    /// Its ids are parts of object paths.
    private static func isPathElement(_ id: String) -> Bool { (try? PhoneID(id)) != nil && !id.contains("-") }

    private static func read(
        _ ids: [String], _ bus: BusConnection, _ owner: String, _ then: @escaping ([Phone]) -> Void
    ) {
        var waiting = ids.count
        var phones: [Phone] = []
        guard waiting > 0 else { return then([]) }
        for id in ids {
            bus.call(.properties(of: device, at: "\(root)/devices/\(id)", on: owner)) { result in
                let properties = (try? result.get())?[0]?.properties ?? [:]
                if let phone = Phone(kdeConnect: id, properties) { phones.append(phone) }
                waiting -= 1
                if waiting == 0 { then(phones.sorted { $0.id < $1.id }) }
            }
        }
    }

    // MARK: Sharing

    func share(_ uri: String, with phone: Phone, completion: @escaping (Result<Void, Failure>) -> Void) {
        guard let bus = reader.bus, let owner = reader.owner else {
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
