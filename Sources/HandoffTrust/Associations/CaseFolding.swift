// SPDX-License-Identifier: Apache-2.0

extension String {
    /// Unicode's simple folding, through both cases: ς equals σ, KELVIN SIGN equals k. Keeps the number of characters,
    /// so that `?` in a pattern keeps its meaning.
    var caseFolded: String {
        guard !utf8.allSatisfy({ $0 < 0x80 }) else { return lowercased() }
        var folded = ""
        folded.unicodeScalars.append(contentsOf: unicodeScalars.map(\.caseFolded))
        return folded
    }
}

extension Unicode.Scalar {
    fileprivate var caseFolded: Unicode.Scalar {
        // The dotless i folds to itself, although its capital is I.
        self == "\u{131}" ? self : lower.upper.lower
    }

    private var lower: Unicode.Scalar { Self.only(properties.lowercaseMapping) ?? self }
    private var upper: Unicode.Scalar { Self.only(properties.uppercaseMapping) ?? self }

    private static func only(_ mapping: String) -> Unicode.Scalar? {
        mapping.unicodeScalars.count == 1 ? mapping.unicodeScalars.first : nil
    }
}
