// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffCore
import HandoffWire

/// See docs/dbus.md. Registers again with each new `handoff-bus`.
final class ProgramParticipant {
    let program: BundleID

    /// After each registration; nothing is published then.
    var registered: () -> Void = {}
    /// The daemon does not accept the program, or no longer.
    var refused: (BusFailure) -> Void = { _ in }
    /// Answer with the current properties.
    var save: (@escaping ([String: BusValue]) -> Void) -> Void = { $0([:]) }
    var wasContinued: () -> Void = {}
    /// Another device reads the file of the offered activity.
    var streamOpened: (_ stream: String, SharedDescriptor) -> Void = { _, _ in }
    /// An activity has arrived. Answer true once it is shown.
    var arrived: (Arrival, @escaping (Result<Bool, BusFailure>) -> Void) -> Void = { $1(.success(false)) }
    /// The arriving activity was lost.
    var failed: () -> Void = {}

    struct Arrival {
        let continuation: String
        let device: String
        let properties: [String: BusValue]
    }

    private let connector: BusConnector
    private let options: [String: BusValue]
    private var bus: BusConnection?
    private var object: BusObject?
    private var watch: BusSlot?
    /// The unique name of `handoff-bus`.
    private var owner: String?
    private(set) var isRegistered = false
    private(set) var isBusy = false
    private var activity: String?
    /// By continuation.
    private var devices: [String: String] = [:]

    init(_ program: BundleID, options: [String: BusValue], to address: String, on loop: BusLoop) {
        self.program = program
        self.options = options
        connector = BusConnector(to: address, on: loop)
        connector.connected = { [unowned self] in connected($0) }
        connector.disconnected = { [unowned self] in
            (bus, object, watch) = (nil, nil, nil); handoffLeft()
        }
    }

    func start() { connector.start() }

    private func connected(_ bus: BusConnection) {
        self.bus = bus
        do throws(BusFailure) {
            object = try BusObject([interface], at: HandoffNames.adaptersPath, on: bus)
            watch = try bus.watchName(HandoffNames.bus) { [unowned self] in handoffChanged($0) }
        } catch {
            refused(error)
        }
    }

    private func handoffChanged(_ new: String?) {
        guard new != owner else { return }
        handoffLeft()
        owner = new
        guard new != nil else { return }
        call("Register", [.string(program.name), .objectPath(HandoffNames.adaptersPath), .properties(options)]) {
            [weak self] result in
            switch result {
            case .success:
                self?.isRegistered = true
                self?.registered()
            case .failure(let failure): self?.refused(failure)
            }
        }
    }

    private func handoffLeft() { (owner, isRegistered, isBusy, activity) = (nil, false, false, nil) }

    private func call(_ member: String, _ body: [BusValue], then: @escaping (Result<BusMessage, BusFailure>) -> Void) {
        guard let bus, let owner else { return }
        isBusy = true
        bus.call(BusCall(owner, HandoffNames.path, HandoffNames.interface, member, body, mayStart: false)) {
            [weak self] result in
            // Otherwise the answer is of an earlier `handoff-bus`.
            guard self?.owner == owner else { return }
            self?.isBusy = false
            then(result)
        }
    }

    // MARK: Offering

    /// Only if registered and not busy. `then` is called once the next message may be sent.
    func publish(_ properties: [String: BusValue], then: @escaping (BusFailure?) -> Void) {
        call("Publish", [.properties(properties)]) { [weak self] result in
            switch result {
            case .success(let answer):
                self?.activity = answer[0]?.text
                then(nil)
            case .failure(let failure):
                self?.activity = nil
                then(failure)
            }
        }
    }

    func update(_ properties: [String: BusValue], then: @escaping (BusFailure?) -> Void) {
        tell("Update", [.properties(properties)], then)
    }

    func changed(then: @escaping (BusFailure?) -> Void) { tell("Changed", [], then) }

    func withdraw(then: @escaping (BusFailure?) -> Void) { tell("Withdraw", [], then) }

    /// Calls `then` at the latest when the bus gives up.
    func leave(then: @escaping () -> Void) {
        guard isRegistered, owner != nil else { return then() }
        call("Unregister", []) { _ in then() }
    }

    private func tell(_ member: String, _ more: [BusValue], _ then: @escaping (BusFailure?) -> Void) {
        guard let activity else { return then(nil) }
        if member == "Withdraw" { self.activity = nil }
        call(member, [.string(activity)] + more) { result in
            if case .failure(let failure) = result { then(failure) } else { then(nil) }
        }
    }

    // MARK: Streams

    /// To the origin of an activity that has arrived.
    func openStream(
        of continuation: String, then: @escaping (Result<(stream: String, SharedDescriptor), BusFailure>) -> Void
    ) {
        send("OpenStream", [.string(continuation)]) { result in
            then(
                result.flatMap { answer in
                    guard let stream = answer[0]?.text, case .descriptor(let socket)? = answer[1] else {
                        return .failure(BusFailure(BusFailure.failed, "no stream was opened"))
                    }
                    return .success((stream, socket))
                })
        }
    }

    /// Nothing follows these bytes.
    func endStream(_ stream: String, bytes: UInt64, then: @escaping () -> Void) {
        send("EndStream", [.string(stream), .uint64(bytes)]) { _ in then() }
    }

    private func send(_ member: String, _ body: [BusValue], then: @escaping (Result<BusMessage, BusFailure>) -> Void) {
        guard let bus, let owner else {
            return then(.failure(BusFailure(BusFailure.failed, "handoff-bus is not running")))
        }
        bus.call(
            BusCall(owner, HandoffNames.path, HandoffNames.interface, member, body, mayStart: false), completion: then)
    }

    // MARK: Calls of handoff-bus

    private var interface: BusInterface {
        func method(
            _ name: String, _ takes: [(String, String)], gives: [(String, String)] = [],
            _ body: @escaping (ProgramParticipant, BusMessage, BusReply) -> Void
        ) -> BusInterface.Method {
            BusInterface.Method(
                name, takes: takes.map { .init($0.0, $0.1) }, gives: gives.map { .init($0.0, $0.1) }
            ) { [weak self] message, reply in
                // Any program of the user may call.
                guard let self, message.sender == owner else {
                    return reply.fail(BusFailure(BusFailure.accessDenied, "only handoff-bus may call this"))
                }
                body(self, message, reply)
            }
        }
        return BusInterface(
            HandoffNames.app,
            methods: [
                method("Save", [("activity", "s")], gives: [("properties", "a{sv}")]) { participant, message, reply in
                    guard message[0]?.text == participant.activity else { return reply.answer([.properties([:])]) }
                    participant.save { reply.answer([.properties($0)]) }
                },
                method(
                    "WillContinue", [("continuation", "s"), ("type", "s"), ("device_name", "s")],
                    gives: [("handled", "b")]
                ) { participant, message, reply in
                    participant.devices = [message[0]?.text ?? "": message[2]?.text ?? ""]
                    reply.answer([.boolean(false)])
                },
                method(
                    "Continue", [("continuation", "s"), ("properties", "a{sv}"), ("documents", "aa{sv}")],
                    gives: [("handled", "b")]
                ) { participant, message, reply in
                    let continuation = message[0]?.text ?? ""
                    let arrival = Arrival(
                        continuation: continuation, device: participant.devices[continuation] ?? "",
                        properties: message[1]?.properties ?? [:])
                    participant.arrived(arrival) { result in
                        switch result {
                        case .success(let handled): reply.answer([.boolean(handled)])
                        case .failure(let failure): reply.fail(failure)
                        }
                    }
                },
                method("DidFail", [("continuation", "s"), ("type", "s"), ("details", "a{sv}")]) {
                    participant, _, reply in
                    reply.answer()
                    participant.failed()
                },
                method("WasContinued", [("activity", "s"), ("device_name", "s")]) { participant, message, reply in
                    reply.answer()
                    if message[0]?.text == participant.activity { participant.wasContinued() }
                },
                method("StreamOpened", [("activity", "s"), ("stream", "s"), ("socket", "h")]) {
                    participant, message, reply in
                    guard message[0]?.text == participant.activity, let stream = message[1]?.text,
                        case .descriptor(let socket)? = message[2]
                    else {
                        return reply.fail(BusFailure(BusFailure.failed, "the activity is no longer offered"))
                    }
                    reply.answer()
                    participant.streamOpened(stream, socket)
                },
                method("StreamEnded", [("stream", "s"), ("bytes", "t"), ("details", "a{sv}")]) { _, _, reply in
                    // The state has the size of the file.
                    reply.answer()
                },
                method("Unregistered", [("details", "a{sv}")]) { participant, _, reply in
                    reply.answer()
                    participant.isRegistered = false
                    participant.refused(BusFailure(BusFailure.accessDenied, "the daemon no longer accepts the program"))
                },
            ])
    }
}

enum HandoffNames {
    static let bus = "org.handoff.Handoff1"
    static let path = "/org/handoff/Handoff1"
    static let interface = "org.handoff.Handoff1"
    static let app = "org.handoff.App1"
    /// The bus starts this program under that name.
    static let adapters = "org.handoff.Adapters"
    static let adaptersPath = "/org/handoff/Adapters"
}
