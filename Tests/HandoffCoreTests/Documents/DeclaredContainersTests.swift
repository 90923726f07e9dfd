// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import Testing

@testable import HandoffCore

@Suite struct DeclaredContainersTests {
    @Test func duplicatesAreIgnoredAndOrderIsKept() {
        let declared = DeclaredContainers(entries: ["iCloud.com.example.b", "TEAM123456.a", "iCloud.com.example.b"])
        #expect(declared.containers.map(\.name) == ["iCloud.com.example.b", "TEAM123456.a"])
        #expect(declared.problems.isEmpty)
    }

    @Test(arguments: ["", ".", "a..b", "iCloud.com.example/letters", "iCloud.com.example.*", "iCloud.br\u{E9}f"])
    func invalidIdentifierDoesNotAffectTheOthers(entry: String) {
        let declared = DeclaredContainers(entries: [entry, "iCloud.com.example.letters"])
        #expect(declared.containers.map(\.name) == ["iCloud.com.example.letters"])
        #expect(declared.problems.count == 1)
        #expect(declared.problems.first?.hasPrefix("\"\(entry)\": a container identifier has ") == true)
    }

    @Test func aSentenceIsCleanAndNotLong() {
        let declared = DeclaredContainers(entries: ["\u{1B}[2J" + String(repeating: "x", count: 10_000)])
        #expect(declared.problems.first?.contains("\u{1B}") == false)
        #expect((declared.problems.first?.count ?? 0) < 200)
    }
}
