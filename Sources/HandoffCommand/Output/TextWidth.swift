// SPDX-License-Identifier: Apache-2.0

extension String {
    /// In cells of a terminal.
    var width: Int { utf8.allSatisfy { $0 < 0x80 } ? utf8.count : reduce(0) { $0 + $1.width } }

    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - self.width)) }

    /// At most so many cells; ends with an ellipsis if shortened. Never cuts a character.
    func fitted(to width: Int) -> String {
        guard self.width > width else { return self }
        var kept = ""
        var room = width - 1
        for character in self {
            room -= character.width
            guard room >= 0 else { break }
            kept.append(character)
        }
        while kept.last == " " { kept.removeLast() }
        return width > 0 ? kept + "…" : ""
    }
}

extension Character {
    /// In cells: none for combining marks, two for East Asian scripts and emoji, regardless of their scalars.
    var width: Int { isPicture ? 2 : unicodeScalars.reduce(0) { $0 + $1.width } }

    private var isPicture: Bool {
        guard let first = unicodeScalars.first?.properties else { return false }
        // Selects the emoji form.
        return first.isEmojiPresentation || (first.isEmoji && unicodeScalars.contains("\u{FE0F}"))
    }
}

extension Unicode.Scalar {
    /// `W` and `F` of Unicode's EastAsianWidth.txt, in blocks.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18CFF,
        0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]
    /// Second and third part of a decomposed Korean syllable.
    private static let joined: [ClosedRange<UInt32>] = [0x1160...0x11FF, 0xD7B0...0xD7FF]

    fileprivate var width: Int {
        guard value >= 0x300 else { return 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        if Self.joined.contains(where: { $0.contains(value) }) { return 0 }
        return Self.wide.contains { $0.contains(value) } ? 2 : 1
    }
}
