// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// What would hold up the loop, done elsewhere: hashing, reading what may be large, waiting for a disk.
/// In-memory twin: `VirtualWork` in `HandoffTesting`.
package protocol Work: AnyObject {
    /// What is handed into one lane is done one after the other, and told in that order. Lanes do not wait for one another
    /// while fewer than `WorkLimits.atOnce` jobs are being done.
    func makeLane() -> any WorkLane
    /// Of what was handed in nothing is told any more. What has not begun does not begin; what has goes on to its end.
    func stop()
}

package protocol WorkLane: AnyObject {
    /// `job` is done elsewhere. `then` is called with what it returned: once, on the daemon's loop, never before this returns.
    /// Throws `.limitReached` where `WorkLimits.waiting` jobs wait already; then `job` is not done. After `stop` neither is
    /// called.
    func run<Outcome: Sendable>(
        _ job: @escaping @Sendable () -> Outcome, then: @escaping (Outcome) -> Void) throws(Failure)
    /// As `Work.stop`, of this lane.
    func cancel()
}
