// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The alphabet of displayed ids and codes.
package enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")

    /// `text` has no check characters, dashes or padding.
    package static func bytes(_ text: some StringProtocol) throws -> Data {
        var (result, buffer, bits) = (Data(), 0, 0)
        for character in text {
            guard let value = alphabet.firstIndex(of: character) else { throw Unmet("\(text) is not base 32") }
            buffer = (buffer << 5 | value) & 0xFFFF
            bits += 5
            if bits >= 8 {
                bits -= 8
                result.append(UInt8(truncatingIfNeeded: buffer >> bits))
            }
        }
        return result
    }

    static func text(_ bytes: Data) -> String {
        var (result, buffer, bits) = ("", 0, 0)
        for byte in bytes {
            buffer = (buffer << 8 | Int(byte)) & 0xFFFF
            bits += 8
            while bits >= 5 {
                bits -= 5
                result.append(alphabet[buffer >> bits & 31])
            }
        }
        if bits > 0 { result.append(alphabet[buffer << (5 - bits) & 31]) }
        return result
    }
}
