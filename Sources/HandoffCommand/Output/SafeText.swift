// SPDX-License-Identifier: Apache-2.0

/// What another device or an app said may stand in any text here: a URL, a state, the reason of a failure. None of it is to
/// move the cursor, colour the terminal or turn the direction of what stands beside it.
extension String {
    /// For people, at a terminal or in a file: what is not to be shown is shown as U+FFFD. Line breaks and tabs stay.
    var safeText: String {
        guard unicodeScalars.contains(where: \.isUnsafe) else { return self }
        var safe = UnicodeScalarView()
        for scalar in unicodeScalars { safe.append(scalar.isUnsafe ? "\u{FFFD}" : scalar) }
        return String(safe)
    }

    /// For programs, of encoded JSON: the same value, with what is not to be shown written as `\u009b`.
    var safeJSON: String {
        guard unicodeScalars.contains(where: \.isUnsafe) else { return self }
        var safe = ""
        for scalar in unicodeScalars {
            if scalar.isUnsafe {
                let digits = String(scalar.value, radix: 16)
                safe += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else {
                safe.unicodeScalars.append(scalar)
            }
        }
        return safe
    }
}

extension Unicode.Scalar {
    /// All of them are below U+10000.
    fileprivate var isUnsafe: Bool {
        switch properties.generalCategory {
        case .control: self != "\t" && self != "\n"
        case .lineSeparator, .paragraphSeparator: true
        default: properties.isBidiControl
        }
    }
}
