// SPDX-License-Identifier: Apache-2.0

/// A name compared by its UTF-8 bytes. Swift's `String` treats canonically equivalent texts as equal: KELVIN SIGN and
/// K, or é in its two spellings.
package struct ExactText: Hashable, Sendable, Comparable, ExpressibleByStringLiteral, CustomStringConvertible {
    package let text: String

    package init(_ text: some StringProtocol) { self.text = String(text) }
    package init(stringLiteral text: String) { self.text = text }

    package var description: String { text }

    package static func == (left: Self, right: Self) -> Bool {
        // Equal bytes imply equal strings, and the string comparison finds differences faster.
        left.text == right.text && left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// String's hash is the same for all equivalent texts, and a file may have thousands of them.
    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }

    package static func < (left: Self, right: Self) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}
