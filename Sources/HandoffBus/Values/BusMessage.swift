// SPDX-License-Identifier: Apache-2.0

/// A call, a signal or an answer that came.
package struct BusMessage: Sendable {
    /// The unique name of whoever sent it; empty where the bus did not say.
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

/// A call to be made.
package struct BusCall: Sendable {
    package var destination: String
    package var path: String
    package var interface: String
    package var member: String
    package var body: [BusValue]
    /// Whether the bus may start who is called.
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
