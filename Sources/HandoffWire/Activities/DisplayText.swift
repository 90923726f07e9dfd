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
            if scalar.isLineBreak || scalar == "\t" || scalar.isBlankLetter {
                cleaned.append(" ")
            } else if !scalar.isInvisible {
                cleaned.append(scalar)
            }
        }
        var line = String(Self.withoutLooseJoiners(cleaned)).split(separator: " ", omittingEmptySubsequences: true)
            .joined(separator: " ")
        // The last character may have gone on where the text was cut.
        if isCut, !line.isEmpty { line.removeLast() }
        self.text = Self.fitting(line, limit: limit, isCut: isCut)
    }

    /// A joiner counts between two signs of emoji or of a script that needs it. Anywhere else it would make two texts differ
    /// that look alike.
    private static func withoutLooseJoiners(_ scalars: String.UnicodeScalarView) -> String.UnicodeScalarView {
        guard scalars.contains(where: \.isJoiner) else { return scalars }
        let all = Array(scalars)
        var kept = String.UnicodeScalarView()
        for (index, scalar) in all.enumerated() {
            let isBetween =
                index > 0 && index + 1 < all.count && all[index - 1].mayBeJoined && all[index + 1].mayBeJoined
            if !scalar.isJoiner || isBetween { kept.append(scalar) }
        }
        return kept
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

    var isJoiner: Bool { self == "\u{200C}" || self == "\u{200D}" }

    /// Not of the scripts whose letters never change by what stands beside them; those come first in Unicode.
    var mayBeJoined: Bool { value >= 0x0530 && !isJoiner }

    /// Letters and signs that nobody can see: a name of them would look like none.
    var isBlankLetter: Bool {
        switch self {
        case "\u{115F}", "\u{1160}", "\u{2800}", "\u{3164}", "\u{FFA0}": true
        default: false
        }
    }

    /// Control, format and direction characters, but for the joiners that emoji and scripts need.
    var isInvisible: Bool {
        if isASCII { return value < 0x20 || value == 0x7F }
        switch self {
        case _ where isJoiner: return false
        default: break
        }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return true
        default: return false
        }
    }
}

extension DisplayText {
    /// The name and version of this software.
    package static let software = DisplayText(cleaning: "handoff 0.1.0", limit: Limits.nameCharacters)
}
