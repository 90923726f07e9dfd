// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import Testing

@testable import HandoffTrust

// Shows X07. The bytes are in `TrustVectorTests`.
@Suite struct CallProofTests {
    private let laptop = DeviceKey()
    private let desktop = DeviceKey()
    private let mallory = DeviceKey()

    @Test func twoDevicesShareASecretForEachDirection() throws {
        let here = try #require(laptop.callSecrets(with: desktop.publicKey))
        let there = try #require(desktop.callSecrets(with: laptop.publicKey))
        #expect(here.calling == there.calledBy)
        #expect(here.calledBy == there.calling)
        #expect(here.calling != here.calledBy)
    }

    /// Former members know the public keys.
    @Test func publicKeysDoNotRevealTheSecret() throws {
        let shared = try #require(laptop.callSecrets(with: desktop.publicKey))
        for other in [laptop.publicKey, desktop.publicKey, mallory.publicKey] {
            let guessed = try #require(mallory.callSecrets(with: other))
            #expect(![shared.calling, shared.calledBy].contains(guessed.calling))
            #expect(![shared.calling, shared.calledBy].contains(guessed.calledBy))
        }
    }

    @Test func aProofIsOfItsChallengeItsHelloAndItsSecretAlone() {
        let secret = InviteCode().callSecret
        let challenge = CallProof.freshChallenge()
        let proof = CallProof(challenge: challenge, hello: [1, 2]).bytes(secret)
        #expect(proof.count == CallFrame.proofBytes)
        #expect(CallProof(challenge: CallProof.freshChallenge(), hello: [1, 2]).bytes(secret) != proof)
        #expect(CallProof(challenge: challenge, hello: [1, 3]).bytes(secret) != proof)
        #expect(CallProof(challenge: challenge, hello: [1, 2]).bytes(InviteCode().callSecret) != proof)
    }

    @Test func secretsAreNotPrinted() {
        let secret = InviteCode().callSecret
        #expect(!"\(secret)".contains(secret.bytes.prefix(2).hexadecimal))
    }
}
