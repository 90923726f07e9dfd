// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import NIOCore
import Testing

@testable import HandoffNet

@Suite struct AddressTests {
    @Test(arguments: ["192.0.2.7:4747", "[2001:db8::1]:4747", "[fe80::1%lo]:9"])
    func survivesTheWayThroughASocketAddress(_ text: String) throws {
        let address = try #require(NetworkAddress(text))
        let socketAddress = try #require(address.socketAddress)
        #expect(NetworkAddress(socketAddress) == address)
    }

    @Test func showsAMappedAddressAsWhatItIs() throws {
        let mapped = try SocketAddress(ipAddress: "::ffff:192.0.2.7", port: 1)
        #expect(NetworkAddress(mapped) == NetworkAddress(host: "192.0.2.7", port: 1))
    }

    @Test(arguments: [("::ffff:10.77.0.1", "10.77.0.1"), ("10.77.0.1", "10.77.0.1"), ("2001:db8::1", "2001:db8::1")])
    func showsWhereAJoiningDeviceIs(_ address: String, _ shown: String) throws {
        let link = TLSEnrollLink(
            remoteKey: [], from: try SocketAddress(ipAddress: address, port: 1), hasPublicCode: false)
        #expect(link.host == shown)
    }

    @Test(arguments: ["desktop.local", "fe80::1%nosuchinterface", "192.0.2.7%lo", ""])
    func hasNoSocketAddressForNames(_ host: String) {
        #expect(NetworkAddress(host: host, port: 1).socketAddress == nil)
    }

    @Test func holdsASenderToItsNetwork() throws {
        func network(_ text: String) throws -> String { try SocketAddress(ipAddress: text, port: 1).senderNetwork }
        #expect(try network("2001:db8::1") == network("2001:db8::ffff:2"))
        #expect(try network("2001:db8::1") != network("2001:db8:0:1::1"))
        #expect(try network("fe80::1") != network("fe80::2"))
        #expect(try network("192.0.2.1") != network("192.0.2.2"))
    }
}
