// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

package protocol TimeSource: AnyObject {
    var now: Instant { get }
    /// May jump.
    var wallTime: WallTime { get }
    /// Calls `ring` on the loop. A service uses one for all deadlines.
    func makeAlarm(_ ring: @escaping () -> Void) -> any Alarm
    /// On the loop, after the present event.
    func soon(_ work: @escaping () -> Void)
}

package protocol Alarm: AnyObject {
    /// Rings once, at or soon after `instant`; nil silences it. A later call replaces an earlier one. Services call it
    /// after every event, so setting the same time costs nothing.
    func set(_ instant: Instant?)
}

/// For IDs and jitter, not for keys and secrets. Tests use a seed.
package struct Randomness: RandomNumberGenerator {
    private var seed: UInt64?

    package static var system: Randomness { Randomness(seed: nil) }
    package static func seeded(_ seed: UInt64) -> Randomness { Randomness(seed: seed) }

    private init(seed: UInt64?) { self.seed = seed }

    package mutating func fork() -> Randomness { seed == nil ? .system : .seeded(next()) }

    package mutating func next() -> UInt64 {
        guard let state = seed else {
            var system = SystemRandomNumberGenerator()
            return system.next()
        }
        // SplitMix64.
        let advanced = state &+ 0x9E37_79B9_7F4A_7C15
        seed = advanced
        var mixed = advanced
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

package protocol Work: AnyObject {
    /// Jobs in a lane run and complete in order. Lanes are independent, up to `WorkLimits.atOnce` jobs.
    func makeLane() -> any WorkLane
    /// No further job completes. Waiting jobs never begin; running jobs continue.
    func stop()
}

package protocol WorkLane: AnyObject {
    /// Calls `then` once, on the loop, never before this returns. Throws `.limitReached`, without running `job`, if
    /// `WorkLimits.waiting` jobs wait. After `stop`, calls neither.
    func run<Outcome: Sendable>(
        _ job: @escaping @Sendable () -> Outcome, then: @escaping (Outcome) -> Void) throws(Failure)
    /// As `Work.stop`, for this lane.
    func cancel()
}

/// Small files that survive a crash.
///
/// Errors are `.stateNotWritable`: a full disk, a read-only folder, or a wrong mode or owner. The reason names the
/// file.
package protocol StateStore: AnyObject {
    /// Nil if missing. `name`: letters, digits, dots and dashes.
    func read(_ name: String) throws(Failure) -> [UInt8]?
    /// Atomic, and on disk when it returns. Mode 0600.
    func write(_ bytes: [UInt8], to name: String) throws(Failure)
    /// A little later, off the loop; a crash may lose it. The last of several calls for one name, of any kind, takes
    /// effect. One `failed` of them is called on the loop, perhaps before this returns; with `.limitReached` if too
    /// many jobs wait.
    func writeLater(_ bytes: [UInt8], to name: String, failed: @escaping (Failure) -> Void)
    /// Off the loop. Calls `then` on the loop, perhaps before this returns: with nil once the data is on disk, or with
    /// the failure. For names that are written once: a superseded write receives nil.
    func write(_ bytes: [UInt8], to name: String, then: @escaping (Failure?) -> Void)
    func finishWriting() throws(Failure)
    /// A missing file is not an error.
    func remove(_ name: String) throws(Failure)
    func names() throws(Failure) -> [String]
}

package protocol ProcessMemory: AnyObject {
    func giveBack()
}

package protocol AdministratorRules: AnyObject {
    /// Without a file, nothing is off.
    func read() -> AdministratorPolicy
    /// Calls `changed` on the loop after the rules may have changed.
    func watch(_ changed: @escaping () -> Void)
}
