// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A value that must not be readable on a cable, in every likely encoding.
package struct Secret: Sendable, CustomStringConvertible {
    package let description: String
    private let forms: [Data]

    /// A text: in UTF-8 and UTF-16, in any case.
    package init(_ what: String, _ text: String) {
        description = what
        forms = Self.written(text)
    }

    /// Bytes: raw, in hexadecimal, base 32 and base 64.
    package init(_ what: String, hexadecimal text: String) throws {
        let digits = Array(text)
        let bytes = try stride(from: 0, to: digits.count, by: 2).map { index in
            guard let byte = UInt8(String(digits[index...].prefix(2)), radix: 16) else {
                throw Unmet("\(text) is not hexadecimal")
            }
            return byte
        }
        description = what
        forms = Self.written(Data(bytes))
    }

    /// Bytes as displayed: in groups that each end in a check character, with dashes anywhere. Covers that text and the
    /// encodings of the bytes.
    package init(_ what: String, shown text: String, group: Int) throws {
        let characters = Array(text.filter { $0 != "-" })
        let unchecked = String(characters.indices.filter { $0 % group != group - 1 }.map { characters[$0] })
        description = what
        forms = Self.written(text) + Self.written(String(characters)) + Self.written(try Base32.bytes(unchecked))
    }

    /// The secrets that are readable in `traffic`.
    package static func readable(_ secrets: [Secret], in traffic: Traffic) -> [Secret] {
        let bytes = folded(traffic.everything)
        return secrets.filter { $0.forms.contains { bytes.range(of: folded($0)) != nil } }
    }

    private static func written(_ bytes: Data) -> [Data] {
        let hexadecimal = bytes.map { String(format: "%02x", $0) }.joined()
        let base64 = bytes.base64EncodedString().filter { $0 != "=" }
        return [bytes] + [hexadecimal, Base32.text(bytes), base64].flatMap { written($0) }
    }

    private static func written(_ text: String) -> [Data] {
        [String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian].compactMap { text.data(using: $0) }
    }

    /// Lower case, so that `laptop` matches `LAPTOP`.
    private static func folded(_ bytes: Data) -> Data {
        Data(bytes.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 })
    }
}
