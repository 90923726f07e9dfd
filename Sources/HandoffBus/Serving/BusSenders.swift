// SPDX-License-Identifier: Apache-2.0

/// The connections that have sent messages, and their processes. Asks the bus once for each, which never reuses a
/// unique name; holds calls until its answer.
final class BusSenders {
    enum Decision {
        case serve
        case refuse(BusFailure)
        case ignore
        /// The caller is not known yet: `hold` follows.
        case hold
    }

    struct HeldCall {
        let message: BusMessage
        let reply: BusReply
        let cost: Int
        let method: BusInterface.Call
    }

    private enum State {
        case asked([HeldCall])
        case known(BusGate.Caller)
        case refused(BusGate.Caller, BusFailure)
    }

    private final class Sender {
        var state = State.asked([])
        /// While the sender is unknown.
        var signals = 0
        var refusals = 0
        var process: Int32?
        var watch: BusSlot?
    }

    private unowned let connection: BusConnection
    private var senders: [String: Sender] = [:]
    private var gate = BusGate()
    private var held = 0
    private let started = ContinuousClock.now
    var left: (String) -> Void = { _ in }
    /// Decides once for each program; nil: all are served.
    var admission: BusConnection.Admission?

    init(_ connection: BusConnection) { self.connection = connection }

    private var now: Duration { started.duration(to: .now) }

    func process(of name: String) -> Int32? { senders[name]?.process }

    // MARK: Before reading a message

    func decision(onCallOf name: String) -> Decision {
        guard let sender = senders[name] else {
            ask(who: name)
            return senders[name] == nil || held >= BusLimits.heldCallsInAll ? .refuse(.tooEarly) : .hold
        }
        switch sender.state {
        case .asked(let calls):
            if calls.count < BusLimits.heldCalls && held < BusLimits.heldCallsInAll { return .hold }
            sender.refusals += 1
            return sender.refusals <= BusLimits.refusals ? .refuse(.tooEarly) : .ignore
        case .known(let caller): return Decision(gate.verdict(on: caller, at: now))
        case .refused(let caller, let failure):
            let decision = Decision(gate.verdict(on: caller, at: now))
            if case .serve = decision { return .refuse(failure) }
            return decision
        }
    }

    func readsSignal(of name: String) -> Bool {
        if senders[name] == nil { ask(who: name) }
        guard let sender = senders[name] else { return false }
        switch sender.state {
        case .asked:
            sender.signals += 1
            return sender.signals <= BusLimits.heldCalls
        case .known(let caller), .refused(let caller, _): return gate.verdict(on: caller, at: now) == .serve
        }
    }

    func reading(of name: String) -> ReadingLimit {
        if case .asked? = senders[name]?.state { .early } else { .ordinary }
    }

    // MARK: After reading a message

    func read(_ cost: Int, from name: String) {
        switch senders[name]?.state {
        case .known(let caller)?, .refused(let caller, _)?: gate.charge(cost, to: caller, at: now)
        case .asked?, nil: break
        }
    }

    func hold(_ call: HeldCall, of name: String) {
        guard let sender = senders[name], case .asked(let calls) = sender.state else { return }
        sender.state = .asked(calls + [call])
        held += 1
    }

    // MARK: Identification

    private func ask(who name: String) {
        let sender = Sender()
        senders[name] = sender
        // Before the request, so that a name that disappears is reported.
        sender.watch = try? connection.onOwner(
            of: name, refused: { [weak self, weak sender] _ in self?.cannotWatch(name, sender) }
        ) { [unowned self] owner in
            if owner == nil { forget(name) }
        }
        guard sender.watch != nil else { return forget(name) }
        connection.process(behind: name) { [weak self] result in
            guard let self, senders[name] === sender else { return }
            switch result {
            case .success(let peer): self.found(peer, sender, name)
            case .failure: self.forget(name)
            }
        }
    }

    /// Without a watch, the sender's offers and its entry would outlive it.
    private func cannotWatch(_ name: String, _ sender: Sender?) {
        guard let sender, senders[name] === sender else { return }
        for call in takeHeld(of: sender) { call.reply.fail(.tooManyWatched) }
        forget(name)
    }

    private func found(_ peer: BusPeer, _ sender: Sender, _ name: String) {
        let caller = peer.processID.map(BusGate.Caller.process) ?? .connection(name)
        guard gate.joined(caller, at: now) else {
            // The next call asks again: an entry without a place in the gate would have no limit.
            let calls = takeHeld(of: sender)
            senders[name] = nil
            for call in calls {
                if case .ignore = gate.verdict(on: caller, at: now) { call.reply.drop() }
                call.reply.fail(.tooManyConnections)
            }
            return
        }
        sender.process = peer.processID
        guard let admission else { return settle(sender, .known(caller), caller) }
        admission(peer) { [weak self] failure in
            guard let self else { return }
            guard senders[name] === sender else { return gate.left(caller) }
            settle(sender, failure.map { .refused(caller, $0) } ?? .known(caller), caller)
        }
    }

    private func settle(_ sender: Sender, _ state: State, _ caller: BusGate.Caller) {
        let calls = takeHeld(of: sender)
        sender.state = state
        for call in calls {
            gate.charge(call.cost, to: caller, at: now)
            switch (gate.verdict(on: caller, at: now), state) {
            case (.serve, .refused(_, let failure)), (.refuse(let failure), _): call.reply.fail(failure)
            case (.serve, _): call.method(call.message, call.reply)
            case (.ignore, _): call.reply.drop()
            }
        }
    }

    private func takeHeld(of sender: Sender) -> [HeldCall] {
        guard case .asked(let calls) = sender.state else { return [] }
        sender.state = .asked([])
        held -= calls.count
        return calls
    }

    private func forget(_ name: String) {
        guard let sender = senders.removeValue(forKey: name) else { return }
        for call in takeHeld(of: sender) { call.reply.drop() }
        switch sender.state {
        case .known(let caller), .refused(let caller, _): gate.left(caller)
        case .asked: break
        }
        left(name)
    }
}

extension BusSenders.Decision {
    fileprivate init(_ verdict: BusGate.Verdict) {
        switch verdict {
        case .serve: self = .serve
        case .refuse(let failure): self = .refuse(failure)
        case .ignore: self = .ignore
        }
    }
}
