// SPDX-License-Identifier: Apache-2.0

/// Text from others must not move the cursor, colour the terminal or change the direction of adjacent text.
extension String {
    /// Unsafe characters become U+FFFD. Line breaks and tabs stay.
    var safeText: String {
        guard unicodeScalars.contains(where: \.isUnsafe) else { return self }
        var safe = UnicodeScalarView()
        for scalar in unicodeScalars { safe.append(scalar.isUnsafe ? "\u{FFFD}" : scalar) }
        return String(safe)
    }

    /// The same JSON value, escaped: `\u009b`.
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
    /// All are below U+10000.
    fileprivate var isUnsafe: Bool {
        switch properties.generalCategory {
        case .control: self != "\t" && self != "\n"
        case .lineSeparator, .paragraphSeparator: true
        default: properties.isBidiControl
        }
    }
}
