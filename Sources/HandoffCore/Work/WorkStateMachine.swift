// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// How much is done beside the loop.
package struct WorkLimits: Hashable, Sendable {
    /// Jobs being done at a time. Two, so that a slow one does not hold up all others; more would only share the disk.
    package var atOnce = 2
    /// Handed in and not begun, count. Above what all programs that may connect ask for at once.
    package var waiting = 512

    package init() {}

    /// For documents: three file systems of the network that hang do not keep the rest from going on.
    package static var documents: WorkLimits {
        var limits = WorkLimits()
        limits.atOnce = 4
        return limits
    }
}

/// Decides which job begins when: in each lane one after the other, and lanes in the order in which their turn came.
/// `Job` is whatever the owner can begin.
package struct WorkStateMachine<Job>: ~Copyable {
    /// A lane with a job under way or waiting.
    private struct Lane {
        /// One is being done.
        var isBusy = false
        var waiting: ArraySlice<Job> = []
    }

    private let limits: WorkLimits
    private var lanes: [UInt64: Lane] = [:]
    /// Those that wait for a free hand, in their order.
    private var turns: ArraySlice<UInt64> = []
    private var lastLane: UInt64 = 0
    private var underWay = 0
    private var waiting = 0
    private var hasStopped = false

    package init(limits: WorkLimits = WorkLimits()) { self.limits = limits }

    /// The number of a new lane.
    package mutating func laneMade() -> UInt64 {
        lastLane += 1
        return lastLane
    }

    package struct Beginning {
        package let job: Job
        package let lane: UInt64
    }

    /// What begins now, of whichever lane. Throws `.limitReached`.
    package mutating func handedIn(_ job: Job, to lane: UInt64) throws(Failure) -> Beginning? {
        guard !hasStopped else { return nil }
        guard waiting < limits.waiting else {
            throw Failure(.limitReached, "this device has too much to do: \(limits.waiting) jobs wait already")
        }
        waiting += 1
        lanes[lane, default: Lane()].waiting.append(job)
        if let known = lanes[lane], !known.isBusy, known.waiting.count == 1 { turns.append(lane) }
        return next()
    }

    /// The job under way in that lane is done. `ended` is due once for each beginning, whatever else happens.
    package mutating func ended(in lane: UInt64) -> Beginning? {
        underWay -= 1
        lanes[lane]?.isBusy = false
        if lanes[lane]?.waiting.isEmpty ?? true { lanes[lane] = nil } else { turns.append(lane) }
        return next()
    }

    /// Nothing that waits in that lane begins any more.
    package mutating func cancelled(_ lane: UInt64) {
        guard let known = lanes[lane] else { return }
        waiting -= known.waiting.count
        turns.removeAll { $0 == lane }
        lanes[lane] = known.isBusy ? Lane(isBusy: true) : nil
    }

    /// Nothing begins any more.
    package mutating func stopped() {
        for lane in Array(lanes.keys) { cancelled(lane) }
        hasStopped = true
    }

    private mutating func next() -> Beginning? {
        guard underWay < limits.atOnce, let lane = turns.popFirst() else { return nil }
        guard let job = lanes[lane]?.waiting.popFirst() else { preconditionFailure("a turn is of a lane that waits") }
        lanes[lane]?.isBusy = true
        waiting -= 1
        underWay += 1
        return Beginning(job: job, lane: lane)
    }
}
