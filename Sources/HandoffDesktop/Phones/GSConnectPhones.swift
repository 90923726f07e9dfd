// SPDX-License-Identifier: Apache-2.0

internal import HandoffBus
internal import HandoffWire

/// After any change, all phones are read again.
final class GSConnectPhones: PhoneProgram {
    private static let service = "org.gnome.Shell.Extensions.GSConnect"
    private static let root = "/org/gnome/Shell/Extensions/GSConnect"
    private static let device = "org.gnome.Shell.Extensions.GSConnect.Device"
    private static let actions = "org.gtk.Actions"
    private static let manager = "org.freedesktop.DBus.ObjectManager"

    let link = PhoneLink.gsConnect
    var phones: [Phone] { Array(found.map(\.phone).prefix(Limits.phones)) }
    var changed: () -> Void = {}

    private var found: [Found] = []
    private lazy var reader = ServiceReader<[Found]>(
        Self.service,
        rules: [
            "interface='\(Self.manager)',path='\(Self.root)'",
            """
            interface='org.freedesktop.DBus.Properties',member='PropertiesChanged',path_namespace='\(Self.root)',\
            arg0='\(Self.device)'
            """,
        ], read: Self.read, show: { [unowned self] in show($0 ?? []) })

    private struct Found: Equatable {
        let phone: Phone
        let path: String
    }

    func busConnected(_ bus: BusConnection) {
        do throws(BusFailure) {
            try reader.busConnected(bus)
        } catch {
            Complaint.say("phones of \(link.name) are not listed: \(error.sentence)")
        }
    }

    func busDisconnected() { reader.busDisconnected() }

    private func show(_ phones: [Found]) {
        guard phones != found else { return }
        found = phones
        changed()
    }

    // MARK: Reading

    private static func read(_ bus: BusConnection, _ owner: String, then: @escaping ([Found]) -> Void) {
        bus.call(BusCall(owner, root, manager, "GetManagedObjects", mayStart: false)) { result in
            then(phones(in: (try? result.get())?[0]?.elements ?? []))
        }
    }

    private static func phones(in objects: [BusValue]) -> [Found] {
        let found = objects.compactMap { object -> Found? in
            guard case .entry(let path, let interfaces) = object, let path = path.text,
                let properties = interfaces.properties?[device]?.properties,
                let phone = Phone(gsConnect: properties)
            else { return nil }
            return Found(phone: phone, path: path)
        }
        return found.sorted { ($0.phone.id, $0.path) < ($1.phone.id, $1.path) }
    }

    // MARK: Sharing

    /// `Activate` succeeds even if there is no such action, so this asks first.
    func share(_ uri: String, with phone: Phone, completion: @escaping (Result<Void, Failure>) -> Void) {
        guard let bus = reader.bus, let owner = reader.owner,
            let path = found.first(where: { $0.phone.id == phone.id })?.path
        else {
            return completion(.failure(Failure(.deviceLost, "\(link.name) cannot reach \(phone.name) now")))
        }
        let action = uri.hasPrefix("file:") ? "shareFile" : "shareUri"
        let question = BusCall(owner, path, Self.actions, "Describe", [.string(action)], mayStart: false)
        bus.call(question, within: PhoneWaits.answer) { [weak self, link] result in
            guard case .success(let answer) = result, answer[0]?.elements?.first?.flag == true else {
                return completion(.failure(Self.refusal(result, link, phone)))
            }
            guard let self, reader.owner == owner else {
                return completion(.failure(Failure(.deviceLost, "\(link.name) has quit")))
            }
            activate(action, uri, at: path, of: owner, on: bus) { result in
                completion(result.map { _ in }.mapError { link.failure($0, of: phone) })
            }
        }
    }

    private func activate(
        _ action: String, _ uri: String, at path: String, of owner: String, on bus: BusConnection,
        completion: @escaping (Result<BusMessage, BusFailure>) -> Void
    ) {
        // The flag: whether the phone should open the file.
        let parameter: BusValue =
            action == "shareFile" ? .structure([.string(uri), .boolean(false)]) : .string(uri)
        let body: [BusValue] = [.string(action), .array(of: .variant, [.variant(parameter)]), .properties([:])]
        let call = BusCall(owner, path, Self.actions, "Activate", body, mayStart: false)
        bus.call(call, within: PhoneWaits.answer, completion: completion)
    }

    private static func refusal(
        _ result: Result<BusMessage, BusFailure>, _ link: PhoneLink, _ phone: Phone
    ) -> Failure {
        if case .failure(let error) = result, error.name != BusFailure.invalidArguments {
            return link.failure(error, of: phone)
        }
        return Failure(.notAllowed, "\(link.name)'s plugin for sharing is off for \(phone.name)")
    }
}
