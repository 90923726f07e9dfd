// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Work that would block the loop, done elsewhere: hashing, large reads, waiting for a disk. In-memory implementation:
/// `VirtualWork` in `HandoffTesting`.
package protocol Work: AnyObject {
    /// Jobs in one lane run and complete in order. Lanes are independent while fewer than `WorkLimits.atOnce` jobs are
    /// running.
    func makeLane() -> any WorkLane
    /// No further job completes. Waiting jobs do not begin; running jobs continue to their end.
    func stop()
}

package protocol WorkLane: AnyObject {
    /// Runs `job` elsewhere and calls `then` with its result: once, on the daemon's loop, never before this returns.
    /// Throws `.limitReached`, without running `job`, if `WorkLimits.waiting` jobs wait. After `stop`, neither is
    /// called.
    func run<Outcome: Sendable>(
        _ job: @escaping @Sendable () -> Outcome, then: @escaping (Outcome) -> Void) throws(Failure)
    /// As `Work.stop`, for this lane.
    func cancel()
}
