// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// The clocks and alarms. In-memory implementation: `VirtualTime` in `HandoffTesting`.
package protocol TimeSource: AnyObject {
    var now: Instant { get }
    /// May jump; for display, expiration dates and beacons.
    var wallTime: WallTime { get }
    /// An alarm that calls `ring` on the daemon's loop. A service makes one at its start, for all its deadlines.
    func makeAlarm(_ ring: @escaping () -> Void) -> any Alarm
    /// Calls `work` on the daemon's loop after the present event.
    func soon(_ work: @escaping () -> Void)
}

package protocol Alarm: AnyObject {
    /// Rings once at or soon after `instant`. A later call replaces an earlier one, and nil silences it. Services set
    /// it after every event, so setting the same time costs nothing.
    func set(_ instant: Instant?)
}

/// The source of IDs and jitter: the system in the daemon, a seed in tests. Keys and secrets in `HandoffTrust` have
/// another source.
package struct Randomness: RandomNumberGenerator {
    private var seed: UInt64?

    package static var system: Randomness { Randomness(seed: nil) }
    package static func seeded(_ seed: UInt64) -> Randomness { Randomness(seed: seed) }

    private init(seed: UInt64?) { self.seed = seed }

    /// An independent source: the system again, or a seed derived from this one.
    package mutating func fork() -> Randomness { seed == nil ? .system : .seeded(next()) }

    package mutating func next() -> UInt64 {
        guard let state = seed else {
            var system = SystemRandomNumberGenerator()
            return system.next()
        }
        // SplitMix64: small, and good enough for tests.
        let advanced = state &+ 0x9E37_79B9_7F4A_7C15
        seed = advanced
        var mixed = advanced
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

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

/// Small files that survive a crash. In-memory implementation: `MemoryStateStore` in `HandoffTesting`.
///
/// Errors are `.stateNotWritable` for a full disk, a read-only folder, or a wrong mode or owner. The reason names the
/// file and the cause.
package protocol StateStore: AnyObject {
    /// The whole file, or nil if it does not exist. `name` consists of letters, digits, dots and dashes.
    func read(_ name: String) throws(Failure) -> [UInt8]?
    /// Atomic, and on disk when it returns: written to a temporary file, synced, renamed, folder synced. Mode 0600.
    func write(_ bytes: [UInt8], to name: String) throws(Failure)
    /// The same a little later, off the loop, for data that no one waits for. A crash may lose it; until then, the file
    /// keeps its old content. Of several calls for one name, of any kind, the last one takes effect. On a failure,
    /// `failed` of one of the combined calls is called on the loop, perhaps before this returns; with `.limitReached`
    /// if too many jobs wait.
    func writeLater(_ bytes: [UInt8], to name: String, failed: @escaping (Failure) -> Void)
    /// The same for data that someone waits for. `then` is called on the loop with nil once the data is on disk, or
    /// with the failure; perhaps before this returns. For names that are written once: if another write or a removal
    /// supersedes this one, it receives nil.
    func write(_ bytes: [UInt8], to name: String, then: @escaping (Failure?) -> Void)
    /// Completes all delayed writes before it returns. Throws the first failure.
    func finishWriting() throws(Failure)
    /// A missing file is not an error.
    func remove(_ name: String) throws(Failure)
    func names() throws(Failure) -> [String]
}

/// This process's memory. In-memory implementation: `CountingMemory` in `HandoffTesting`.
package protocol ProcessMemory: AnyObject {
    /// Returns free memory to the system. Takes a few milliseconds at most, after a load.
    func giveBack()
}

/// The rules of this machine's administrator. In-memory implementation: `MemoryAdministratorRules` in `HandoffTesting`.
package protocol AdministratorRules: AnyObject {
    /// The present rules. Without a file, nothing is off.
    func read() -> AdministratorPolicy
    /// Calls `changed` on the daemon's loop soon after the rules may have changed.
    func watch(_ changed: @escaping () -> Void)
}
