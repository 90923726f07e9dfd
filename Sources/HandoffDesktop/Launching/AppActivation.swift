// SPDX-License-Identifier: Apache-2.0

package import HandoffBus
package import HandoffWire

/// Starts an app as the Desktop Entry Specification has it for `DBusActivatable`: its name on the bus is called, which
/// starts whoever is to own it, and it is told to show itself.
package struct AppActivation {
    /// For a bus that does not answer, and for an app that is slow to come.
    static let time = Duration.seconds(30)
    static let interface = "org.freedesktop.Application"
    private static let unknownObject = "org.freedesktop.DBus.Error.UnknownObject"

    private let name: String
    private let token: ActivationToken?

    package init(_ name: String, token: ActivationToken?) {
        self.name = name
        self.token = token
    }

    /// Turns the loop until the app has answered. Throws why it was not started, with a sentence for people.
    package func run(on loop: BusLoop, bus address: String) throws(BusFailure) {
        var answer: Result<BusMessage, BusFailure>?
        func ended(_ result: Result<BusMessage, BusFailure>) {
            answer = answer ?? result
            loop.exit(0)
        }
        let connector = BusConnector(to: address, on: loop)
        let call = BusCall(name, path, Self.interface, "Activate", [.properties(platformData)])
        connector.connected = { bus in bus.call(call, within: Self.time) { ended($0) } }
        connector.disconnected = { ended(.failure(BusFailure(BusFailure.failed, "the user's bus ended"))) }
        let noBus = BusFailure(BusFailure.noReply, "the user's bus at \(address) did not answer in time")
        let alarm = loop.after(Self.time) { ended(.failure(noBus)) }
        connector.start()
        _ = withExtendedLifetime((connector, alarm)) { loop.run() }
        switch answer {
        case .success: return
        case .failure(let failure): throw explained(failure)
        case nil: throw noBus
        }
    }

    /// `/org/example/My_App` of `org.example.My-App`.
    private var path: String {
        "/" + String(name.map { $0 == "." ? "/" : $0 == "-" ? "_" : $0 })
    }

    private var platformData: [String: BusValue] {
        guard let token else { return [:] }
        return ["activation-token": .string(token.text), "desktop-startup-id": .string(token.text)]
    }

    private func explained(_ failure: BusFailure) -> BusFailure {
        let why =
            switch failure.name {
            case BusFailure.serviceUnknown:
                "no service file of D-Bus says how \(name) is started, though its desktop entry says DBusActivatable"
            case BusFailure.unknownMethod, Self.unknownObject: "\(name) does not have the interface \(Self.interface)"
            case BusFailure.noReply: "\(name) did not answer on the user's bus"
            default: failure.sentence.isEmpty ? failure.name : failure.sentence
            }
        return BusFailure(failure.name, why)
    }
}
