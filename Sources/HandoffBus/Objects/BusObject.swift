// SPDX-License-Identifier: Apache-2.0

/// Interfaces at a path, served while this is retained.
package final class BusObject {
    private let interfaces: [String: BusInterface]
    private let order: [String]
    private let path: String
    private weak var connection: BusConnection?

    package init(_ interfaces: [BusInterface], at path: String, on connection: BusConnection) throws(BusFailure) {
        guard path.first == "/" else {
            throw BusFailure(BusFailure.invalidArguments, "\(path) is not the path of an object")
        }
        self.interfaces = Dictionary(interfaces.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        order = interfaces.map(\.name)
        self.path = path
        self.connection = connection
        connection.objects[path] = ServedObject(object: self)
    }

    deinit {
        // Another object may be at this path. The weak reference to this is already nil.
        if let connection, connection.objects[path]?.object == nil { connection.objects[path] = nil }
    }

    /// `destination` nil: broadcast.
    package func emit(_ interface: String, _ signal: String, _ body: [BusValue] = [], to destination: String? = nil) {
        connection?.emit(path, interface, signal, body, to: destination)
    }

    package func changed(_ interface: String, _ names: [String]) {
        guard let known = interfaces[interface] else { return }
        let values = known.properties.filter { names.contains($0.name) }.map { ($0.name, $0.value()) }
        connection?.emit(
            path, BusProperties.interface, "PropertiesChanged",
            [.string(interface), .properties(Self.dictionary(values)), .strings([])])
    }

    private static func dictionary(_ properties: [(String, BusValue)]) -> [String: BusValue] {
        Dictionary(properties, uniquingKeysWith: { first, _ in first })
    }

    package var introspection: String { BusInterface.document(order.compactMap { interfaces[$0] }) }

    // MARK: Calls

    private static let introspectable = "org.freedesktop.DBus.Introspectable"

    /// Uses only the header, so the body of an unknown call is not read.
    func method(for header: BusMessage) throws(BusFailure) -> BusInterface.Call {
        switch (header.interface, header.member) {
        case (Self.introspectable, "Introspect"):
            try check(header, takes: "")
            return { [introspection] in $1.answer([.string(introspection)]) }
        case (BusProperties.interface, "Get"):
            try check(header, takes: "ss")
            return answering { object, message throws(BusFailure) in
                let property = try object.interface(message[0]?.text).properties.first { $0.name == message[1]?.text }
                guard let property else {
                    throw BusFailure("org.freedesktop.DBus.Error.UnknownProperty", "no such property exists")
                }
                return .variant(property.value())
            }
        case (BusProperties.interface, "GetAll"):
            try check(header, takes: "s")
            return answering { object, message throws(BusFailure) in
                let properties = try object.interface(message[0]?.text).properties.map { ($0.name, $0.value()) }
                return .properties(Self.dictionary(properties))
            }
        case (BusProperties.interface, "Set"):
            throw BusFailure("org.freedesktop.DBus.Error.PropertyReadOnly", "properties are read-only")
        default: return try declaredMethod(for: header).call
        }
    }

    private func answering(
        _ value: @escaping (BusObject, BusMessage) throws(BusFailure) -> BusValue
    ) -> BusInterface.Call {
        { [weak self] message, reply in
            guard let self else { return }
            do throws(BusFailure) { reply.answer([try value(self, message)]) } catch { reply.fail(error) }
        }
    }

    private func check(_ header: BusMessage, takes signature: String) throws(BusFailure) {
        guard header.signature != signature else { return }
        throw BusFailure(
            BusFailure.invalidArguments, "\(header.member) takes (\(signature)), not (\(header.signature))")
    }

    private func interface(_ name: String?) throws(BusFailure) -> BusInterface {
        guard let found = name.flatMap({ interfaces[$0] }) else {
            throw BusFailure("org.freedesktop.DBus.Error.UnknownInterface", "no such interface exists at \(path)")
        }
        return found
    }

    /// A call may omit the interface.
    private func declaredMethod(for header: BusMessage) throws(BusFailure) -> BusInterface.Method {
        let candidates = header.interface.isEmpty ? order : [header.interface]
        let methods = candidates.compactMap { interfaces[$0]?.methods.first { $0.name == header.member } }
        guard let method = methods.first else {
            throw BusFailure(BusFailure.unknownMethod, "\(path) has no method \(header.member)")
        }
        try check(header, takes: method.signature)
        return method
    }
}
