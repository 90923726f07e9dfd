// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffWire

/// Shows X08.
@Suite struct ContainerIDTests {
    @Test(arguments: ["iCloud.com.example.letters", "ABCDE12345.com.example", "letters", "a_b-c.1"])
    func usualIdentifierIsTaken(name: String) throws {
        #expect(try ContainerID(name).description == name)
    }

    @Test(arguments: [
        "", ".", "..", "a/b", "../a", ".a", "a.", "a..b", "a b", "a\u{0}", "a\n", "iCloud.cömpany", "*", "~",
    ])
    func invalidFolderNameIsRejected(name: String) {
        #expect(throws: WireError(.badIdentifier, "")) { try ContainerID(name) }
    }

    @Test func containerBytesAreLimited() throws {
        let longest = String(repeating: "a", count: Limits.containerBytes)
        #expect(try ContainerID(longest).name == longest)
        #expect(throws: WireError(.badIdentifier, "")) { try ContainerID(longest + "a") }
        #expect(Limits.containerBytes <= Limits.pathPartBytes)
    }

    @Test func containersHaveAnOrder() throws {
        #expect(
            try [ContainerID("b"), ContainerID("a.b"), ContainerID("a")].sorted().map(\.name) == ["a", "a.b", "b"])
    }
}
