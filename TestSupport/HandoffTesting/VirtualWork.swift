// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
internal import HandoffWire

/// Work in virtual time: each job runs at the end of its duration.
package final class VirtualWork: Work {
    /// For jobs that are submitted from now on.
    package var takes: Duration = .zero
    package private(set) var begun = 0

    private let time: VirtualTime
    private var machine: WorkStateMachine<Job>
    private var hasStopped = false

    fileprivate typealias Job = (_ ended: @escaping () -> Void) -> Void

    package init(time: VirtualTime, limits: WorkLimits = WorkLimits()) {
        self.time = time
        machine = WorkStateMachine(limits: limits)
    }

    package func makeLane() -> any WorkLane { VirtualLane(work: self, number: machine.laneMade()) }

    package func stop() {
        hasStopped = true
        machine.stopped()
    }

    fileprivate func cancel(_ lane: UInt64) { machine.cancelled(lane) }

    fileprivate func run<Outcome>(
        in lane: VirtualLane, _ job: @escaping () -> Outcome, then: @escaping (Outcome) -> Void
    ) throws(Failure) {
        let generation = lane.generation
        let beginning = try machine.handedIn(
            { [time, takes = self.takes] ended in
                time.schedule(after: takes) { [weak self] in
                    let outcome = job()
                    ended()
                    guard self?.hasStopped == false, lane.generation == generation else { return }
                    then(outcome)
                }
            }, to: lane.number)
        begin(beginning)
    }

    private func begin(_ beginning: WorkStateMachine<Job>.Beginning?) {
        guard let beginning else { return }
        begun += 1
        beginning.job { [weak self] in
            guard let self else { return }
            begin(machine.ended(in: beginning.lane))
        }
    }
}

private final class VirtualLane: WorkLane {
    private let work: VirtualWork
    let number: UInt64
    /// `cancel` increases it, so that earlier jobs are not reported.
    private(set) var generation = 0

    init(work: VirtualWork, number: UInt64) {
        self.work = work
        self.number = number
    }

    func run<Outcome: Sendable>(
        _ job: @escaping @Sendable () -> Outcome, then: @escaping (Outcome) -> Void
    ) throws(Failure) {
        try work.run(in: self, job, then: then)
    }

    func cancel() {
        generation += 1
        work.cancel(number)
    }
}
