// SPDX-License-Identifier: Apache-2.0

/// The SHA-256 of a device's public key (SubjectPublicKeyInfo).
///
/// In eight groups of seven: `MFZWI3D-BONSGYC-…`. Every second group ends in a check character. Parsing accepts 0, 1, 8
/// for O, I, B.
package struct DeviceID: FixedBytesIdentifier {
    package static let byteCount = 32
    package static let noun = "device id"
    package let bytes: [UInt8]
    package init(uncheckedBytes bytes: [UInt8]) { self.bytes = bytes }

    package var description: String {
        let plain = Base32.encode(bytes)
        let checked = stride(from: 0, to: plain.count, by: 13).flatMap { start in
            let group = Array(plain[start..<min(start + 13, plain.count)])
            return group + [Base32.checkCharacter(of: group)]
        }
        let groups = stride(from: 0, to: checked.count, by: 7).map { start in
            String(decoding: checked[start..<min(start + 7, checked.count)], as: UTF8.self)
        }
        return groups.joined(separator: "-")
    }

    package var short: String { String(description.prefix(7)) }

    package init(text: String) throws(WireError) {
        let typed = Base32.normalized(text)
        guard typed.count == 56 else {
            throw WireError(.badIdentifier, "a device id has 56 letters and digits, but \(typed.count) were entered")
        }
        var plain: [UInt8] = []
        for start in stride(from: 0, to: 56, by: 14) {
            let group = Array(typed[start..<start + 13])
            guard Base32.checkCharacter(of: group) == typed[start + 13] else {
                throw WireError(
                    .badIdentifier, "mistyped near \"\(String(decoding: typed[start..<start + 14], as: UTF8.self))\"")
            }
            plain += group
        }
        guard let bytes = Base32.decode(plain) else {
            throw WireError(.badIdentifier, "not a device id")
        }
        try self.init(bytes: bytes)
    }
}
