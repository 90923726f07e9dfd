// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffClient
import HandoffCore
import HandoffWire

/// On the bus until its end is reported or the program leaves.
final class WatchedContinuation {
    let number: UInt64
    let path: String
    private let caller: String
    private let daemon: DaemonClient
    private var object: BusObject?
    private var machine: WatchedContinuationStateMachine
    private let ended: (WatchedContinuation) -> Void

    init(
        number: UInt64, for caller: String, isForCaller: Bool, on bus: BusConnection, daemon: DaemonClient,
        ended: @escaping (WatchedContinuation) -> Void
    ) throws(BusFailure) {
        self.number = number
        self.caller = caller
        self.daemon = daemon
        self.ended = ended
        path = InterfaceNames.continuationPath(number)
        machine = WatchedContinuationStateMachine(isForCaller: isForCaller)
        let interface = Self.interface { [weak self] in self?.cancel(by: $0.sender, $1) }
        object = try BusObject([interface], at: path, on: bus)
    }

    static func interface(cancel: @escaping (BusMessage, BusReply) -> Void) -> BusInterface {
        BusInterface(
            InterfaceNames.continuation, methods: [BusInterface.Method("Cancel", call: cancel)],
            signals: [
                BusInterface.Signal("Progress", says: [.init("details", "a{sv}")]),
                BusInterface.Signal("Finished", says: [.init("ok", "b"), .init("details", "a{sv}")]),
            ])
    }

    func start(_ wish: StartContinuation) {
        daemon.follow(.continuation(.startContinuation(wish)), until: \.endsContinuation) { [weak self] in
            self?.heard($0)
        }
    }

    private func heard(_ result: Result<LocalMessage, Failure>) {
        switch result {
        case .success(.continuation(.progress(let time, let continuation))):
            carryOut(machine.progressed(continuation)) { tell("Progress", [time.bus]) }
        case .success(.continuation(.outcome(let outcome))):
            do throws(Failure) {
                finish(true, try outcome.bus())
            } catch {
                finish(false, error.busDetails)
            }
        case .failure(let failure): finish(false, failure.busDetails)
        // Progress of documents is not reported yet.
        case .success(let progress) where !progress.endsContinuation: break
        case .success: finish(false, Failure.unexpectedAnswer.busDetails)
        }
    }

    private func finish(_ ok: Bool, _ details: BusValue) {
        carryOut(machine.ended()) { tell("Finished", [.boolean(ok), details]) }
    }

    private func carryOut(_ action: WatchedContinuationStateMachine.Action, tell: () -> Void = {}) {
        switch action {
        case .tellProgress: tell()
        case .tellProgressAndCancel(let continuation):
            tell()
            cancel(continuation)
        case .cancel(let continuation): cancel(continuation)
        case .tellEnd:
            tell()
            object = nil
            ended(self)
        case .nothing: break
        }
    }

    private func tell(_ signal: String, _ body: [BusValue]) {
        object?.emit(InterfaceNames.continuation, signal, body, to: caller)
    }

    private func cancel(_ continuation: ContinuationID) {
        // The end is reported anyway.
        daemon.request(.documents(.cancelContinuation(continuation))) { _ in }
    }

    private func cancel(by sender: String, _ reply: BusReply) {
        guard sender == caller else {
            return reply.fail(BusFailure(BusFailure.accessDenied, "another program has started this continuation"))
        }
        reply.answer()
        carryOut(machine.cancelled())
    }

    func callerLeft() {
        object = nil
        carryOut(machine.callerLeft())
    }
}

/// Reports progress, then exactly one end.
struct WatchedContinuationStateMachine: ~Copyable {
    private enum Phase {
        /// The daemon has not sent the ID. Can transition to: running, cancelling, ended.
        case starting
        /// Can transition to: ended.
        case running(ContinuationID)
        /// Cancelled once the daemon sends the ID. Can transition to: running, ended.
        case cancelling
        case ended
    }

    private var phase = Phase.starting
    private let isForCaller: Bool

    /// `isForCaller`: the state is not for an app.
    init(isForCaller: Bool) { self.isForCaller = isForCaller }

    enum Action: Hashable, Sendable {
        case tellProgress
        case tellProgressAndCancel(ContinuationID)
        case cancel(ContinuationID)
        case tellEnd
        case nothing
    }

    mutating func progressed(_ continuation: ContinuationID?) -> Action {
        switch (phase, continuation) {
        case (.starting, let continuation?):
            phase = .running(continuation)
            return .tellProgress
        case (.cancelling, let continuation?):
            phase = .running(continuation)
            return .tellProgressAndCancel(continuation)
        case (.starting, nil), (.cancelling, nil), (.running, _): return .tellProgress
        case (.ended, _): return .nothing
        }
    }

    mutating func ended() -> Action {
        switch phase {
        case .starting, .running, .cancelling:
            phase = .ended
            return .tellEnd
        case .ended: return .nothing
        }
    }

    mutating func cancelled() -> Action {
        switch phase {
        case .starting:
            phase = .cancelling
            return .nothing
        case .running(let continuation): return .cancel(continuation)
        case .cancelling, .ended: return .nothing
        }
    }

    /// Reports stop. A continuation in an app continues.
    mutating func callerLeft() -> Action {
        defer { phase = .ended }
        switch phase {
        case .running(let continuation) where isForCaller: return .cancel(continuation)
        case .starting, .running, .cancelling, .ended: return .nothing
        }
    }
}
