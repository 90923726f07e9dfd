// SPDX-License-Identifier: Apache-2.0

extension String {
    /// For a comparison that ignores case: Unicode's simple folding, by way of both cases, so that ς is σ and KELVIN SIGN is
    /// k. Each character stays one, and `?` in a pattern means the same with and without case.
    var caseFolded: String {
        guard !utf8.allSatisfy({ $0 < 0x80 }) else { return lowercased() }
        var folded = ""
        folded.unicodeScalars.append(contentsOf: unicodeScalars.map(\.caseFolded))
        return folded
    }
}

extension Unicode.Scalar {
    fileprivate var caseFolded: Unicode.Scalar {
        // The dotless i folds to itself, though its capital is I.
        self == "\u{131}" ? self : lower.upper.lower
    }

    private var lower: Unicode.Scalar { Self.only(properties.lowercaseMapping) ?? self }
    private var upper: Unicode.Scalar { Self.only(properties.uppercaseMapping) ?? self }

    /// Nil for a mapping to several characters.
    private static func only(_ mapping: String) -> Unicode.Scalar? {
        mapping.unicodeScalars.count == 1 ? mapping.unicodeScalars.first : nil
    }
}
