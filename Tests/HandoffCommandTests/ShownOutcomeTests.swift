// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire
import Testing

@testable import HandoffCommand

@Suite struct ShownOutcomeTests {
    // Shows V06: the manual explains the names that a user sees.
    @Test func everyPhaseGoesByItsWordInTheDocuments() throws {
        let manual = try String(contentsOf: Self.checkout.appending(path: "docs/cli.md"), encoding: .utf8)
        #expect(Phase.willContinue.word == "will-continue")
        for phase in Phase.allCases { #expect(manual.contains("`\(phase.word)`"), "\(phase)") }
    }

    private static let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
}
