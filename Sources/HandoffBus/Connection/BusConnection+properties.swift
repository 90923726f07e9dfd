// SPDX-License-Identifier: Apache-2.0

/// Does not start the other programs.
enum BusProperties {
    static let interface = "org.freedesktop.DBus.Properties"
}

extension BusCall {
    /// Answered with the value.
    package static func property(
        _ name: String, of interface: String, at path: String, on destination: String
    ) -> BusCall {
        BusCall(
            destination, path, BusProperties.interface, "Get", [.string(interface), .string(name)], mayStart: false)
    }

    /// Answered with all values, as `a{sv}`.
    package static func properties(of interface: String, at path: String, on destination: String) -> BusCall {
        BusCall(destination, path, BusProperties.interface, "GetAll", [.string(interface)], mayStart: false)
    }
}

extension BusConnection {
    package struct ChangedProperties {
        /// The sender's unique name.
        package let sender: String
        package let values: [String: BusValue]
        /// Changed too, without their values.
        package let others: [String]
    }

    package func onPropertiesChanged(
        of interface: String, from sender: String, path: String, _ handler: @escaping (ChangedProperties) -> Void
    ) throws(BusFailure) -> BusSlot {
        try onSignal(BusProperties.interface, "PropertiesChanged", "sa{sv}as", from: sender, path: path) { message in
            guard message[0]?.text == interface else { return }
            handler(
                ChangedProperties(
                    sender: message.sender, values: message[1]?.properties ?? [:], others: message[2]?.strings ?? []))
        }
    }
}
