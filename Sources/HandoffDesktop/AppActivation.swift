// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffSystem
import HandoffWire

/// Starts an app by the Desktop Entry Specification's `DBusActivatable`, and asks it to show itself.
struct AppActivation {
    /// For a silent bus and slow apps.
    static let time = Duration.seconds(30)
    static let interface = "org.freedesktop.Application"
    private static let unknownObject = "org.freedesktop.DBus.Error.UnknownObject"

    private let name: String
    private let token: ActivationToken?

    init(_ name: String, token: ActivationToken?) {
        self.name = name
        self.token = token
    }

    /// Throws a sentence for people.
    func run(on loop: BusLoop, bus address: String) throws(BusFailure) {
        let call = BusCall(name, name.applicationPath, Self.interface, "Activate", [.properties(platformData)])
        let late = BusFailure(BusFailure.noReply, "the user's bus at \(address) did not answer in time")
        do throws(BusFailure) {
            try call.wait(on: loop, bus: address, within: Self.time, late: late)
        } catch {
            throw error == late ? error : explained(error)
        }
    }

    private var platformData: [String: BusValue] {
        guard let token else { return [:] }
        return ["activation-token": .string(token.text), "desktop-startup-id": .string(token.text)]
    }

    private func explained(_ failure: BusFailure) -> BusFailure {
        let why =
            switch failure.name {
            case BusFailure.serviceUnknown:
                "no D-Bus service file starts \(name), although its desktop entry says DBusActivatable"
            case BusFailure.unknownMethod, Self.unknownObject: "\(name) does not have the interface \(Self.interface)"
            case BusFailure.noReply: "\(name) did not answer on the user's bus"
            default: failure.sentence.isEmpty ? failure.name : failure.sentence
            }
        return BusFailure(failure.name, why)
    }
}

extension BusCall {
    /// Runs the loop until the answer. Throws an error that is the answer, and `late`.
    func wait(on loop: BusLoop, bus address: String, within time: Duration, late: BusFailure) throws(BusFailure) {
        var answer: Result<BusMessage, BusFailure>?
        func ended(_ result: Result<BusMessage, BusFailure>) {
            answer = answer ?? result
            loop.exit(0)
        }
        let connector = BusConnector(to: address, on: loop)
        connector.connected = { bus in bus.call(self, within: time) { ended($0) } }
        connector.disconnected = { ended(.failure(BusFailure(BusFailure.failed, "the user's bus ended"))) }
        let alarm = loop.after(time) { ended(.failure(late)) }
        connector.start()
        _ = withExtendedLifetime((connector, alarm)) { loop.run() }
        _ = try (answer ?? .failure(late)).get()
    }
}
