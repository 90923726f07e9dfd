// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing

@testable import HandoffCommand

/// Shows X08: text from others on a terminal.
@Suite struct SafeTextTests {
    private static let unsafe = [
        "\u{1B}", "\u{9B}", "\u{7F}", "\u{202E}", "\u{2028}", "\u{2066}", "\r", "\u{08}", "\u{0}",
    ]

    @Test(arguments: unsafe) func controlCharactersAreReplaced(_ character: String) {
        let text = "https://example.com/\(character)31mred"
        #expect(text.safeText == "https://example.com/\u{FFFD}31mred")
    }

    @Test func linesColumnsAndEmojiStay() {
        let text = "a\tb\nüñ 漢字 👩\u{200D}💻 \u{FEFF}"
        #expect(text.safeText == text)
        #expect(text.safeJSON == text)
    }

    @Test(arguments: unsafe) func programsGetTheSameValueInJSON(_ character: String) throws {
        let encoded = String(decoding: try JSONEncoder().encode(["page": "x\(character)y"]), as: UTF8.self)
        let safe = encoded.safeJSON
        #expect(
            safe.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) && $0 != "\u{202E}" }
        )
        #expect(try JSONDecoder().decode([String: String].self, from: Data(safe.utf8)) == ["page": "x\(character)y"])
    }
}
