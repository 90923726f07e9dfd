// SPDX-License-Identifier: Apache-2.0

internal import HandoffBus

/// The programs on the bus that have called and are still there, by their unique names. A name is never given twice while the
/// bus lives, so whatever is kept under one is that program's until it leaves. How much they may call is the connection's
/// matter, before a call is read.
final class Callers {
    private unowned let bus: BusConnection
    private var known: [String: Caller] = [:]

    init(_ bus: BusConnection) {
        self.bus = bus
        bus.senderLeft = { [weak self] name in self?.known.removeValue(forKey: name)?.left() }
    }

    /// The program that has just called by this name.
    subscript(name: String) -> Caller {
        if let caller = known[name] { return caller }
        let caller = Caller(name, process: bus.process(ofSender: name))
        known[name] = caller
        return caller
    }

    func isThere(_ caller: Caller) -> Bool { known[caller.name] === caller }

    /// Those whose identity is still being found out too.
    fileprivate var participants: [Caller] { known.values.filter { $0.participant != nil || $0.isRegistering } }

    /// The bus is gone, and all with it.
    func allLeft() {
        let all = known.values
        known = [:]
        for caller in all { caller.left() }
    }
}

/// How many programs take part, over all the objects by which they may.
package final class ParticipantRoom {
    private struct Entry {
        weak var callers: Callers?
    }

    private var entries: [Entry] = []

    package init() {}

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
                "\(InterfaceLimits.participantsPerProcess) connections of this program take part already")
        }
        guard taking.count < InterfaceLimits.participants else {
            throw BusFailure(
                BusFailure.limitsExceeded, "\(InterfaceLimits.participants) programs on this bus take part already")
        }
    }
}

/// A program on the bus, and what it has of this one.
final class Caller {
    let name: String
    /// Nil: the bus does not know it.
    let process: Int32?
    /// Calls that wait for the daemon.
    private var questions = 0
    var participant: Participant?
    /// It is found out who it is.
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

    /// Throws `.limitsExceeded`. What is returned is called once with the answer.
    func question<Answer>(_ then: @escaping (Answer) -> Void) throws(BusFailure) -> (Answer) -> Void {
        guard questions < InterfaceLimits.questions else {
            throw BusFailure(
                BusFailure.limitsExceeded, "\(InterfaceLimits.questions) calls of this program wait already")
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
                "\(InterfaceLimits.continuations) continuations of this program are under way")
        }
    }

    func add(_ continuation: WatchedContinuation) { continuations[continuation.number] = continuation }
    func remove(_ continuation: WatchedContinuation) { continuations[continuation.number] = nil }
}
