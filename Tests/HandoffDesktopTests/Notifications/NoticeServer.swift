// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import TestBuses

/// `RealServerTests` uses real servers. It belongs to one `BusFixture`, and is used only on it.
final class NoticeServer {
    struct Shown {
        let id: UInt32
        let replaced: UInt32
        let summary: String
        let body: String
        let actions: [String]
        let hints: [String: BusValue]
    }

    static let name = "org.freedesktop.Notifications"
    static let path = "/org/freedesktop/Notifications"

    let guest: Guest
    var capabilities = ["actions", "body", "body-markup"]
    var isInhibited = false { didSet { object?.changed(Self.name, ["Inhibited"]) } }
    var hangs = false
    private(set) var shown: [Shown] = []
    private(set) var closed: [UInt32] = []
    private var object: BusObject?
    private var replies: [BusReply] = []

    init(_ guest: Guest) { self.guest = guest }

    func begin() throws {
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
    func end() {
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

    func press(_ id: UInt32, _ action: String = "continue", token: String? = nil) {
        if let token { object?.emit(Self.name, "ActivationToken", [.uint32(id), .string(token)]) }
        object?.emit(Self.name, "ActionInvoked", [.uint32(id), .string(action)])
    }

    func close(_ id: UInt32) { object?.emit(Self.name, "NotificationClosed", [.uint32(id), .uint32(2)]) }

    func waits(forShown count: Int, isolation: isolated (any Actor)) async throws {
        try await guest.wait(isolation: isolation) { _ in shown.count >= count }
    }

    func waits(forClosed count: Int, isolation: isolated (any Actor)) async throws {
        try await guest.wait(isolation: isolation) { _ in closed.count >= count }
    }
}
