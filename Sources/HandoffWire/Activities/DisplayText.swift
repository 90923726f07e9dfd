// SPDX-License-Identifier: Apache-2.0

/// Another party's text, cleaned for one line: no control characters, direction overrides or line breaks, and limited
/// in length.
package struct DisplayText: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    package init(cleaning raw: String, limit: Int = Limits.titleCharacters) {
        guard !Self.isPlain(raw, limit: limit) else {
            self.text = raw
            return
        }
        // Bounds the work for hostile input.
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
        // The cut may have split the last character.
        if isCut, !line.isEmpty { line.removeLast() }
        self.text = Self.fitting(line, limit: limit, isCut: isCut)
    }

    /// Joiners make lookalikes differ; keeps them where emoji or scripts need them.
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

    /// Scripts that never join come first in Unicode.
    var mayBeJoined: Bool { value >= 0x0530 && !isJoiner }

    /// A name made of these would look empty.
    var isBlankLetter: Bool {
        switch self {
        case "\u{115F}", "\u{1160}", "\u{2800}", "\u{3164}", "\u{FFA0}": true
        default: false
        }
    }

    /// Except joiners, which emoji and some scripts need.
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
    package static let softwareVersion = "0.1.0"
    package static let software = DisplayText(
        cleaning: "handoff \(softwareVersion)", limit: Limits.nameCharacters)
}
