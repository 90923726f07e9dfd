// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The same to its reader, and never markup to Qt, which guesses in tooltips and other texts without a format
    /// (`Qt::mightBeRichText`): it looks for `<`, a name and `>`, and for `&lt;`. Behind both signs stands a word joiner here,
    /// which has no width and belongs to no name.
    package var neverMarkup: String {
        var text = ""
        for scalar in unicodeScalars {
            text.unicodeScalars.append(scalar)
            if scalar == "<" || scalar == "&" { text.unicodeScalars.append("\u{2060}") }
        }
        return text
    }
}
