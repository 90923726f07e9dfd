// SPDX-License-Identifier: Apache-2.0

internal import HandoffBus
internal import HandoffWire

/// The hand on `org.freedesktop.Notifications`: whichever program shows the user's notifications now.
package final class NotificationServer {
    package static let name = "org.freedesktop.Notifications"
    private static let path = "/org/freedesktop/Notifications"
    /// For each of its answers.
    package static let answerTime = Duration.seconds(5)

    /// It is another one, or none, and knows nothing of what the last one showed.
    var changed: () -> Void = {}
    /// With the token by which what is started may come to the front, where the server gives one.
    var pressed: (UInt32, ActivationToken?) -> Void = { _, _ in }
    var closed: (UInt32) -> Void = { _ in }
    var inhibitionChanged: (Bool) -> Void = { _ in }

    private let answerTime: Duration
    private var bus: BusConnection?
    private var slots: [BusSlot] = []
    /// Its name on the bus.
    private var owner: String?
    private var profile: ServerProfile?
    private var isAsked = false
    /// Until it is known what the server can do. The rules ask for one each device, so they are few.
    private var waiting: [(ServerProfile?) -> Void] = []
    private var token: (id: UInt32, given: ActivationToken)?
    /// How often it was another one: an answer of the one before counts no more.
    private var epoch = 0

    init(answerTime: Duration) { self.answerTime = answerTime }

    func busConnected(_ bus: BusConnection) {
        self.bus = bus
        do throws(BusFailure) {
            slots = [
                try signal("ActivationToken", "us") { [unowned self] message in
                    guard let id = message.notificationID else { return }
                    // One that cannot be passed on is none: the app comes all the same.
                    token = (try? ActivationToken(message[1]?.text ?? "")).map { (id, $0) }
                },
                try signal("ActionInvoked", "us") { [unowned self] message in
                    guard let id = message.notificationID, let action = message[1]?.text else { return }
                    // Some send `default` for a click wherever it was, though nobody named it.
                    guard action == NoticeMessage.action || action == NoticeMessage.defaultAction else { return }
                    pressed(id, token?.id == id ? token?.given : nil)
                },
                try signal("NotificationClosed", "uu") { [unowned self] message in
                    if let id = message.notificationID { closed(id) }
                },
                try bus.onSignal(
                    "org.freedesktop.DBus.Properties", "PropertiesChanged", "sa{sv}as", from: Self.name, path: Self.path
                ) { [unowned self] message in
                    guard message.sender == owner, let inhibited = message[1]?.properties?["Inhibited"]?.flag else {
                        return
                    }
                    inhibitionChanged(inhibited)
                },
                try bus.watchName(Self.name) { [unowned self] in ownerChanged($0) },
            ]
        } catch {
            Complaint.say("cannot listen to the notification server: \(error)")
        }
    }

    func busDisconnected() {
        bus = nil
        slots = []
        ownerChanged(nil)
    }

    private func signal(
        _ member: String, _ signature: String, _ handler: @escaping (BusMessage) -> Void
    ) throws(BusFailure) -> BusSlot {
        guard let bus else { throw BusFailure(BusFailure.failed, "no bus") }
        // By whom it was sent is looked at again: GNOME's are repeated by a helper, and anybody may send one like it.
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
        // Whoever waits is told by `changed` that it was in vain.
        waiting = []
        changed()
        if owner != nil, !isAsked { askWhatItCan() }
    }

    // MARK: Showing

    /// `completion` is called once, on the loop, with the number, nil where the server took none; not where the server changes
    /// before, or where there is none: `changed` tells when there is.
    func show(
        _ notice: @escaping (ServerProfile) -> NoticeMessage, replacing id: UInt32?,
        completion: @escaping (UInt32?) -> Void
    ) {
        guard bus != nil else { return }
        let send = { [unowned self] (profile: ServerProfile?) in
            guard let profile else { return completion(nil) }
            call("Notify", notice(profile).body(replacing: id)) { answer in
                completion((answer?[0]?.integer).flatMap { UInt32(exactly: $0) })
            }
        }
        guard profile == nil else { return send(profile) }
        waiting.append(send)
        if !isAsked { askWhatItCan() }
    }

    func close(_ id: UInt32) {
        guard let bus, let owner else { return }
        bus.tell(BusCall(owner, Self.path, Self.name, "CloseNotification", [.uint32(id)]))
    }

    /// This starts one where none runs and the bus knows which.
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
                // Nobody is there, and nobody could be started: that is not asked again and again.
                guard profile != nil || owner != nil else { return }
                due.forEach { $0(profile) }
            }
        }
        askWhetherItIsInhibited()
    }

    /// Of servers that say so; the others hold back themselves what the user does not want to see now.
    private func askWhetherItIsInhibited() {
        let called = epoch
        bus?.call(
            BusCall(
                owner ?? Self.name, Self.path, "org.freedesktop.DBus.Properties", "Get",
                [.string(Self.name), .string("Inhibited")], mayStart: false),
            within: answerTime
        ) { [weak self] result in
            guard let self, epoch == called, case .success(let answer) = result, answer[0]?.flag == true else { return }
            inhibitionChanged(true)
        }
    }

    /// Nil: it failed. Not called where the server changed meanwhile.
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
