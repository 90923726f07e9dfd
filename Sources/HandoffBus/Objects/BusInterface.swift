// SPDX-License-Identifier: Apache-2.0

package struct BusInterface {
    package typealias Call = (BusMessage, BusReply) -> Void

    package struct Argument: Hashable, Sendable {
        package var name: String
        package var type: String

        package init(_ name: String, _ type: String) {
            self.name = name
            self.type = type
        }
    }

    package struct Method {
        package var name: String
        package var takes: [Argument]
        package var gives: [Argument]
        /// The arguments always have these types. The call may be answered later.
        package var call: Call

        package init(
            _ name: String, takes: [Argument] = [], gives: [Argument] = [],
            call: @escaping Call
        ) {
            self.name = name
            self.takes = takes
            self.gives = gives
            self.call = call
        }

        var signature: String { takes.map(\.type).joined() }
    }

    package struct Property {
        package var name: String
        package var type: String
        package var isConstant: Bool
        package var value: () -> BusValue

        package init(_ name: String, _ type: String, isConstant: Bool = false, value: @escaping () -> BusValue) {
            self.name = name
            self.type = type
            self.isConstant = isConstant
            self.value = value
        }
    }

    package struct Signal: Hashable, Sendable {
        package var name: String
        package var says: [Argument]

        package init(_ name: String, says: [Argument] = []) {
            self.name = name
            self.says = says
        }
    }

    package var name: String
    package var methods: [Method]
    package var properties: [Property]
    package var signals: [Signal]

    package init(_ name: String, methods: [Method] = [], properties: [Property] = [], signals: [Signal] = []) {
        self.name = name
        self.methods = methods
        self.properties = properties
        self.signals = signals
    }

    package static func document(_ interfaces: [BusInterface]) -> String {
        document(containing: interfaces.map(\.introspection))
    }

    /// For a path that only has objects below it.
    static func document(children: [String]) -> String {
        document(containing: children.map { "  <node name=\"\($0)\"/>" })
    }

    private static func document(containing parts: [String]) -> String {
        """
        <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
        <node>
        \(parts.joined(separator: "\n"))
        </node>

        """
    }

    private var introspection: String {
        var lines = ["  <interface name=\"\(name)\">"]
        for method in methods {
            let arguments =
                method.takes.map { Self.line($0, direction: "in") }
                + method.gives.map { Self.line($0, direction: "out") }
            lines += Self.element("method", method.name, arguments)
        }
        for property in properties {
            let changes = property.isConstant ? "const" : "true"
            lines += [
                "    <property name=\"\(property.name)\" type=\"\(property.type)\" access=\"read\">",
                "      <annotation name=\"org.freedesktop.DBus.Property.EmitsChangedSignal\" value=\"\(changes)\"/>",
                "    </property>",
            ]
        }
        for signal in signals {
            lines += Self.element("signal", signal.name, signal.says.map { Self.line($0, direction: nil) })
        }
        return (lines + ["  </interface>"]).joined(separator: "\n")
    }

    private static func element(_ kind: String, _ name: String, _ inner: [String]) -> [String] {
        inner.isEmpty
            ? ["    <\(kind) name=\"\(name)\"/>"] : ["    <\(kind) name=\"\(name)\">"] + inner + ["    </\(kind)>"]
    }

    private static func line(_ argument: Argument, direction: String?) -> String {
        let direction = direction.map { " direction=\"\($0)\"" } ?? ""
        return "      <arg name=\"\(argument.name)\" type=\"\(argument.type)\"\(direction)/>"
    }
}
