// SPDX-License-Identifier: Apache-2.0

import HandoffTesting
import HandoffTrust
import HandoffWire
import Testing

@testable import HandoffDaemon

// Shows X06.

@Suite struct DeviceCredentialsTests {
    let store = MemoryStateStore()

    @Test func firstStartMakesAnIdentityAndLaterStartsKeepIt() throws {
        let first = try DeviceCredentials.loadOrCreate(store: store)
        let second = try DeviceCredentials.loadOrCreate(store: store)
        #expect(first.device == second.device)
        #expect(first.certificate == second.certificate)
        #expect(first.certificate.publicKey.id == first.device)
    }

    @Test func twoDevicesAreTwo() throws {
        let laptop = try DeviceCredentials.loadOrCreate(store: store)
        let desktop = try DeviceCredentials.loadOrCreate(store: MemoryStateStore())
        #expect(laptop.device != desktop.device)
    }

    @Test func damagedFileIsNamedAndNeverReplaced() throws {
        _ = try DeviceCredentials.loadOrCreate(store: store)
        let whole = try #require(store.files[DeviceCredentials.fileName])
        for length in stride(from: 0, to: whole.count - 1, by: 7) {
            let damaged = Array(whole.prefix(length))
            store.files[DeviceCredentials.fileName] = damaged
            let error = #expect(throws: DamagedStateError.self) { try DeviceCredentials.loadOrCreate(store: store) }
            #expect(error?.file == "device.pem")
            #expect(store.files[DeviceCredentials.fileName] == damaged)
        }
    }

    @Test func keyWithoutItsCertificateIsDamage() throws {
        _ = try DeviceCredentials.loadOrCreate(store: store)
        let text = String(decoding: try #require(store.files[DeviceCredentials.fileName]), as: UTF8.self)
        let key = text.split(separator: "-----BEGIN CERTIFICATE")[0]
        store.files[DeviceCredentials.fileName] = Array(key.utf8)
        let error = #expect(throws: DamagedStateError.self) { try DeviceCredentials.loadOrCreate(store: store) }
        #expect(error?.reason == "it has 1 PEM blocks, not a private key and a certificate")
    }

    @Test func readOnlyStateIsNamedAndGivesNoIdentity() {
        store.writeFailure = Failure(.stateNotWritable, "device.pem: read-only file system")
        #expect(throws: Failure(.stateNotWritable, "")) { try DeviceCredentials.loadOrCreate(store: store) }
        #expect(store.files.isEmpty)
    }
}
