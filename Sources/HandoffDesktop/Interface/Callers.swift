// SPDX-License-Identifier: Apache-2.0

internal import HandoffBus
internal import HandoffCore

/// The programs on the bus that have called and are still there, by their unique names. A name is never given twice while the
/// bus lives, so whatever is kept under one is that program's until it leaves.
final class Callers {
    private unowned let bus: BusConnection
    private var known: [String: Caller] = [:]
    private let clock = ContinuousClock()
    private let started = ContinuousClock.now

    init(_ bus: BusConnection) { self.bus = bus }

    subscript(name: String) -> Caller? { known[name] }

    /// Those whose identity is still being found out included.
    var participants: Int { known.values.count { $0.participant != nil || $0.isRegistering } }

    /// Nil: it may call now, and that is counted.
    func refusal(of name: String) -> BusFailure? {
        guard let caller = known[name] ?? add(name) else {
            return BusFailure(
                BusFailure.limitsExceeded, "\(InterfaceLimits.callers) programs on this bus have called already")
        }
        let now = Instant(sinceZero: started.duration(to: clock.now))
        guard caller.pace.take(InterfaceLimits.pace, at: now) else {
            return BusFailure(
                BusFailure.limitsExceeded,
                "more than \(InterfaceLimits.callBurst) calls at once; then one each \(InterfaceLimits.callSpacing)")
        }
        return nil
    }

    private func add(_ name: String) -> Caller? {
        guard !name.isEmpty, known.count < InterfaceLimits.callers else { return nil }
        let caller = Caller(name)
        known[name] = caller
        // It may have left already: then that is told soon.
        caller.watch = try? bus.watchName(name) { [weak self] owner in if owner == nil { self?.left(name) } }
        if caller.watch == nil { known[name] = nil }
        return known[name]
    }

    private func left(_ name: String) { known.removeValue(forKey: name)?.left() }

    /// The bus is gone, and all with it.
    func allLeft() {
        let all = known.values
        known = [:]
        for caller in all { caller.left() }
    }
}

/// A program on the bus, and what it has of this one.
final class Caller {
    let name: String
    var pace = Pace()
    /// Calls that wait for the daemon.
    private var questions = 0
    var participant: Participant?
    /// It is found out who it is.
    var isRegistering = false
    private var continuations: [UInt64: WatchedContinuation] = [:]
    fileprivate var watch: BusSlot?

    init(_ name: String) { self.name = name }

    fileprivate func left() {
        watch = nil
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
