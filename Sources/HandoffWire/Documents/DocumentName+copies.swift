// SPDX-License-Identifier: Apache-2.0

extension DocumentName {
    /// The name of a conflict copy: `Letter (Desk, 2026-11-22 15.14).txt`, with a number if that is taken. Unlike their
    /// own conflict copies, Nextcloud uploads this form, and Syncthing does not delete its conflicts.
    ///
    /// `device`: the device of the copy's version. `offset`: seconds from UTC. `entries`: the names in the folder, each
    /// at most `limit` bytes.
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

    /// The names that `conflictCopy` may have made for that document.
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
        // At least one of these numbers is free.
        for number in 1...entries.count + 1 {
            let sibling = try sibling(of: path, limit) { words(number) }
            // A name that differs only by case or Unicode form is taken too.
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

    /// The ending includes its dot.
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
                // Also characters that Windows refuses, because a sync tool may copy the file there.
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

/// `2026-11-22 15.14`, without a colon, which file systems refuse.
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

    /// Rounds down, so that the remainder is not negative.
    private static func divided(_ number: Int64, by divisor: Int64) -> (Int64, Int64) {
        let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
    }

    /// Gregorian, by eras of 400 years that begin in March: Howard Hinnant, "chrono-Compatible Low-Level Date
    /// Algorithms".
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
