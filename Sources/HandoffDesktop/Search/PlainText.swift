// SPDX-License-Identifier: Apache-2.0

extension String {
    /// Visually unchanged, but never detected as markup by Qt, which guesses in texts without a format.
    /// `Qt::mightBeRichText` looks for `<`, a name and `>`, and for `&lt;`. So this inserts a word joiner after `<` and
    /// `&`: it has no width and is not part of a name.
    var neverMarkup: String {
        var text = ""
        for scalar in unicodeScalars {
            text.unicodeScalars.append(scalar)
            if scalar == "<" || scalar == "&" { text.unicodeScalars.append("\u{2060}") }
        }
        return text
    }
}
