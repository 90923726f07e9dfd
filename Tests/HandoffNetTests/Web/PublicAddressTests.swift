// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffWebFetch

/// Shows N08: the addresses that no app can make this device contact.
@Suite struct PublicAddressTests {
    @Test(arguments: [
        "0.0.0.0", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.255.255",
        "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.1.1",
        "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.7", "224.0.0.251", "239.255.255.255", "240.0.0.1",
        "255.255.255.255", "::", "::1", "::ffff:127.0.0.1", "::ffff:93.184.216.34", "::93.184.216.34", "fc00::1",
        "fd12:3456::1", "fe80::1", "fec0::1", "ff02::fb", "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::1",
        "3fff::1", "4000::1", "64:ff9b::10.0.0.1", "64:ff9b::127.0.0.1", "64:ff9b:1::93.184.216.34", "5f00::1",
    ])
    func someAddressesAreNobodysOnTheInternet(_ text: String) throws {
        #expect(!PublicAddress.isPublic(try #require(InternetAddress(text))))
    }

    @Test(arguments: [
        "1.1.1.1", "9.255.255.255", "11.0.0.0", "93.184.216.34", "100.63.255.255", "100.128.0.0", "126.255.255.255",
        "128.0.0.1", "169.253.0.1", "172.15.255.255", "172.32.0.0", "192.0.1.1", "192.167.0.1", "192.169.0.1",
        "198.17.0.1", "198.20.0.0", "223.255.255.255", "2606:2800:220:1::1", "2a00:1450::1", "2001:4860:4860::8888",
        "2003::1", "64:ff9b::93.184.216.34",
    ])
    func theOthersAre(_ text: String) throws {
        #expect(PublicAddress.isPublic(try #require(InternetAddress(text))))
    }
}
