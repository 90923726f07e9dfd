// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffTrust

// Shows X01, X02, X05.

@Suite struct BeaconKeyTests {
    let key = BeaconKey()
    let beacon = Beacon(
        device: Devices.laptop.id, port: 47474, boot: BootID(42), time: WallTime(milliseconds: 1_800_000_000_000),
        isAnswer: false)

    @Test func sealedBeaconOpensUnchanged() throws {
        #expect(try key.open(key.seal(beacon)) == beacon)
        #expect(try BeaconKey(bytes: key.bytes).open(key.seal(beacon)) == beacon)
    }

    @Test func everyBeaconHasOneSizeBelowTheLimit() throws {
        var largest = beacon
        largest.port = .max
        largest.boot = BootID(.max)
        largest.time = WallTime(milliseconds: .min)
        largest.isAnswer = true
        #expect(try key.seal(beacon).count == BeaconKey.datagramBytes)
        #expect(try key.seal(largest).count == BeaconKey.datagramBytes)
        #expect(try key.open(key.seal(largest)) == largest)
        #expect(BeaconKey.datagramBytes < Limits.beaconBytes)
    }

    /// Only the version is equal in two beacons, and no part of the device is in clear.
    @Test func twoBeaconsOfOneDeviceCannotBeLinked() throws {
        let sealed = try (0..<1000).map { _ in try key.seal(beacon) }
        #expect(Set(sealed.map { BeaconKey.nonce(of: $0) }).count == sealed.count)
        for pair in zip(sealed, sealed.dropFirst()) {
            let alike = zip(pair.0, pair.1).dropFirst().filter { $0 == $1 }.count
            #expect(alike < 20, "\(alike) of 156 bytes are alike; chance gives less than one")
        }
    }

    @Test func everyFlippedBitIsNoticed() throws {
        let sealed = try key.seal(beacon)
        for bit in 0..<sealed.count * 8 {
            var forged = sealed
            forged[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: bit < 8 ? BeaconRejection.version : .seal) { try key.open(forged) }
        }
    }

    @Test func anyOtherLengthIsRefused() throws {
        let sealed = try key.seal(beacon)
        for length in sealed.indices {
            #expect(throws: BeaconRejection.size) { try key.open(Array(sealed.prefix(length))) }
        }
        #expect(throws: BeaconRejection.size) { try key.open(sealed + [0]) }
    }

    @Test func beaconOfAnotherAccountDoesNotOpen() throws {
        let neighbours = BeaconKey()
        let sealed = try neighbours.seal(beacon)
        #expect(throws: BeaconRejection.seal) { try key.open(sealed) }
    }

    @Test func inviteKeyComesFromTheCodeAlone() throws {
        let code = InviteCode()
        let sealed = try code.beaconKey.seal(beacon)
        #expect(try InviteCode(text: code.text).beaconKey.open(sealed) == beacon)
        #expect(throws: BeaconRejection.seal) { try InviteCode().beaconKey.open(sealed) }
    }

    @Test func noiseOfBeaconSizeIsRefused() {
        var random = Randomness.seeded(3)
        for _ in 0..<1000 {
            let noise = (0..<BeaconKey.datagramBytes).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(throws: BeaconRejection.self) { try key.open([ProtocolVersion.beacon] + noise.dropFirst()) }
        }
    }

    @Test func printsWithoutTheSecret() { #expect("\(key)" == "beacon key") }
}
