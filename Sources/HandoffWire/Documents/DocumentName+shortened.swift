// SPDX-License-Identifier: Apache-2.0

extension DocumentName {
    /// A name for file systems with a lower limit: `Long na~0123456789abcdef.txt`. The digits hash the whole name, so
    /// that names stay different and the result is stable. Nil if the limit is too low.
    package static func shortened(_ name: [UInt8], to limit: Int) -> [UInt8]? {
        guard name.count > limit else { return name }
        let (stem, ending) = parts(of: name[...])
        let added = mark(of: name) + ending
        guard limit - added.count >= shortestStem else { return nil }
        return cut(stem, to: limit - added.count) + added
    }

    /// Another device may have used any limit.
    package static func isShort(_ name: [UInt8], of long: [UInt8]) -> Bool {
        guard name.count < long.count else { return false }
        let (short, full) = (parts(of: name[...]), parts(of: long[...]))
        let mark = mark(of: long)
        return short.ending.elementsEqual(full.ending) && short.stem.suffix(mark.count).elementsEqual(mark)
            && full.stem.starts(with: short.stem.dropLast(mark.count))
    }

    /// Bytes kept of the long name.
    private static let shortestStem = 4

    /// A tilde and 16 hexadecimal digits: FNV-1a of the name.
    private static func mark(of name: [UInt8]) -> [UInt8] {
        let hash = name.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let digits = String(hash, radix: 16)
        return [UInt8(ascii: "~")] + [UInt8](repeating: UInt8(ascii: "0"), count: 16 - digits.utf8.count) + digits.utf8
    }
}
