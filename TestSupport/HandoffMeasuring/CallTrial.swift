// SPDX-License-Identifier: Apache-2.0

internal import HandoffTrust
internal import HandoffWire

/// The cost of a call from a stranger: the secrets of all devices are tried.
public enum CallTrial {
    /// The size of a real hello.
    private static let helloBytes = 300

    public static func measure(devices: Int) -> Duration {
        let secrets = (0..<devices).map { _ in InviteCode().callSecret }
        let hello = [UInt8](repeating: 1, count: helloBytes)
        let shown: Set<[UInt8]> = [CallProof.freshChallenge()]
        let clock = ContinuousClock()
        var found = false
        let time = clock.measure {
            let proof = CallProof(challenge: CallProof.freshChallenge(), hello: hello)
            found = secrets.contains { shown.contains(proof.bytes($0)) }
        }
        precondition(!found, "a proof must have 32 bytes, not 16")
        return time
    }
}
