// SPDX-License-Identifier: Apache-2.0

internal import CSystemd

/// An object on the bus: interfaces at a path, with their introspection and properties. There until nobody holds it.
package final class BusObject {
    private let interfaces: [String: BusInterface]
    private let order: [String]
    private let path: String
    private unowned let connection: BusConnection
    private var slot: BusSlot?
    /// Asked before each call, those of properties and of the introspection too. What it returns is the answer; nil: go on.
    package var refuse: (BusMessage) -> BusFailure? = { _ in nil }

    package init(_ interfaces: [BusInterface], at path: String, on connection: BusConnection) throws(BusFailure) {
        self.interfaces = Dictionary(interfaces.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        order = interfaces.map(\.name)
        self.path = path
        self.connection = connection
        slot = try BusSlot({ [unowned self] message in handle(message) }) { slot, callback, data in
            sd_bus_add_object(connection.bus, &slot, path, callback, data)
        }
    }

    /// To everybody who listens, or to one.
    package func emit(_ interface: String, _ signal: String, _ body: [BusValue] = [], to destination: String? = nil) {
        connection.emit(path, interface, signal, body, to: destination)
    }

    /// Tells what these are now.
    package func changed(_ interface: String, _ names: [String]) {
        guard let known = interfaces[interface] else { return }
        let values = known.properties.filter { names.contains($0.name) }.map { ($0.name, $0.value()) }
        connection.emit(
            path, Self.propertiesInterface, "PropertiesChanged",
            [.string(interface), .properties(Dictionary(uniqueKeysWithValues: values)), .strings([])])
    }

    package var introspection: String { BusInterface.document(order.compactMap { interfaces[$0] }) }

    // MARK: Calls

    private static let propertiesInterface = "org.freedesktop.DBus.Properties"
    private static let introspectable = "org.freedesktop.DBus.Introspectable"

    /// 1: it was for this object; the bus answers what was not.
    private func handle(_ pointer: OpaquePointer) -> CInt {
        var kind: UInt8 = 0
        guard sd_bus_message_get_type(pointer, &kind) >= 0, kind == UInt8(SD_BUS_MESSAGE_METHOD_CALL) else { return 0 }
        let reply = BusReply(to: pointer)
        do throws(BusFailure) {
            let message = try MessageReader.read(pointer)
            if let refusal = refuse(message) { throw refusal }
            try handle(message, reply)
        } catch {
            reply.fail(error)
        }
        return 1
    }

    private func handle(_ message: BusMessage, _ reply: BusReply) throws(BusFailure) {
        switch (message.interface, message.member) {
        case (Self.introspectable, "Introspect"): reply.answer([.string(introspection)])
        case (Self.propertiesInterface, "Get"):
            let property = try interface(message[0]?.text).properties.first { $0.name == message[1]?.text }
            guard let property else {
                throw BusFailure("org.freedesktop.DBus.Error.UnknownProperty", "there is no such property")
            }
            reply.answer([.variant(property.value())])
        case (Self.propertiesInterface, "GetAll"):
            let properties = try interface(message[0]?.text).properties.map { ($0.name, $0.value()) }
            reply.answer([.properties(Dictionary(uniqueKeysWithValues: properties))])
        case (Self.propertiesInterface, "Set"):
            throw BusFailure("org.freedesktop.DBus.Error.PropertyReadOnly", "no property can be set")
        default: try method(of: message).call(message, reply)
        }
    }

    private func interface(_ name: String?) throws(BusFailure) -> BusInterface {
        guard let found = name.flatMap({ interfaces[$0] }) else {
            throw BusFailure("org.freedesktop.DBus.Error.UnknownInterface", "there is no such interface at \(path)")
        }
        return found
    }

    /// A call may leave the interface out.
    private func method(of message: BusMessage) throws(BusFailure) -> BusInterface.Method {
        let candidates = message.interface.isEmpty ? order : [message.interface]
        let methods = candidates.compactMap { interfaces[$0]?.methods.first { $0.name == message.member } }
        guard let method = methods.first else {
            throw BusFailure(BusFailure.unknownMethod, "\(path) has no method \(message.member)")
        }
        guard method.signature == message.signature else {
            throw BusFailure(
                BusFailure.invalidArguments,
                "\(message.member) takes (\(method.signature)), not (\(message.signature))")
        }
        return method
    }
}
