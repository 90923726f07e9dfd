// SPDX-License-Identifier: Apache-2.0

package import HandoffBus

/// A notification server that shows nothing. It belongs to one `BusFixture`, and is used only on it.
package final class NoticeServer {
    package struct Shown {
        package let id: UInt32
        package let replaced: UInt32
        package let summary: String
        package let body: String
        package let actions: [String]
        package let hints: [String: BusValue]
    }

    package static let name = "org.freedesktop.Notifications"
    package static let path = "/org/freedesktop/Notifications"

    package let guest: Guest
    package var capabilities = ["actions", "body", "body-markup"]
    package var isInhibited = false { didSet { object?.changed(Self.name, ["Inhibited"]) } }
    package var hangs = false
    package private(set) var shown: [Shown] = []
    package private(set) var closed: [UInt32] = []
    private var object: BusObject?
    private var replies: [BusReply] = []

    package init(_ guest: Guest) { self.guest = guest }

    package func begin() throws {
        guard let connection = guest.connection else { return }
        object = try BusObject(
            [
                BusInterface(
                    Self.name,
                    methods: [
                        .init("GetServerInformation") { $1.answer(["test", "test", "1", "1.2"].map(BusValue.string)) },
                        .init("GetCapabilities") { [unowned self] in $1.answer([.strings(capabilities)]) },
                        .init("Notify", takes: Self.notify.map { .init("value", $0) }) { [unowned self] in
                            notified($0, $1)
                        },
                        .init("CloseNotification", takes: [.init("id", "u")]) { [unowned self] message, reply in
                            closed.append(UInt32(message[0]?.integer ?? 0))
                            reply.answer([])
                            guest.hears(message)
                        },
                    ],
                    properties: [.init("Inhibited", "b") { [unowned self] in .boolean(isInhibited) }])
            ], at: Self.path, on: connection)
        connection.requestName(Self.name) { _ in }
    }

    /// Simulates a crash, after which another server may start.
    package func end() {
        guest.connection?.releaseName(Self.name)
        object = nil
    }

    private static let notify = ["s", "u", "s", "s", "s", "as", "a{sv}", "i"]

    private func notified(_ message: BusMessage, _ reply: BusReply) {
        let replaced = UInt32(message[1]?.integer ?? 0)
        let id = replaced == 0 ? UInt32(shown.count + 1) : replaced
        shown.append(
            Shown(
                id: id, replaced: replaced, summary: message[3]?.text ?? "", body: message[4]?.text ?? "",
                actions: message[5]?.strings ?? [], hints: message[6]?.properties ?? [:]))
        if hangs { replies.append(reply) } else { reply.answer([.uint32(id)]) }
        guest.hears(message)
    }

    // MARK: User actions

    package func press(_ id: UInt32, _ action: String = "continue", token: String? = nil) {
        if let token { object?.emit(Self.name, "ActivationToken", [.uint32(id), .string(token)]) }
        object?.emit(Self.name, "ActionInvoked", [.uint32(id), .string(action)])
    }

    package func close(_ id: UInt32) { object?.emit(Self.name, "NotificationClosed", [.uint32(id), .uint32(2)]) }

    package func waits(forShown count: Int, isolation: isolated (any Actor)) async throws {
        try await guest.wait(isolation: isolation) { _ in shown.count >= count }
    }

    package func waits(forClosed count: Int, isolation: isolated (any Actor)) async throws {
        try await guest.wait(isolation: isolation) { _ in closed.count >= count }
    }
}

extension BusFixture {
    package func server(
        at address: String, _ change: (NoticeServer) -> Void = { _ in }
    ) async throws -> NoticeServer {
        let server = NoticeServer(try await connect(to: address))
        change(server)
        try server.begin()
        return server
    }
}
