// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

package struct WorkLimits: Hashable, Sendable {
    /// A slow job does not delay all others; more than two would only share the disk.
    package var atOnce = 2
    /// All programs that may connect do not request more at once.
    package var waiting = 512

    package init() {}

    /// Three hung network file systems leave one job for the rest.
    package static var documents: WorkLimits {
        var limits = WorkLimits()
        limits.atOnce = 4
        return limits
    }
}

/// Begins jobs in order within a lane, in turn between lanes.
package struct WorkStateMachine<Job>: ~Copyable {
    private struct Lane {
        var isBusy = false
        var waiting: ArraySlice<Job> = []
    }

    private let limits: WorkLimits
    private var lanes: [UInt64: Lane] = [:]
    /// In order.
    private var turns: ArraySlice<UInt64> = []
    private var lastLane: UInt64 = 0
    private var underWay = 0
    private var waiting = 0
    private var hasStopped = false

    package init(limits: WorkLimits = WorkLimits()) { self.limits = limits }

    package mutating func laneMade() -> UInt64 {
        lastLane += 1
        return lastLane
    }

    package struct Beginning {
        package let job: Job
        package let lane: UInt64
    }

    /// Returns the job to begin, from any lane. Throws `.limitReached`.
    package mutating func handedIn(_ job: Job, to lane: UInt64) throws(Failure) -> Beginning? {
        guard !hasStopped else { return nil }
        guard waiting < limits.waiting else {
            throw Failure(.limitReached, "this device is too busy: \(limits.waiting) jobs are already waiting")
        }
        waiting += 1
        lanes[lane, default: Lane()].waiting.append(job)
        if let known = lanes[lane], !known.isBusy, known.waiting.count == 1 { turns.append(lane) }
        return next()
    }

    /// Call once for each job that began.
    package mutating func ended(in lane: UInt64) -> Beginning? {
        underWay -= 1
        lanes[lane]?.isBusy = false
        if lanes[lane]?.waiting.isEmpty ?? true { lanes[lane] = nil } else { turns.append(lane) }
        return next()
    }

    package mutating func cancelled(_ lane: UInt64) {
        guard let known = lanes[lane] else { return }
        waiting -= known.waiting.count
        turns.removeAll { $0 == lane }
        lanes[lane] = known.isBusy ? Lane(isBusy: true) : nil
    }

    package mutating func stopped() {
        for lane in Array(lanes.keys) { cancelled(lane) }
        hasStopped = true
    }

    private mutating func next() -> Beginning? {
        guard underWay < limits.atOnce, let lane = turns.popFirst() else { return nil }
        guard let job = lanes[lane]?.waiting.popFirst() else { preconditionFailure("a turn belongs to a waiting lane") }
        lanes[lane]?.isBusy = true
        waiting -= 1
        underWay += 1
        return Beginning(job: job, lane: lane)
    }
}
