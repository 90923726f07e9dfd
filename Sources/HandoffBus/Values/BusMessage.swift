// SPDX-License-Identifier: Apache-2.0

internal import CSystemd

/// Received.
package struct BusMessage: Sendable {
    /// The sender's unique name; empty if the bus did not provide it.
    package var sender: String
    package var path: String
    package var interface: String
    package var member: String
    package var signature: String
    package var body: [BusValue]

    package init(
        sender: String = "", path: String = "", interface: String = "", member: String = "", body: [BusValue] = []
    ) {
        self.sender = sender
        self.path = path
        self.interface = interface
        self.member = member
        self.signature = body.map(\.type.code).joined()
        self.body = body
    }

    package subscript(_ index: Int) -> BusValue? { body.indices.contains(index) ? body[index] : nil }
}

package struct BusCall: Sendable {
    var destination: String
    package var path: String
    package var interface: String
    package var member: String
    package var body: [BusValue]
    /// Whether the bus may start the destination.
    package var mayStart = true

    package init(
        _ destination: String, _ path: String, _ interface: String, _ member: String, _ body: [BusValue] = [],
        mayStart: Bool = true
    ) {
        self.destination = destination
        self.path = path
        self.interface = interface
        self.member = member
        self.body = body
        self.mayStart = mayStart
    }
}

final class OutgoingMessage {
    let pointer: OpaquePointer

    init(taking pointer: OpaquePointer) { self.pointer = pointer }

    init(_ call: BusCall, on bus: OpaquePointer) throws(BusFailure) {
        var made: OpaquePointer?
        try BusFailure.check(
            sd_bus_message_new_method_call(bus, &made, call.destination, call.path, call.interface, call.member),
            "cannot call \(call.member) of \(call.destination)")
        guard let made else { throw BusFailure(BusFailure.failed, "cannot call \(call.member)") }
        pointer = made
        if !call.mayStart { sd_bus_message_set_auto_start(made, 0) }
        try MessageWriter(message: made).append(call.body)
    }

    deinit { sd_bus_message_unref(pointer) }
}
