// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffWire

/// Accepts what `handoff-bus` accepts.
final class StandInHandoff {
    struct Call {
        let member: String
        let time: ContinuousClock.Instant
    }

    struct Registration {
        let adapter: String
        let program: String
        let callbacks: String
        let receives: Bool
    }

    private(set) var calls: [Call] = []
    private(set) var problems: [String] = []
    private(set) var registration: Registration?
    private(set) var activity: OfferedActivity?
    /// It will be saved before it is sent.
    private(set) var isStale = false
    private(set) var hasName = false

    private var connector: BusConnector?
    private var bus: BusConnection?
    private var object: BusObject?
    private var programs: [String]
    private let saveTime: Duration

    init(programs: [String], saveTime: Duration, at address: String, on loop: BusLoop) {
        (self.programs, self.saveTime) = (programs, saveTime)
        let connector = BusConnector(to: address, on: loop)
        self.connector = connector
        connector.connected = { [unowned self] in connected($0) }
        connector.disconnected = { [unowned self] in (bus, object, hasName) = (nil, nil, false) }
        connector.start()
    }

    private func connected(_ bus: BusConnection) {
        self.bus = bus
        object = try? BusObject([interface], at: InterfaceNames.path, on: bus)
        bus.requestName(InterfaceNames.bus) { [weak self] result in
            if case .success = result { self?.hasName = true }
        }
        bus.senderLeft = { [weak self] sender in
            guard let self, registration?.adapter == sender else { return }
            forget()
        }
    }

    /// As during an upgrade.
    func leave() {
        forget()
        (object, bus, connector, hasName) = (nil, nil, nil, false)
    }

    /// Messages that `handoff-bus` would pass on to the daemon.
    var messages: [Call] { calls.filter { ["Publish", "Update", "Changed"].contains($0.member) } }

    func count(_ member: String) -> Int { calls.count { $0.member == member } }

    func switchOff() {
        programs = []
        object?.changed(InterfaceNames.handoff, ["Programs"])
    }

    func emitUnknownProperty() {
        bus?.emit(
            InterfaceNames.path, "org.freedesktop.DBus.Properties", "PropertiesChanged",
            [.string(InterfaceNames.handoff), .properties(["Future": .string("")]), .strings([])])
    }

    /// Calls the adapter's object. Nil if nothing is registered.
    func ask(_ member: String, _ body: [BusValue], then: @escaping (Result<BusMessage, BusFailure>) -> Void) {
        guard let bus, let registration else {
            return then(.failure(BusFailure(BusFailure.failed, "it is not registered")))
        }
        let object = AppObject(
            bus: bus, caller: registration.adapter, path: registration.callbacks, answerTime: saveTime)
        object.ask(member, body, then: then)
    }

    func unregister() {
        let details: BusValue = .properties(["code": .string("notAllowed"), "reason": .string("switched off")])
        ask("Unregistered", [details]) { _ in }
        forget()
    }

    /// The saved properties. Throws as `handoff-bus` refuses them.
    func saved(_ properties: [String: BusValue]) throws(Failure) {
        try activity?.apply(properties)
        isStale = false
    }

    private func forget() { (registration, activity, isStale) = (nil, nil, false) }

    // MARK: Calls of the adapter

    private var interface: BusInterface {
        func method(
            _ name: String, _ takes: [String], _ gives: [String] = [],
            _ body: @escaping (StandInHandoff, BusMessage) throws(BusFailure) -> [BusValue]
        ) -> BusInterface.Method {
            BusInterface.Method(
                name, takes: takes.enumerated().map { .init("in\($0)", $1) },
                gives: gives.enumerated().map { .init("out\($0)", $1) }
            ) { [weak self] message, reply in
                guard let self else { return }
                calls.append(Call(member: name, time: .now))
                do throws(BusFailure) { reply.answer(try body(self, message)) } catch {
                    problems.append("\(name): \(error.sentence)")
                    reply.fail(error)
                }
            }
        }
        let facts = InterfaceFacts.properties
        return BusInterface(
            InterfaceNames.handoff,
            methods: [
                method("Register", ["s", "o", "a{sv}"], ["a{sv}"]) { handoff, message throws(BusFailure) in
                    try handoff.register(message)
                },
                method("Unregister", []) { handoff, message throws(BusFailure) in
                    try handoff.check(message)
                    handoff.forget()
                    return []
                },
                method("Publish", ["a{sv}"], ["s"]) { handoff, message throws(BusFailure) in
                    try handoff.publish(message)
                },
                method("Update", ["s", "a{sv}"]) { handoff, message throws(BusFailure) in
                    try handoff.check(message, hasActivity: true)
                    try named { () throws(Failure) in try handoff.activity?.apply(message[1]?.properties ?? [:]) }
                    return []
                },
                method("Changed", ["s"]) { handoff, message throws(BusFailure) in
                    try handoff.check(message, hasActivity: true)
                    handoff.isStale = true
                    return []
                },
                method("Withdraw", ["s"]) { handoff, message throws(BusFailure) in
                    try handoff.check(message, hasActivity: true)
                    handoff.activity = nil
                    return []
                },
            ],
            properties: facts.map { name, type in
                .init(name, type) { [unowned self] in
                    var facts = InterfaceFacts()
                    (facts.software, facts.deviceName) = (DisplayText.software.text, "check")
                    return name == "Programs" ? .strings(programs) : facts.value(of: name)
                }
            })
    }

    private func register(_ message: BusMessage) throws(BusFailure) -> [BusValue] {
        guard registration == nil else {
            throw BusFailure("org.handoff.Error.AlreadyRegistered", "the program is registered already")
        }
        let options = message[2]?.properties ?? [:]
        if let unknown = options.keys.first(where: { !RegistrationRequest.options.contains($0) }) {
            throw BusFailure(BusFailure.invalidArguments, "the option \(DisplayText(cleaning: unknown)) is unknown")
        }
        registration = Registration(
            adapter: message.sender, program: message[0]?.text ?? "", callbacks: message[1]?.text ?? "/",
            receives: options["receives"]?.flag ?? true)
        return [.properties(["receives": .boolean(false), "device-name": .string("check")])]
    }

    private func publish(_ message: BusMessage) throws(BusFailure) -> [BusValue] {
        try check(message)
        var generator = SystemRandomNumberGenerator()
        let id = ActivityID.random(using: &generator)
        let new = try named { () throws(Failure) in try OfferedActivity(id, message[0]?.properties ?? [:]) }
        activity = new
        isStale = new.needsSave
        return [.string(id.hex)]
    }

    private func check(_ message: BusMessage, hasActivity: Bool = false) throws(BusFailure) {
        guard registration?.adapter == message.sender else {
            throw BusFailure("org.handoff.Error.NotRegistered", "the program is not registered")
        }
        guard hasActivity else { return }
        guard let activity, activity.id.hex == message[0]?.text else {
            throw BusFailure("org.handoff.Error.ActivityGone", "there is no such activity")
        }
    }
}

private func named<Value>(_ body: () throws(Failure) -> Value) throws(BusFailure) -> Value {
    do throws(Failure) { return try body() } catch { throw BusFailure(BusFailure.invalidArguments, error.reason) }
}
