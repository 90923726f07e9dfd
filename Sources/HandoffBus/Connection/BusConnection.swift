// SPDX-License-Identifier: Apache-2.0

internal import CSystemd

/// Used on the loop's thread. Never reconnected: `BusConnector` makes another.
package final class BusConnection {
    let bus: OpaquePointer
    /// Such as ":1.42".
    package private(set) var uniqueName = ""
    private var states: [BusSlot] = []
    /// By path.
    var objects: [String: ServedObject] = [:]
    private(set) lazy var senders = BusSenders(self)
    /// For each match beyond the bus's limit.
    package var matchRefused: (BusFailure) -> Void = { _ in }
    /// The main cost that a caller can cause.
    var bodiesRead = 0

    /// Calls `connected` and `ended` on the loop; `ended` once, perhaps without `connected`. Waits for a missing
    /// socket. Throws for an unusable address.
    init(
        to address: String, on loop: BusLoop, connected: @escaping (BusConnection) -> Void,
        ended: @escaping () -> Void
    ) throws(BusFailure) {
        var made: OpaquePointer?
        try BusFailure.check(sd_bus_new(&made), "cannot connect to the bus")
        guard let made else { throw BusFailure(BusFailure.failed, "cannot connect to the bus") }
        bus = made
        try BusFailure.check(sd_bus_set_address(bus, address), "\(address) is not the address of a bus")
        sd_bus_set_bus_client(bus, 1)
        sd_bus_set_watch_bind(bus, 1)
        sd_bus_set_connected_signal(bus, 1)
        // The loop belongs to the program.
        sd_bus_set_exit_on_disconnect(bus, 0)
        // Only the owner closes the connection.
        sd_bus_set_close_on_exit(bus, 0)
        sd_bus_negotiate_fds(bus, 1)
        states = [
            try BusSlot({ [unowned self] in received($0) }) { slot, callback, data in
                sd_bus_add_filter(bus, &slot, callback, data)
            },
            try onLocalSignal("Connected") { [unowned self] in
                var name: UnsafePointer<CChar>?
                if sd_bus_get_unique_name(bus, &name) >= 0, let name { uniqueName = String(cString: name) }
                connected(self)
            },
            try onLocalSignal("Disconnected", ended),
        ]
        try BusFailure.check(sd_bus_start(bus), "cannot connect to the bus at \(address)")
        try BusFailure.check(sd_bus_attach_event(bus, loop.event, 0), "cannot watch the bus")
    }

    deinit {
        states = []
        sd_bus_detach_event(bus)
        sd_bus_flush_close_unref(bus)
    }

    private func onLocalSignal(_ member: String, _ handler: @escaping () -> Void) throws(BusFailure) -> BusSlot {
        try match("sender='org.freedesktop.DBus.Local',type='signal',member='\(member)'") { _ in handler() }
    }

    // MARK: Calling

    /// Calls `completion` once, on the loop, even if the connection ends, but not if this object is released.
    package func call(
        _ call: BusCall, within time: Duration = BusLimits.answerTime,
        completion: @escaping (Result<BusMessage, BusFailure>) -> Void
    ) {
        do throws(BusFailure) {
            let message = try OutgoingMessage(call, on: bus)
            try BusSlot.once(completion) { callback, data throws(BusFailure) in
                var slot: OpaquePointer?
                try BusFailure.check(
                    sd_bus_call_async(bus, &slot, message.pointer, callback, data, time.microseconds),
                    "cannot call \(call.member)")
                return slot
            }
        } catch {
            completion(.failure(error))
        }
    }

    /// Ignores the answer.
    package func tell(_ call: BusCall) {
        guard let message = try? OutgoingMessage(call, on: bus) else { return }
        sd_bus_message_set_expect_reply(message.pointer, 0)
        sd_bus_send(bus, message.pointer, nil)
    }

    /// `destination` nil: broadcast.
    package func emit(
        _ path: String, _ interface: String, _ member: String, _ body: [BusValue], to destination: String? = nil
    ) {
        var made: OpaquePointer?
        guard sd_bus_message_new_signal(bus, &made, path, interface, member) >= 0, let made else { return }
        let message = OutgoingMessage(taking: made)
        if let destination { sd_bus_message_set_destination(made, destination) }
        guard (try? MessageWriter(message: made).append(body)) != nil else { return }
        withExtendedLifetime(message) { _ = sd_bus_send(bus, made, nil) }
    }

    // MARK: Serving

    /// A program that has called left the bus.
    package var senderLeft: (String) -> Void {
        get { senders.left }
        set { senders.left = newValue }
    }

    /// Set this before serving an object.
    package var admission: Admission? {
        get { senders.admission }
        set { senders.admission = newValue }
    }

    /// Nil if the program has not called, or its process is unknown.
    package func process(ofSender name: String) -> Int32? { senders.process(of: name) }

    // MARK: Listening

    /// Calls `handler` for each message while the slot is retained, unless it exceeds `BusLimits` or `accepts` rejects
    /// its header. `refused`: the connection has too many matches; `handler` is never called.
    package func match(
        _ rule: String, accepts: @escaping (BusMessage) -> Bool = { _ in true },
        refused: @escaping (BusFailure) -> Void = { _ in }, _ handler: @escaping (BusMessage) -> Void
    ) throws(BusFailure) -> BusSlot {
        try BusSlot(
            { [unowned self] pointer in
                let header = MessageReader.header(pointer)
                guard accepts(header) else { return 0 }
                var cost = 0
                let limit = senders.reading(of: header.sender)
                let message = try? MessageReader.read(pointer, header, within: limit, cost: &cost)
                senders.read(cost, from: header.sender)
                if let message { handler(message) }
                return 0
            },
            refused: { [unowned self] in
                matchRefused($0)
                refused($0)
            }
        ) { slot, callback, data in
            // Without its own callback, libsystemd ends the connection if the bus refuses or answers late.
            sd_bus_add_match_async(bus, &slot, rule, callback, BusSlot.installed, data)
        }
    }

    /// `sender`: a bus name, resolved to its owner.
    package func onSignal(
        _ interface: String, _ member: String, _ signature: String, from sender: String? = nil, path: String? = nil,
        _ handler: @escaping (BusMessage) -> Void
    ) throws(BusFailure) -> BusSlot {
        var rule = "type='signal',interface='\(interface)',member='\(member)'"
        if let sender { rule += ",sender='\(sender)'" }
        if let path { rule += ",path='\(path)'" }
        return try match(rule, accepts: { $0.signature == signature }, handler)
    }

    // MARK: Names

    /// Reports the owner now and after each change.
    package func watchName(
        _ name: String, _ handler: @escaping (String?) -> Void
    ) throws(BusFailure) -> BusSlot {
        let slot = try onOwner(of: name, handler)
        call(.bus("GetNameOwner", [.string(name)])) { result in
            switch result {
            case .success(let answer): handler(answer[0]?.text)
            case .failure: handler(nil)
            }
        }
        return slot
    }

    /// Reports `prefix` and each name that begins with it and a dot, now and after each change. Nil: without an owner.
    package func watchNames(
        below prefix: String, _ handler: @escaping (_ name: String, _ owner: String?) -> Void
    ) throws(BusFailure) -> BusSlot {
        let slot = try onOwners("arg0namespace='\(prefix)'") { handler($0, $1) }
        call(.bus("ListNames", [])) { [weak self] result in
            guard case .success(let answer) = result else { return }
            for name in answer[0]?.strings ?? [] where name == prefix || name.hasPrefix(prefix + ".") {
                self?.call(.bus("GetNameOwner", [.string(name)])) { result in
                    if case .success(let owner) = result { handler(name, owner[0]?.text) }
                }
            }
        }
        return slot
    }

    /// Reports changes only.
    func onOwner(
        of name: String, refused: @escaping (BusFailure) -> Void = { _ in }, _ handler: @escaping (String?) -> Void
    ) throws(BusFailure) -> BusSlot {
        try onOwners("arg0='\(name)'", refused: refused) { handler($1) }
    }

    /// `names`: the part of the rule that selects them.
    private func onOwners(
        _ names: String, refused: @escaping (BusFailure) -> Void = { _ in },
        _ handler: @escaping (String, String?) -> Void
    ) throws(BusFailure) -> BusSlot {
        let rule = """
            type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',\
            member='NameOwnerChanged',\(names)
            """
        // libsystemd does not compare senders' well-known names, and any program may send this signal directly.
        return try match(
            rule, accepts: { $0.sender == "org.freedesktop.DBus" && $0.signature == "sss" }, refused: refused
        ) { message in
            let owner = message[2]?.text ?? ""
            handler(message[0]?.text ?? "", owner.isEmpty ? nil : owner)
        }
    }

    /// Fails if another program owns the name.
    package func requestName(_ name: String, completion: @escaping (Result<Void, BusFailure>) -> Void) {
        /// `DBUS_NAME_FLAG_DO_NOT_QUEUE`.
        let flags: UInt32 = 4
        call(.bus("RequestName", [.string(name), .uint32(flags)])) { result in
            completion(
                result.flatMap { answer in
                    switch answer[0]?.integer {
                    case 1, 4: .success(())
                    default: .failure(BusFailure(BusFailure.failed, "another program has the name \(name) on the bus"))
                    }
                })
        }
    }

    package func releaseName(_ name: String) { tell(.bus("ReleaseName", [.string(name)])) }

    /// As the kernel reported the process to the bus when it connected.
    package func process(
        behind name: String, completion: @escaping (Result<BusPeer, BusFailure>) -> Void
    ) {
        call(.bus("GetConnectionCredentials", [.string(name)])) { result in
            completion(
                result.flatMap { answer in
                    guard let peer = answer[0].flatMap(BusPeer.init) else {
                        return .failure(BusFailure(BusFailure.failed, "the bus does not know who \(name) is"))
                    }
                    return .success(peer)
                })
        }
    }
}

extension BusCall {
    package static func bus(_ member: String, _ body: [BusValue]) -> BusCall {
        BusCall("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", member, body)
    }
}
