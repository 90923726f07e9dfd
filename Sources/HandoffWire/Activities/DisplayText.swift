// SPDX-License-Identifier: Apache-2.0

/// Text from elsewhere that is safe to show on one line: no control characters, no overrides of the text's direction,
/// no line breaks, and not too long. Made only by cleaning, so nothing unclean can be shown by mistake.
package struct DisplayText: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    package init(cleaning raw: String, limit: Int = Limits.titleCharacters) {
        guard !Self.isPlain(raw, limit: limit) else {
            self.text = raw
            return
        }
        // Cut before cleaning too: work on a hostile megabyte is bounded by the limit.
        var cleaned = String.UnicodeScalarView()
        for scalar in raw.unicodeScalars.prefix(limit * 8) {
            if scalar.isLineBreak || scalar == "\t" {
                cleaned.append(" ")
            } else if !scalar.isInvisible {
                cleaned.append(scalar)
            }
        }
        let line = String(cleaned).split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
        self.text = line.count > limit ? String(line.prefix(limit - 1)) + "…" : line
    }

    /// Clean as it is, as nearly every text: visible ASCII, and single blanks between it.
    private static func isPlain(_ raw: String, limit: Int) -> Bool {
        let blank = UInt8(ascii: " ")
        var before = blank
        guard raw.utf8.count <= limit else { return false }
        for character in raw.utf8 {
            guard character > blank && character < 0x7F || character == blank && before != blank else { return false }
            before = character
        }
        return before != blank || raw.isEmpty
    }

    package var description: String { text }
    package var isEmpty: Bool { text.isEmpty }
}

extension Unicode.Scalar {
    var isLineBreak: Bool {
        switch self {
        case "\n", "\r", "\u{0B}", "\u{0C}", "\u{85}", "\u{2028}", "\u{2029}": true
        default: false
        }
    }

    /// Control, format and direction characters, but for the joiners that emoji and scripts need.
    var isInvisible: Bool {
        if isASCII { return value < 0x20 || value == 0x7F }
        switch self {
        case "\u{200C}", "\u{200D}": return false
        default: break
        }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return true
        default: return false
        }
    }
}
