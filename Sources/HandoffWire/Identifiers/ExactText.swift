// SPDX-License-Identifier: Apache-2.0

/// Text that another program, device or site wrote, and that names something. Two are equal if their UTF-8 bytes are.
/// Swift's `String` takes canonically equivalent texts for equal: KELVIN SIGN for K, and é written in two ways.
package struct ExactText: Hashable, Sendable, Comparable, ExpressibleByStringLiteral, CustomStringConvertible {
    package let text: String

    package init(_ text: some StringProtocol) { self.text = String(text) }
    package init(stringLiteral text: String) { self.text = text }

    package var description: String { text }

    package static func == (left: Self, right: Self) -> Bool {
        // Texts with the same bytes are equal as strings too, and strings that differ are found faster.
        left.text == right.text && left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// By the bytes: a string's own hash is the same for all equivalent texts, of which a file may have thousands.
    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }

    package static func < (left: Self, right: Self) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}
