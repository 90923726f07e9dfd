// SPDX-License-Identifier: Apache-2.0

// For canonical decomposition, which the standard library does not export. Foundation's would add ICU, 44 MB, to every
// program that searches.
@_spi(_Unicode) internal import Swift

/// Without case, accents and the width of East Asian forms, for searches.
package struct FoldedText: Hashable, Sendable {
    private let scalars: [Unicode.Scalar]

    package init(_ text: String) {
        var folded: [Unicode.Scalar] = []
        let narrow = String(String.UnicodeScalarView(text.unicodeScalars.map(\.withoutWidth)))
        for scalar in narrow._nfd where !scalar.isAccent {
            // Upper case first: ß becomes SS, and both sigmas become equal.
            for upper in (scalar.withoutStroke ?? String(scalar)).unicodeScalars {
                for letter in upper.properties.uppercaseMapping.unicodeScalars {
                    folded += letter.properties.lowercaseMapping.unicodeScalars
                }
            }
        }
        scalars = folded
    }

    package var isEmpty: Bool { scalars.isEmpty }

    /// At the beginning of a word, or anywhere in a script written without spaces.
    package func hasWord(beginningWith term: FoldedText) -> Bool {
        guard let first = term.scalars.first, term.scalars.count <= scalars.count else { return false }
        return (0...scalars.count - term.scalars.count).contains { start in
            scalars[start] == first && mayBegin(at: start) && scalars[start...].starts(with: term.scalars)
        }
    }

    /// Without the characters between them. Each character of a script written without spaces is a word.
    package var words: [String] {
        var words: [String] = []
        var (isAfterLetter, mayGoOn) = (false, false)
        for scalar in scalars {
            if scalar.isMark, isAfterLetter {
                words[words.count - 1].unicodeScalars.append(scalar)
                continue
            }
            isAfterLetter = scalar.isPartOfWord
            guard isAfterLetter else {
                mayGoOn = false
                continue
            }
            if mayGoOn, !scalar.isWrittenWithoutBlanks {
                words[words.count - 1].unicodeScalars.append(scalar)
            } else {
                words.append(String(scalar))
            }
            mayGoOn = !scalar.isWrittenWithoutBlanks
        }
        return words
    }

    private func mayBegin(at index: Int) -> Bool {
        guard index > 0, scalars[index].isPartOfWord, scalars[index - 1].isPartOfWord else { return true }
        return scalars[index].isWrittenWithoutBlanks || scalars[index - 1].isWrittenWithoutBlanks
    }
}

extension Unicode.Scalar {
    fileprivate var withoutWidth: Unicode.Scalar {
        switch value {
        case 0xFF01...0xFF5E: Unicode.Scalar(value - 0xFEE0) ?? self
        case 0xFF66...0xFF9F: Self.katakana[Int(value - 0xFF66)]
        case 0x3000: " "
        default: self
        }
    }

    /// The last two are the voiced sound marks.
    private static let katakana = Array(
        "ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン\u{3099}\u{309A}".unicodeScalars)

    /// As people type letters that Unicode does not decompose.
    fileprivate var withoutStroke: String? {
        switch self {
        case "ł", "Ł": "l"
        case "ø", "Ø": "o"
        case "đ", "Đ", "ð", "Ð": "d"
        case "ħ", "Ħ": "h"
        case "ŧ", "Ŧ": "t"
        case "æ", "Æ": "ae"
        case "œ", "Œ": "oe"
        case "þ", "Þ": "th"
        default: nil
        }
    }

    /// In other scripts, a mark is part of the letter.
    fileprivate var isAccent: Bool {
        switch value {
        case 0x0300...0x036F, 0x0483...0x0487, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
        case 0x0591...0x05BD, 0x05BF, 0x05C1...0x05C2, 0x05C4...0x05C5, 0x05C7: true
        case 0x0610...0x061A, 0x064B...0x065F, 0x0670: true
        default: false
        }
    }

    fileprivate var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    fileprivate var isPartOfWord: Bool { properties.isAlphabetic || properties.numericType != nil }

    /// Ideographs, kana, bopomofo, hangul (whose particles are attached), Thai, Lao, Burmese and Khmer.
    fileprivate var isWrittenWithoutBlanks: Bool {
        switch value {
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17FF, 0x3040...0x312F, 0x31A0...0x31BF,
            0x31F0...0x31FF:
            true
        default: properties.isIdeographic
        }
    }
}
