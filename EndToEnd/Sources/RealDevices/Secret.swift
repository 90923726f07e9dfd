// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Something that must not be readable on a cable, in every form in which it could be written there.
package struct Secret: Sendable, CustomStringConvertible {
    package let description: String
    private let forms: [Data]

    /// A word: in UTF-8 and UTF-16, whatever its case.
    package init(_ what: String, _ text: String) {
        description = what
        forms = Self.written(text)
    }

    /// Bytes: as they are, in hexadecimal, in base 32 and in base 64.
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

    /// Bytes, as they are shown to people: in groups, each ending in a check character, with dashes anywhere. That text,
    /// and the forms that bytes have.
    package init(_ what: String, shown text: String, group: Int) throws {
        let characters = Array(text.filter { $0 != "-" })
        let unchecked = String(characters.indices.filter { $0 % group != group - 1 }.map { characters[$0] })
        description = what
        forms = Self.written(text) + Self.written(String(characters)) + Self.written(try Base32.bytes(unchecked))
    }

    /// Those of them that can be read there.
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

    /// Letters of one case, so that `laptop` is found in `LAPTOP`.
    private static func folded(_ bytes: Data) -> Data {
        Data(bytes.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 })
    }
}
