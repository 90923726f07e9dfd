// SPDX-License-Identifier: Apache-2.0

import HandoffCore

/// In the order that people expect, for any text: `1.9` before `1.10`, `2.0b1` before `2.0`, `1` equal to `1.0`.
struct BundleVersion: Comparable, Sendable {
    private let parts: [Part]

    init(_ text: String) { parts = text.split(separator: ".", omittingEmptySubsequences: false).map(Part.init) }

    /// A number of any length, then text.
    private struct Part: Comparable, Sendable {
        static let zero = Part("0")
        let digits: [UInt8]
        let words: String

        init(_ text: Substring) {
            let digits = text.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            self.digits = Array(digits.drop { $0 == UInt8(ascii: "0") })
            words = String(text.dropFirst(digits.count))
        }

        static func < (left: Part, right: Part) -> Bool {
            if left.digits.count != right.digits.count { return left.digits.count < right.digits.count }
            if left.digits != right.digits { return left.digits.lexicographicallyPrecedes(right.digits) }
            // A prerelease precedes its release.
            if left.words.isEmpty || right.words.isEmpty { return !left.words.isEmpty && right.words.isEmpty }
            return left.words < right.words
        }
    }

    private func part(_ index: Int) -> Part { index < parts.count ? parts[index] : .zero }

    static func == (left: Self, right: Self) -> Bool { !(left < right) && !(right < left) }

    static func < (left: Self, right: Self) -> Bool {
        for index in 0..<max(left.parts.count, right.parts.count) where left.part(index) != right.part(index) {
            return left.part(index) < right.part(index)
        }
        return false
    }
}
