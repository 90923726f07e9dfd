// SPDX-License-Identifier: Apache-2.0

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
