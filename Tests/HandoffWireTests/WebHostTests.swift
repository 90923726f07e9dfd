// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffWire

@Suite struct WebHostTests {
    @Test(arguments: ["example.com", "a.b", "xn--bcher-kva.example", "3com.example.com", "EXAMPLE.com", "a-b.c-d.ef"])
    func hostsAreNames(_ text: String) throws {
        #expect(try WebHost(text).name == text.lowercased())
    }

    // Shows N08.
    @Test(arguments: [
        "", "localhost", "example.com.", ".example.com", "a..b", "-a.example", "a-.example", "exa mple.com",
        "b\u{FC}cher.de",
        "example.com:443", "user@example.com", "example.com/x", "*.example.com", "a_b.example", "192.168.1.1", "127.1",
        "1.0x7f", "0x7f.0.0.1", "[::1]", "::1", "example.com\0", "example.1com",
    ])
    func invalidHostNameIsRejected(_ text: String) {
        #expect(throws: HostRejection.self) { try WebHost(text) }
    }

    @Test func hostsAreNoLongerThanDNSHasThem() throws {
        let label = String(repeating: "a", count: Limits.hostLabelBytes)
        let longest = "\(label).\(label).\(label).\(String(repeating: "b", count: 61))"
        #expect(longest.utf8.count == Limits.hostBytes)
        #expect(try WebHost(longest).name == longest)
        #expect(throws: HostRejection.tooLong) { try WebHost("\(longest)b") }
        #expect(throws: HostRejection.badLabel) { try WebHost("a\(label).example") }
    }
}
