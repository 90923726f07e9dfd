// SPDX-License-Identifier: Apache-2.0

/// Text from elsewhere that is safe to show on one line: no control characters, no overrides of the text's direction,
/// no line breaks, and not too long, in characters and in bytes. Made only by cleaning, so nothing unclean can be shown
/// by mistake. Cut between characters as people see them, never within one.
package struct DisplayText: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    package init(cleaning raw: String, limit: Int = Limits.titleCharacters) {
        guard !Self.isPlain(raw, limit: limit) else {
            self.text = raw
            return
        }
        // Cut before cleaning too: work on a hostile megabyte is bounded by the limit.
        var cleaned = String.UnicodeScalarView()
        let scalars = raw.unicodeScalars.prefix(limit * 8)
        let isCut = scalars.endIndex != raw.unicodeScalars.endIndex
        for scalar in scalars {
            if scalar.isLineBreak || scalar == "\t" {
                cleaned.append(" ")
            } else if !scalar.isInvisible {
                cleaned.append(scalar)
            }
        }
        var line = String(cleaned).split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
        // The last character may have gone on where the text was cut.
        if isCut, !line.isEmpty { line.removeLast() }
        self.text = Self.fitting(line, limit: limit, isCut: isCut)
    }

    private static func fitting(_ line: String, limit: Int, isCut: Bool) -> String {
        let end = "…"
        let bytes = limit * Limits.shownBytesPerCharacter
        guard isCut || line.count > limit || line.utf8.count > bytes else { return line }
        var kept = ""
        var room = bytes - end.utf8.count
        for character in line.prefix(limit - 1) {
            room -= character.utf8.count
            guard room >= 0 else { break }
            kept.append(character)
        }
        return kept + end
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
