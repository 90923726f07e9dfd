// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
internal import HandoffSystem
internal import HandoffWire

/// A thread for each job, at most `WorkLimits.atOnce`.
///
/// Used only on the loop of `onLoop`, like its lanes.
package final class ThreadedWork: Work {
    /// A parser of property lists recurses.
    private static let stackBytes = 512 * 1024

    private let onLoop: OnLoop
    private var machine: WorkStateMachine<Job>
    fileprivate private(set) var hasStopped = false

    fileprivate typealias Job = (_ lane: UInt64) -> Void

    package init(limits: WorkLimits = WorkLimits(), onLoop: @escaping OnLoop) {
        self.onLoop = onLoop
        machine = WorkStateMachine(limits: limits)
    }

    package func makeLane() -> any WorkLane { ThreadedLane(work: self, number: machine.laneMade()) }

    package func stop() {
        hasStopped = true
        machine.stopped()
    }

    fileprivate func cancel(_ lane: UInt64) { machine.cancelled(lane) }

    fileprivate func handIn(_ job: @escaping Job, to lane: UInt64) throws(Failure) {
        begin(try machine.handedIn(job, to: lane))
    }

    private func begin(_ beginning: WorkStateMachine<Job>.Beginning?) {
        if let beginning { beginning.job(beginning.lane) }
    }

    fileprivate func perform<Outcome: Sendable>(
        in lane: UInt64, _ job: @escaping @Sendable () -> Outcome, tell: @escaping (Outcome) -> Void
    ) {
        let listener = Listener<Outcome> { [self] outcome in
            begin(machine.ended(in: lane))
            tell(outcome)
        }
        let body: @Sendable () -> Void = { [onLoop] in
            let outcome = job()
            onLoop { listener.told(outcome) }
        }
        // Better on the loop than not at all.
        if !DetachedThread.begin(stackBytes: Self.stackBytes, body) { onLoop(body) }
    }
}

/// A thread holds this object, but its closure runs and is released on the loop.
private final class Listener<Outcome>: Sendable {
    // Used only on the loop that made it.
    nonisolated(unsafe) private var tell: ((Outcome) -> Void)?

    init(_ tell: @escaping (Outcome) -> Void) { self.tell = tell }

    func told(_ outcome: Outcome) {
        let tell = self.tell
        self.tell = nil
        tell?(outcome)
    }
}

private final class ThreadedLane: WorkLane {
    private let work: ThreadedWork
    private let number: UInt64
    /// Raised by `cancel`, to drop earlier outcomes.
    private var generation = 0

    init(work: ThreadedWork, number: UInt64) {
        self.work = work
        self.number = number
    }

    func run<Outcome: Sendable>(
        _ job: @escaping @Sendable () -> Outcome, then: @escaping (Outcome) -> Void
    ) throws(Failure) {
        let (work, generation) = (work, generation)
        try work.handIn(
            { lane in
                work.perform(in: lane, job) { outcome in
                    guard !work.hasStopped, self.generation == generation else { return }
                    then(outcome)
                }
            }, to: number)
    }

    func cancel() {
        generation += 1
        work.cancel(number)
    }
}

/// Runs a closure on the daemon's loop, from any thread, in order.
package typealias OnLoop = @Sendable (@escaping @Sendable () -> Void) -> Void
