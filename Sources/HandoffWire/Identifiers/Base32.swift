// SPDX-License-Identifier: Apache-2.0

/// RFC 4648 base 32 without padding, for people to read aloud and type.
package enum Base32 {
    static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    package static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        var bits = 0
        var buffer: UInt32 = 0
        for byte in bytes {
            buffer = buffer << 8 | UInt32(byte)
            bits += 8
            while bits >= 5 {
                bits -= 5
                text.append(alphabet[Int(buffer >> UInt32(bits)) & 31])
            }
        }
        if bits > 0 { text.append(alphabet[Int(buffer << UInt32(5 - bits)) & 31]) }
        return text
    }

    /// Nil for a wrong character, or remaining bits.
    package static func decode(_ text: [UInt8]) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits = 0
        var buffer: UInt32 = 0
        for character in text {
            guard let value = value(of: character) else { return nil }
            buffer = (buffer << 5 | UInt32(value)) & 0xFFF
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
            }
        }
        guard bits < 5, buffer & ((1 << UInt32(bits)) - 1) == 0 else { return nil }
        return bytes
    }

    /// Upper case, letters for similar-looking digits, nothing between them: programs that carry a code replace its
    /// dashes, and add quotes or marks of direction. A letter of another alphabet is a wrong character.
    package static func normalized(_ text: String) -> [UInt8] { text.unicodeScalars.compactMap(normalized) }

    private static func normalized(_ scalar: Unicode.Scalar) -> UInt8? {
        switch scalar {
        case "0": UInt8(ascii: "O")
        case "1": UInt8(ascii: "I")
        case "8": UInt8(ascii: "B")
        case "A"..."Z", "2"..."9": UInt8(scalar.value)
        case "a"..."z": UInt8(scalar.value) - 0x20
        // Turkish keyboards.
        case "\u{130}", "\u{131}": UInt8(ascii: "I")
        // Japanese and Chinese keyboards.
        case "\u{FF10}"..."\u{FF5A}": Unicode.Scalar(scalar.value - 0xFEE0).flatMap(normalized)
        default: scalar.properties.isAlphabetic || scalar.properties.numericType != nil ? UInt8(ascii: "?") : nil
        }
    }

    /// Luhn's check modulo 32: catches every wrong character and nearly every swap of neighbours. Characters outside
    /// the alphabet are 0; decoding rejects them.
    package static func checkCharacter(of text: [UInt8]) -> UInt8 {
        var sum = 0
        var factor = 1
        for character in text {
            let product = factor * Int(value(of: character) ?? 0)
            factor = factor == 1 ? 2 : 1
            sum += product / 32 + product % 32
        }
        return alphabet[(32 - sum % 32) % 32]
    }

    private static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "2")...UInt8(ascii: "7"): character - UInt8(ascii: "2") + 26
        default: nil
        }
    }
}
