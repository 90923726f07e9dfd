// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

/// Base 32, each group with a check character at its end.
struct CheckedGroups: Sendable {
    let groups: Int
    /// Includes the check character.
    let width: Int

    /// The error names the group, never the secret.
    func parse(_ text: String, noun: String) throws(WireError) -> [UInt8] {
        let typed = Base32.normalized(text)
        let length = groups * width
        if typed.count == 2 * length, typed[..<length].elementsEqual(typed[length...]) {
            throw WireError(.badIdentifier, "the \(noun) was entered twice; enter it once")
        }
        guard typed.count == length else {
            throw WireError(
                .badIdentifier, "the \(noun) has \(groups * width) letters and digits, but \(typed.count) were entered")
        }
        var plain: [UInt8] = []
        for group in 0..<groups {
            let characters = Array(typed[group * width..<(group + 1) * width])
            let data = Array(characters.dropLast())
            let isReadable = data.allSatisfy { Base32.decode([$0, Self.zero]) != nil }
            guard isReadable, Base32.checkCharacter(of: data) == characters.last else {
                throw WireError(.badIdentifier, "the \(noun) is mistyped in group \(group + 1) of \(groups)")
            }
            plain += data
        }
        guard let bytes = Base32.decode(plain) else { throw WireError(.badIdentifier, "not a \(noun)") }
        return bytes
    }

    func text(_ bytes: [UInt8]) -> String {
        let plain = Base32.encode(bytes)
        let parts = stride(from: 0, to: plain.count, by: width - 1).map { start in
            let group = Array(plain[start..<start + width - 1])
            return String(decoding: group + [Base32.checkCharacter(of: group)], as: UTF8.self)
        }
        return parts.joined(separator: "-")
    }

    private static let zero = UInt8(ascii: "A")
}
