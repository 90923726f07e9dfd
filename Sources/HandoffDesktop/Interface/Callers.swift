// SPDX-License-Identifier: Apache-2.0

internal import HandoffBus

/// By unique name, which the bus never reuses. The connection limits calls before they are read.
final class Callers {
    private unowned let bus: BusConnection
    private var known: [String: Caller] = [:]

    init(_ bus: BusConnection) {
        self.bus = bus
        bus.senderLeft = { [weak self] name in self?.known.removeValue(forKey: name)?.left() }
    }

    subscript(name: String) -> Caller {
        if let caller = known[name] { return caller }
        let caller = Caller(name, process: bus.process(ofSender: name))
        known[name] = caller
        return caller
    }

    func isThere(_ caller: Caller) -> Bool { known[caller.name] === caller }

    /// Includes those still being identified.
    fileprivate var participants: [Caller] { known.values.filter { $0.participant != nil || $0.isRegistering } }

    func allLeft() {
        let all = known.values
        known = [:]
        for caller in all { caller.left() }
    }
}

/// Limits participants over all objects.
final class ParticipantRoom {
    private struct Entry {
        weak var callers: Callers?
    }

    private var entries: [Entry] = []

    init() {}

    func add(_ callers: Callers) {
        entries.removeAll { $0.callers == nil }
        entries.append(Entry(callers: callers))
    }

    /// Throws `.limitsExceeded`.
    func check(for caller: Caller) throws(BusFailure) {
        let taking = entries.flatMap { $0.callers?.participants ?? [] }
        guard taking.count(where: { $0.process == caller.process }) < InterfaceLimits.participantsPerProcess else {
            throw BusFailure(
                BusFailure.limitsExceeded,
                "\(InterfaceLimits.participantsPerProcess) connections of this program already take part")
        }
        guard taking.count < InterfaceLimits.participants else {
            throw BusFailure(
                BusFailure.limitsExceeded, "\(InterfaceLimits.participants) programs on this bus already take part")
        }
    }
}

final class Caller {
    let name: String
    let process: Int32?
    /// Waiting for the daemon.
    private var questions = 0
    var participant: Participant?
    var isRegistering = false
    private var continuations: [UInt64: WatchedContinuation] = [:]

    init(_ name: String, process: Int32?) {
        self.name = name
        self.process = process
    }

    fileprivate func left() {
        participant?.left()
        participant = nil
        for continuation in continuations.values { continuation.callerLeft() }
        continuations = [:]
    }

    /// Throws `.limitsExceeded`. Call the returned closure once, with the answer.
    func question<Answer>(_ then: @escaping (Answer) -> Void) throws(BusFailure) -> (Answer) -> Void {
        guard questions < InterfaceLimits.questions else {
            throw BusFailure(
                BusFailure.limitsExceeded, "\(InterfaceLimits.questions) calls of this program are already waiting")
        }
        questions += 1
        return { [weak self] answer in
            self?.questions -= 1
            then(answer)
        }
    }

    func checkRoomForContinuation() throws(BusFailure) {
        guard continuations.count < InterfaceLimits.continuations else {
            throw BusFailure(
                BusFailure.limitsExceeded,
                "\(InterfaceLimits.continuations) continuations of this program are already in progress")
        }
    }

    func add(_ continuation: WatchedContinuation) { continuations[continuation.number] = continuation }
    func remove(_ continuation: WatchedContinuation) { continuations[continuation.number] = nil }
}
