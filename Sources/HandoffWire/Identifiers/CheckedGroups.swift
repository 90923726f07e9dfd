// SPDX-License-Identifier: Apache-2.0

package struct CheckedGroups: Hashable, Sendable {
    package static let inviteCode = CheckedGroups(groups: 4, width: 7)
    package static let recoveryKey = CheckedGroups(groups: 8, width: 5)

    package let groups: Int
    /// Includes the check character.
    package let width: Int

    package var length: Int { groups * width }

    /// The error names the group, never the secret.
    package func parse(_ text: String, noun: String) throws(WireError) -> [UInt8] {
        let typed = Base32.normalized(text)
        if typed.count == 2 * length, typed[..<length].elementsEqual(typed[length...]) {
            throw WireError(.badIdentifier, "the \(noun) was entered twice; enter it once")
        }
        guard typed.count == length else {
            throw WireError(
                .badIdentifier, "the \(noun) has \(length) letters and digits, but \(typed.count) were entered")
        }
        var plain: [UInt8] = []
        for group in 0..<groups {
            let characters = typed[group * width..<(group + 1) * width]
            guard Self.isRight(characters) else {
                throw WireError(.badIdentifier, "the \(noun) is mistyped in group \(group + 1) of \(groups)")
            }
            plain += characters.dropLast()
        }
        guard let bytes = Base32.decode(plain) else { throw WireError(.badIdentifier, "not a \(noun)") }
        return bytes
    }

    /// From 0. Skips an incomplete group, which the user may still be typing.
    package func mistypedGroup(in text: String) -> Int? {
        let typed = Base32.normalized(text)
        return (0..<min(groups, typed.count / width)).first { !Self.isRight(typed[$0 * width..<($0 + 1) * width]) }
    }

    /// In Unicode scalars.
    package func place(of group: Int, in text: String) -> Range<Int> {
        let places = text.unicodeScalars.enumerated().flatMap { place, scalar in
            Base32.normalized(String(scalar)).map { _ in place }
        }
        guard places.count >= (group + 1) * width else { return 0..<text.unicodeScalars.count }
        return places[group * width]..<places[(group + 1) * width - 1] + 1
    }

    private static func isRight(_ characters: ArraySlice<UInt8>) -> Bool {
        let data = Array(characters.dropLast())
        let isReadable = data.allSatisfy { Base32.decode([$0, zero]) != nil }
        return isReadable && Base32.checkCharacter(of: data) == characters.last
    }

    package func text(_ bytes: [UInt8]) -> String {
        let plain = Base32.encode(bytes)
        let parts = stride(from: 0, to: plain.count, by: width - 1).map { start in
            let group = Array(plain[start..<start + width - 1])
            return String(decoding: group + [Base32.checkCharacter(of: group)], as: UTF8.self)
        }
        return parts.joined(separator: "-")
    }

    private static let zero = UInt8(ascii: "A")
}
