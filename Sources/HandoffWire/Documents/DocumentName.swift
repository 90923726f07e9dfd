// SPDX-License-Identifier: Apache-2.0

/// Bytes, because different files may have names that Swift calls equal.
package enum DocumentName {
    package enum Match: Hashable, Sendable {
        case none
        /// As on disk.
        case found([UInt8])
        /// Several entries match, none exactly.
        case ambiguous
    }

    /// The first of: the exact name, the only entry that differs by Unicode form, then by case, then by another
    /// device's shortening.
    package static func find(_ name: some Collection<UInt8>, among entries: [[UInt8]], ignoringCase: Bool) -> Match {
        let name = Array(name)
        guard !entries.contains(name) else { return .found(name) }
        guard let text = String(validating: name, as: UTF8.self) else { return .none }
        // String compares as if both were in NFC.
        var match = only(entries) { $0 == text }
        if match == .none, ignoringCase {
            let lower = text.lowercased()
            match = only(entries) { $0.lowercased() == lower }
        }
        return match == .none ? self.match(of: entries.filter { isShort(name, of: $0) }) : match
    }

    private static func only(_ entries: [[UInt8]], where isMeant: (String) -> Bool) -> Match {
        self.match(of: entries.filter { String(validating: $0, as: UTF8.self).map(isMeant) ?? false })
    }

    private static func match(of meant: [[UInt8]]) -> Match {
        switch meant.count {
        case 0: .none
        case 1: .found(meant[0])
        default: .ambiguous
        }
    }
}

extension DocumentName {
    /// "Desk" in `Letter (Desk, 2026-11-22 15.14).txt`.
    package static func device(ofConflictCopy name: [UInt8]) -> String? {
        guard let open = name.lastIndex(of: UInt8(ascii: "(")), let close = name.lastIndex(of: UInt8(ascii: ")")),
            open < close
        else { return nil }
        // The device's name may contain commas.
        let words = String(decoding: name[(open + 1)..<close], as: UTF8.self).components(by: ", ")
        guard let time = words.lastIndex(where: { $0.utf8.count == "2026-11-22 15.14".utf8.count }), time > 0 else {
            return nil
        }
        return words[..<time].joined(separator: ", ")
    }
}

extension String {
    fileprivate func components(by separator: String) -> [Substring] {
        split(separator: separator, omittingEmptySubsequences: false)
    }
}

extension DocumentName {
    /// For file systems with a lower limit: `Long na~0123456789abcdef.txt`. The digits hash the whole name. Nil if the
    /// limit is too low.
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

    private static let shortestStem = 4

    /// FNV-1a.
    private static func mark(of name: [UInt8]) -> [UInt8] {
        let hash = name.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let digits = String(hash, radix: 16)
        return [UInt8(ascii: "~")] + [UInt8](repeating: UInt8(ascii: "0"), count: 16 - digits.utf8.count) + digits.utf8
    }
}

extension DocumentName {
    /// `Letter (Desk, 2026-11-22 15.14).txt`, with a number if that is taken. Nextcloud uploads this form, and
    /// Syncthing does not delete it, unlike their own conflict copies.
    ///
    /// `device`: of the copy's version. `offset`: seconds from UTC. `limit`: bytes.
    package static func conflictCopy(
        of path: DocumentPath, device: DisplayText, at time: WallTime, offset: Int, among entries: [[UInt8]],
        limit: Int = Limits.pathPartBytes
    ) throws(Failure) -> DocumentPath {
        let words = "(\(cleaned(device)), \(ConflictCopyTime(time, offset: offset).text)"
        return try sibling(of: path, among: entries, limit) { number in
            number == 1 ? words + ")" : words + ", \(number))"
        }
    }

    /// `Letter (2).txt`.
    package static func numbered(_ path: DocumentPath, _ number: Int) throws(Failure) -> DocumentPath {
        try sibling(of: path, Limits.pathPartBytes) { "(\(number))" }
    }

    package static func conflictCopies(of path: DocumentPath, among entries: [[UInt8]]) -> [[UInt8]] {
        let (stem, ending) = parts(of: path.name)
        return entries.filter { entry in
            guard entry.count > ending.count, entry.suffix(ending.count).elementsEqual(ending) else { return false }
            let start = entry.dropLast(ending.count)
            // A long stem may have been cut.
            guard start.last == UInt8(ascii: ")"), let open = start.lastIndex(of: UInt8(ascii: "(")), open > 1,
                start[open - 1] == UInt8(ascii: " "), stem.starts(with: start[..<(open - 1)])
            else { return false }
            return ConflictCopyTime.ends(start[open...].dropLast())
        }
    }

    private static func sibling(
        of path: DocumentPath, among entries: [[UInt8]], _ limit: Int, _ words: (_ number: Int) -> String
    ) throws(Failure) -> DocumentPath {
        for number in 1...entries.count + 1 {
            let sibling = try sibling(of: path, limit) { words(number) }
            // Includes names that differ only by case or Unicode form.
            guard find(sibling.name, among: entries, ignoringCase: true) != .none else { return sibling }
        }
        throw Failure(.documentNotPlaced, "every name for a copy of the document is taken")
    }

    private static func sibling(of path: DocumentPath, _ limit: Int, _ words: () -> String) throws(Failure)
        -> DocumentPath
    {
        let (stem, ending) = parts(of: path.name)
        let added = Array(" \(words())".utf8) + ending
        do throws(WireError) {
            return try path.sibling(cut(stem, to: max(limit - added.count, 0)) + added)
        } catch {
            throw Failure(.documentNotPlaced, "a copy of the document cannot have a name here: \(error.reason)")
        }
    }

    static func parts(of name: ArraySlice<UInt8>) -> (stem: ArraySlice<UInt8>, ending: ArraySlice<UInt8>) {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex,
            name.endIndex - dot <= longestEnding
        else { return (name, []) }
        return (name[..<dot], name[dot...])
    }

    /// Bytes, including the dot. A longer ending is part of the stem.
    private static let longestEnding = 32
    /// Bytes.
    private static let longestDevice = 80

    private static func cleaned(_ device: DisplayText) -> String {
        let words = String(
            device.text.unicodeScalars.map { scalar in
                // Windows refuses some of these, and a sync tool may copy the file there.
                scalar.value < 0x20 || scalar.value == 0x7F || "/\\:*?\"<>|()".unicodeScalars.contains(scalar)
                    ? "-" : Character(scalar)
            })
        let cut = String(decoding: cut(Array(words.utf8)[...], to: longestDevice), as: UTF8.self)
        return cut.isEmpty ? "this device" : cut
    }

    /// At most `limit` bytes; text is cut between characters.
    static func cut(_ bytes: ArraySlice<UInt8>, to limit: Int) -> ArraySlice<UInt8> {
        guard bytes.count > limit else { return bytes }
        guard var text = String(validating: bytes, as: UTF8.self) else { return bytes.prefix(limit) }
        while text.utf8.count > limit { text.removeLast() }
        return Array(text.utf8)[...]
    }
}

/// `2026-11-22 15.14`. File systems may refuse a colon.
private struct ConflictCopyTime {
    let text: String

    init(_ time: WallTime, offset: Int) {
        let local = time.advanced(by: .seconds(offset)).milliseconds
        let (days, rest) = Self.divided(local, by: 86_400_000)
        let (year, month, day) = Self.date(ofDay: days)
        let minutes = rest / 60_000
        text = "\(year)-\(Self.two(month))-\(Self.two(day)) \(Self.two(minutes / 60)).\(Self.two(minutes % 60))"
    }

    static func ends(_ piece: some Collection<UInt8>) -> Bool {
        var words = String(decoding: piece, as: UTF8.self).split(separator: ", ", omittingEmptySubsequences: false)
        if words.count > 2, let number = words.last, number.utf8.allSatisfy({ 48...57 ~= $0 }) { words.removeLast() }
        guard words.count > 1, let time = words.last else { return false }
        let shape = time.utf8.map { 48...57 ~= $0 ? UInt8(ascii: "0") : $0 }
        return shape.elementsEqual("0000-00-00 00.00".utf8)
    }

    private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func divided(_ number: Int64, by divisor: Int64) -> (Int64, Int64) {
        let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
    }

    /// Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
    private static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = divided(day + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let monthOfYear = month < 10 ? month + 3 : month - 9
        let year = yearOfEra + era * 400 + (monthOfYear <= 2 ? 1 : 0)
        return (year, monthOfYear, dayOfYear - (153 * month + 2) / 5 + 1)
    }
}
