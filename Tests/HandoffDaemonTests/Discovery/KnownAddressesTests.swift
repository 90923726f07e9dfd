// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffDaemon

@Suite struct KnownAddressesTests {
    private func device(_ number: UInt8) -> DeviceID { DeviceID(uncheckedBytes: Array(repeating: number, count: 32)) }
    private func address(_ port: UInt16) -> NetworkAddress { NetworkAddress(host: "fe80::1%eth0", port: port) }

    // Shows Y04
    @Test func survivesTheFile() throws {
        var known = KnownAddresses()
        #expect(known.remember(address(1), of: device(1)) == true)
        #expect(known.remember(address(2), of: device(2)) == true)
        #expect(known.remember(NetworkAddress(host: "192.168.1.7", port: 4711), of: device(1)) == true)
        let back = try KnownAddresses(encoded: known.encoded())
        #expect(back == known)
        #expect(back[device(1)].map(\.host) == ["192.168.1.7", "fe80::1%eth0"])
    }

    @Test func newestComesFirstAndFewAreKept() {
        var known = KnownAddresses()
        for port in UInt16(1)...9 { _ = known.remember(address(port), of: device(1)) }
        #expect(known[device(1)].map(\.port) == [9, 8, 7, 6])
        #expect(known[device(1)].count == DiscoveryLimits.knownAddressesPerDevice)
        #expect(known.remember(address(7), of: device(1)) == true)
        #expect(known[device(1)].map(\.port) == [7, 9, 8, 6])
        // Without a change, nothing needs to be written.
        #expect(known.remember(address(7), of: device(1)) == false)
    }

    @Test func keepsAsManyDevicesAsAnAccountMayHave() {
        var known = KnownAddresses()
        for number in 0..<UInt8(Limits.devicesPerAccount + 3) { _ = known.remember(address(1), of: device(number)) }
        #expect(known[device(0)].isEmpty && known[device(2)].isEmpty)
        #expect(!known[device(3)].isEmpty)
    }

    @Test func forgets() {
        var known = KnownAddresses()
        _ = known.remember(address(1), of: device(1))
        _ = known.remember(address(1), of: device(2))
        #expect(known.forget(address(1), of: device(1)) == true)
        #expect(known.forget(address(1), of: device(1)) == false)
        #expect(known.keep([]) == true)
        #expect(known == KnownAddresses())
    }

    @Test(arguments: [
        "", "something else\n", "handoff-addresses 1\nxyz 1.2.3.4:5\n", "handoff-addresses 1\n\u{0}",
        "handoff-addresses 1\n" + String(repeating: "00", count: 32) + " nowhere\n",
    ])
    func refusesADamagedFile(text: String) {
        #expect(throws: WireError.self) { try KnownAddresses(encoded: Array(text.utf8)) }
        #expect(throws: WireError.self) { try KnownAddresses(encoded: Array(text.utf8) + [0xFF]) }
    }
}
