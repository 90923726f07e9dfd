// SPDX-License-Identifier: Apache-2.0

/// Text from elsewhere that is safe to show on one line: no control characters, no overrides of the text's direction,
/// no line breaks, and not too long. Made only by cleaning, so nothing unclean can be shown by mistake.
package struct DisplayText: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    package init(cleaning raw: String, limit: Int = Limits.titleCharacters) {
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
