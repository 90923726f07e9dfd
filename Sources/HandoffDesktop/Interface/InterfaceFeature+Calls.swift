// SPDX-License-Identifier: Apache-2.0

internal import HandoffBus
internal import HandoffClient
internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire

extension InterfaceFeature {
    /// Equal to the files of Protocol/dbus.
    var interface: BusInterface {
        BusInterface(
            form.interface, methods: form == .whole ? controlling + takingPart + sending : takingPart,
            properties: form.properties.map { name, type in
                BusInterface.Property(name, type) { [unowned self] in value(of: name) }
            },
            signals: form == .whole
                ? [BusInterface.Signal("ActivitiesChanged", says: [.init("activities", "aa{sv}")])] : [])
    }

    private var controlling: [BusInterface.Method] {
        [
            method(
                "ListActivities", ["options": "a{sv}"], gives: ["activities": "aa{sv}"],
                InterfaceFeature.listActivities),
            method(
                "Continue", ["activity": "s", "device": "s", "options": "a{sv}"], gives: ["continuation": "o"],
                InterfaceFeature.continueActivity),
            method("Open", ["activity": "s", "device": "s", "options": "a{sv}"], InterfaceFeature.open),
        ]
    }

    private var takingPart: [BusInterface.Method] {
        [
            method(
                "Register", ["app_id": "s", "callbacks": "o", "options": "a{sv}"], gives: ["details": "a{sv}"],
                InterfaceFeature.register),
            method("Unregister", [:], InterfaceFeature.unregister),
            method("Publish", ["properties": "a{sv}"], gives: ["activity": "s"], InterfaceFeature.publish),
            method("Update", ["activity": "s", "properties": "a{sv}"], InterfaceFeature.update),
            method("Withdraw", ["activity": "s"], InterfaceFeature.withdraw),
            method("Changed", ["activity": "s"], InterfaceFeature.changed),
            method(
                "OpenStream", ["continuation": "s"], gives: ["stream": "s", "socket": "h"],
                InterfaceFeature.openStream),
            method("EndStream", ["stream": "s", "bytes": "t"], InterfaceFeature.endStream),
        ]
    }

    typealias Call = (InterfaceFeature) -> (Caller, BusMessage, BusReply) throws(BusFailure) -> Void

    func method(
        _ name: String, _ takes: KeyValuePairs<String, String> = [:], gives: KeyValuePairs<String, String> = [:],
        _ call: @escaping Call
    ) -> BusInterface.Method {
        BusInterface.Method(
            name, takes: takes.map { .init($0.key, $0.value) }, gives: gives.map { .init($0.key, $0.value) }
        ) { [weak self] message, reply in
            guard let self, let caller = callers?[message.sender] else { return }
            do throws(BusFailure) {
                try call(self)(caller, message, reply)
            } catch {
                reply.fail(error)
            }
        }
    }

    private func checked<Value>(_ body: () throws(Failure) -> Value) throws(BusFailure) -> Value {
        do throws(Failure) { return try body() } catch { throw BusFailure(error) }
    }

    func named<Value>(_ body: () throws(WireError) -> Value) throws(BusFailure) -> Value {
        do throws(WireError) { return try body() } catch {
            throw BusFailure(BusFailure.invalidArguments, error.reason)
        }
    }

    func activity(_ value: BusValue?) throws(BusFailure) -> ActivityID {
        try named { () throws(WireError) in try ActivityID(hex: value?.text ?? "") }
    }

    /// Nil for an empty text: the one device that has the activity.
    func device(_ value: BusValue?) throws(BusFailure) -> DeviceID? {
        guard let text = value?.text, !text.isEmpty else { return nil }
        return try named { () throws(WireError) in try DeviceID(text: text) }
    }

    func options(_ value: BusValue?, known: Set<String>) throws(BusFailure) -> [String: BusValue] {
        let options = value?.properties ?? [:]
        guard let unknown = options.keys.first(where: { !known.contains($0) }) else { return options }
        throw BusFailure(BusFailure.invalidArguments, "unknown option \(unknown)")
    }

    // MARK: Reading and continuing

    private func listActivities(_: Caller, _ message: BusMessage, _ reply: BusReply) throws(BusFailure) {
        let options = try options(message[0], known: ["all"])
        try checkDaemon()
        reply.answer([.list(listed(all: options["all"]?.flag ?? false).map(\.bus))])
    }

    func checkDaemon() throws(BusFailure) {
        guard daemon.isConnected, calls.isConnected else {
            throw BusFailure(BusFailure.noDaemon, Failure.noDaemon.reason)
        }
    }

    private func continueActivity(
        _ caller: Caller, _ message: BusMessage, _ reply: BusReply
    ) throws(BusFailure) {
        let options = try options(message[2], known: ["activation-token", "app", "in-browser"])
        var wish = StartContinuation(
            activity: try activity(message[0]), inBrowser: options["in-browser"]?.flag ?? false)
        wish.device = try device(message[1])
        if let app = options["app"]?.text {
            wish.app = try named { () throws(WireError) in try BundleID(appOrProgram: app) }
        }
        wish.activationToken = try activationToken(options)
        try checkDaemon()
        try caller.checkRoomForContinuation()
        guard let bus else { return }
        let continuation = try WatchedContinuation(
            number: nextContinuation(), for: caller.name, isForCaller: isForCaller(wish), on: bus, daemon: calls
        ) { [weak caller] in caller?.remove($0) }
        caller.add(continuation)
        reply.answer([.objectPath(continuation.path)])
        continuation.start(wish)
    }

    private func activationToken(_ options: [String: BusValue]) throws(BusFailure) -> ActivationToken? {
        guard let token = options["activation-token"]?.text else { return nil }
        return try named { () throws(WireError) in try ActivationToken(token) }
    }

    private func open(_: Caller, _ message: BusMessage, _ reply: BusReply) throws(BusFailure) {
        let options = try options(message[2], known: ["activation-token", "in-browser"])
        let (activity, device) = (try activity(message[0]), try device(message[1]))
        let token = try activationToken(options)
        try checkDaemon()
        guard let listed = offers.first(where: { $0.offer.activity == activity && $0.device == device }) else {
            throw BusFailure(Failure(.activityGone, "this device does not offer this activity"))
        }
        continuing?.start(
            .init(listed.key, listed, inBrowser: options["in-browser"]?.flag ?? false, activationToken: token))
        reply.answer()
    }

    private func isForCaller(_ wish: StartContinuation) -> Bool {
        let listed = offers.first {
            $0.offer.activity == wish.activity && (wish.device == nil || $0.device == wish.device)
        }
        switch listed?.target {
        case .script, .webPage: return true
        case .app: return wish.inBrowser
        case .nothing, nil: return false
        }
    }

    // MARK: Taking part

    private func register(_ caller: Caller, _ message: BusMessage, _ reply: BusReply) throws(BusFailure) {
        guard caller.participant == nil, !caller.isRegistering else {
            throw BusFailure(BusFailure.alreadyRegistered, "this program already takes part; call Unregister first")
        }
        guard let bus else { return }
        try room.check(for: caller)
        try checkDaemon()
        let request = try RegistrationRequest(message) { value throws(BusFailure) in
            try options(value, known: RegistrationRequest.options)
        }
        // An adapter must not be in a sandbox, and only this object accepts programs in one.
        guard request.app?.isSystemProgram != true || form == .whole else {
            throw BusFailure(
                BusFailure.accessDenied, "an adapter of a system program takes part through \(InterfaceNames.bus)")
        }
        let app = AppObject(bus: bus, caller: caller.name, path: request.callbacks, answerTime: answerTime)
        caller.isRegistering = true
        CallerIdentity(bus: bus, sandboxes: sandboxes).find(caller.name, claim: request.busName) { [weak self] result in
            caller.isRegistering = false
            guard let self, self.callers?.isThere(caller) == true else { return }
            switch result {
            case .success(let identity): begin(caller, app, request, identity, reply)
            case .failure(let failure): reply.fail(failure)
            }
        }
    }

    private func begin(
        _ caller: Caller, _ app: AppObject, _ request: RegistrationRequest, _ identity: CallerIdentity.Found,
        _ reply: BusReply
    ) {
        let participant = Participant(
            app, makeConnection(request.hello(of: identity)), in: identity.caller.sandbox,
            registered: { result in
                switch result {
                case .success(let welcome):
                    reply.answer([
                        .properties([
                            "receives": .boolean(welcome.isRegistered),
                            "device-name": .string(welcome.deviceName.text),
                        ])
                    ])
                case .failure(let failure): reply.fail(BusFailure(failure))
                }
            },
            ended: { [weak caller] in caller?.participant = nil })
        caller.participant = participant
        do throws(BusFailure) {
            try participant.start(knownBy: identity.caller.names.first)
        } catch {
            caller.participant = nil
            reply.fail(error)
        }
    }

    private func participant(_ caller: Caller) throws(BusFailure) -> Participant {
        guard let participant = caller.participant else {
            throw BusFailure(BusFailure.notRegistered, "this program does not take part; call Register first")
        }
        return participant
    }

    private func unregister(_ caller: Caller, _: BusMessage, _ reply: BusReply) throws(BusFailure) {
        try participant(caller).left()
        caller.participant = nil
        reply.answer()
    }

    private func publish(_ caller: Caller, _ message: BusMessage, _ reply: BusReply) throws(BusFailure) {
        let participant = try participant(caller)
        var random = SystemRandomNumberGenerator()
        // Outside the closure: there, an empty value has no address, which confuses the thread sanitizer.
        let id = ActivityID.random(using: &random)
        let offered = try checked { () throws(Failure) in
            try OfferedActivity(id, message[0]?.properties ?? [:])
        }
        try publish(offered, by: participant, for: caller, reply, answer: [.string(offered.id.hex)])
    }

    private func update(_ caller: Caller, _ message: BusMessage, _ reply: BusReply) throws(BusFailure) {
        let participant = try participant(caller)
        let id = try activity(message[0])
        guard var offered = participant.activity, offered.id == id else { throw .notOffered }
        try checked { () throws(Failure) in try offered.apply(message[1]?.properties ?? [:]) }
        try publish(offered, by: participant, for: caller, reply, answer: [])
    }

    private func publish(
        _ offered: OfferedActivity, by participant: Participant, for caller: Caller, _ reply: BusReply,
        answer: [BusValue]
    ) throws(BusFailure) {
        let answered: (Result<LocalMessage, Failure>) -> Void = { result in
            switch result {
            case .success: reply.answer(answer)
            case .failure(let failure): reply.fail(BusFailure(failure))
            }
        }
        participant.publish(offered, then: try caller.question(answered))
    }

    private func withdraw(_ caller: Caller, _ message: BusMessage, _ reply: BusReply) throws(BusFailure) {
        guard try participant(caller).withdraw(try activity(message[0])) else { throw .notOffered }
        reply.answer()
    }

    private func changed(_ caller: Caller, _ message: BusMessage, _ reply: BusReply) throws(BusFailure) {
        guard try participant(caller).changed(try activity(message[0])) else { throw .notOffered }
        reply.answer()
    }

    private func openStream(_ caller: Caller, _ message: BusMessage, _ reply: BusReply) throws(BusFailure) {
        let continuation = try named { () throws(WireError) in try ContinuationID(hex: message[0]?.text ?? "") }
        let opened: Participant.Opened = { result in
            switch result {
            case .success(let (stream, descriptor)):
                reply.answer([.string(stream.hex), .descriptor(descriptor)])
            case .failure(let failure): reply.fail(BusFailure(failure))
            }
        }
        try participant(caller).openStream(of: continuation, then: try caller.question(opened))
    }

    private func endStream(_ caller: Caller, _ message: BusMessage, _ reply: BusReply) throws(BusFailure) {
        let stream = try named { () throws(WireError) in try StreamID(hex: message[0]?.text ?? "") }
        guard case .uint64(let bytes)? = message[1] else { return }
        try participant(caller).daemon.send(.streams(.streamEnded(StreamEnd(stream: stream, byteCount: bytes))))
        reply.answer()
    }
}

extension BusFailure {
    fileprivate static let notOffered = BusFailure(
        Failure(.activityGone, "this program does not offer that activity now"))
}
