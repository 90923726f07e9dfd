// SPDX-License-Identifier: Apache-2.0

/// The program that shows the user's notifications.
package final class NotificationServer {
    package static let name = "org.freedesktop.Notifications"
    /// A click on the text. Some servers send it for every click, even if not offered.
    package static let defaultAction = "default"
    /// Servers show its name and icon.
    package static let desktopEntry = "org.handoff.Handoff"
    private static let path = "/org/freedesktop/Notifications"
    package static let answerTime = Duration.seconds(5)

    /// The server changed or ended, with its notifications.
    package var changed: () -> Void = {}
    /// The activation token may be nil.
    package var acted: (UInt32, _ action: String, _ token: String?) -> Void = { _, _, _ in }
    package var closed: (UInt32) -> Void = { _ in }
    /// The signals of the server cannot be received.
    package var failed: (BusFailure) -> Void = { _ in }
    package var inhibitionChanged: (Bool) -> Void = { _ in }

    private let answerTime: Duration
    private var bus: BusConnection?
    private var slots: [BusSlot] = []
    /// Unique name.
    private var owner: String?
    private var profile: ServerProfile?
    private var isAsked = false
    /// Until the capabilities are known. Few: the rules allow one a device.
    private var waiting: [(ServerProfile?) -> Void] = []
    private var token: (id: UInt32, given: String)?
    /// Answers from earlier epochs are ignored.
    private var epoch = 0

    package init(answerTime: Duration = answerTime) { self.answerTime = answerTime }

    package func busConnected(_ bus: BusConnection) {
        self.bus = bus
        do throws(BusFailure) {
            slots = [
                try signal("ActivationToken", "us") { [unowned self] message in
                    guard let id = message.notificationID else { return }
                    token = message[1]?.text.map { (id, $0) }
                },
                try signal("ActionInvoked", "us") { [unowned self] message in
                    guard let id = message.notificationID, let action = message[1]?.text else { return }
                    acted(id, action, token?.id == id ? token?.given : nil)
                },
                try signal("NotificationClosed", "uu") { [unowned self] message in
                    if let id = message.notificationID { closed(id) }
                },
                try bus.onPropertiesChanged(of: Self.name, from: Self.name, path: Self.path) { [unowned self] changed in
                    guard changed.sender == owner, let inhibited = changed.values["Inhibited"]?.flag else { return }
                    inhibitionChanged(inhibited)
                },
                try bus.watchName(Self.name) { [unowned self] in ownerChanged($0) },
            ]
        } catch {
            failed(error)
        }
    }

    package func busDisconnected() {
        bus = nil
        slots = []
        ownerChanged(nil)
    }

    private func signal(
        _ member: String, _ signature: String, _ handler: @escaping (BusMessage) -> Void
    ) throws(BusFailure) -> BusSlot {
        guard let bus else { throw BusFailure(BusFailure.failed, "no bus") }
        // Checked again: a helper repeats GNOME's signals, and any program may send them.
        return try bus.onSignal(Self.name, member, signature, from: Self.name, path: Self.path) {
            [unowned self] message in
            if message.sender == owner { handler(message) }
        }
    }

    private func ownerChanged(_ owner: String?) {
        self.owner = owner
        epoch += 1
        profile = nil
        isAsked = false
        token = nil
        waiting = []
        changed()
        if owner != nil, !isAsked { askWhatItCan() }
    }

    // MARK: Showing

    /// For `Notify`. `isLasting`: until the user closes it; otherwise the server chooses.
    package static func arguments(
        _ summary: String, _ text: String, actions: [String], hints: [String: BusValue], replacing id: UInt32?,
        isLasting: Bool = false
    ) -> [BusValue] {
        [
            .string("Handoff"), .uint32(id ?? 0), .string(desktopEntry), .string(summary), .string(text),
            .strings(actions), .properties(hints), .int32(isLasting ? 0 : -1),
        ]
    }

    /// Calls `completion` once, on the loop, with the number, or nil if the server refused. Not called without a
    /// server, or if the server changes, which calls `changed`.
    ///
    /// `arguments`: of `Notify`. Nil: not with this server.
    package func show(
        _ arguments: @escaping (ServerProfile) -> [BusValue]?,
        completion: @escaping (UInt32?) -> Void
    ) {
        guard bus != nil else { return }
        let send = { [unowned self] (profile: ServerProfile?) in
            guard let arguments = profile.flatMap(arguments) else { return completion(nil) }
            call("Notify", arguments) { answer in
                completion((answer?[0]?.integer).flatMap { UInt32(exactly: $0) })
            }
        }
        guard profile == nil else { return send(profile) }
        waiting.append(send)
        if !isAsked { askWhatItCan() }
    }

    package func close(_ id: UInt32) {
        guard let bus, let owner else { return }
        bus.tell(BusCall(owner, Self.path, Self.name, "CloseNotification", [.uint32(id)]))
    }

    /// Starts a server if none runs.
    private func askWhatItCan() {
        isAsked = true
        call("GetServerInformation", []) { [unowned self] information in
            call("GetCapabilities", []) { [unowned self] capabilities in
                isAsked = false
                profile = (capabilities?[0]?.strings).map {
                    ServerProfile(name: information?[0]?.text ?? "", capabilities: Set($0))
                }
                let due = waiting
                waiting = []
                // If none could be started, do not ask again.
                guard profile != nil || owner != nil else { return }
                due.forEach { $0(profile) }
            }
        }
        askWhetherItIsInhibited()
    }

    /// Other servers suppress notifications themselves.
    private func askWhetherItIsInhibited() {
        let called = epoch
        bus?.call(
            .property("Inhibited", of: Self.name, at: Self.path, on: owner ?? Self.name), within: answerTime
        ) { [weak self] result in
            guard let self, epoch == called, case .success(let answer) = result, answer[0]?.flag == true else { return }
            inhibitionChanged(true)
        }
    }

    /// Nil: failed. Not called if the server has changed.
    private func call(_ member: String, _ body: [BusValue], completion: @escaping (BusMessage?) -> Void) {
        guard let bus else { return }
        let called = epoch
        bus.call(
            BusCall(owner ?? Self.name, Self.path, Self.name, member, body), within: answerTime
        ) { [weak self] result in
            guard let self, epoch == called else { return }
            completion(try? result.get())
        }
    }
}

extension BusMessage {
    fileprivate var notificationID: UInt32? { (self[0]?.integer).flatMap { UInt32(exactly: $0) } }
}
