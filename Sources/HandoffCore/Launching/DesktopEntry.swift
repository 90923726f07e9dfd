// SPDX-License-Identifier: Apache-2.0

/// The keys that Handoff uses (Desktop Entry Specification 1.5). Each is checked when it is requested, so that one
/// error does not hide others. Departures that GLib ignores are remarks.
package struct DesktopEntry: Hashable, Sendable {
    /// Entries with a name in a hundred languages have 50 KiB.
    package static let fileBytes = 256 * 1024

    package enum Key: String, Hashable, Sendable, CaseIterable {
        case type = "Type"
        case name = "Name"
        case icon = "Icon"
        case exec = "Exec"
        case tryExec = "TryExec"
        case path = "Path"
        case terminal = "Terminal"
        case hidden = "Hidden"
        case isActivatable = "DBusActivatable"
        case activityTypes = "X-Handoff-ActivityTypes"
        /// Ten letters and digits, as in a bundle's signature.
        case teamID = "X-Handoff-TeamID"
        /// Written by Flatpak: the app's identifier.
        case flatpak = "X-Flatpak"
        /// Written by snapd: the instance.
        case snap = "X-SnapInstanceName"

        fileprivate var isFlag: Bool { [.terminal, .hidden, .isActivatable].contains(self) }
        fileprivate var isList: Bool { self == .activityTypes }
    }

    private var values: [Key: [UInt8]] = [:]
    /// Their last value is used.
    private var repeated: Set<Key> = []

    /// `locales`: the best first.
    package init(_ bytes: [UInt8], locales: [String] = []) throws(EntryProblem) {
        guard bytes.count <= Self.fileBytes else { throw EntryProblem("has more than \(Self.fileBytes) bytes") }
        var hasBegun = false
        var translation = locales.count
        var number = 0
        for line in bytes.split(separator: .newline, omittingEmptySubsequences: false) {
            number += 1
            guard let first = line.first(where: { !$0.isBlank }), first != .hash else { continue }
            if first == .opening {
                if hasBegun { return }
                guard line.trimmed.elementsEqual("[Desktop Entry]".utf8) else {
                    throw EntryProblem("does not begin with the group [Desktop Entry]")
                }
                hasBegun = true
                continue
            }
            guard hasBegun else { throw EntryProblem("does not begin with the group [Desktop Entry]") }
            guard let sign = line.firstIndex(of: .equals) else {
                throw EntryProblem("has neither a key nor a comment on line \(number)")
            }
            add(line[..<sign].trimmed, line[line.index(after: sign)...].trimmed, locales, &translation)
        }
        guard hasBegun else { throw EntryProblem("has no group [Desktop Entry]") }
    }

    private static let translatedName = Array("Name[".utf8)

    private mutating func add(
        _ key: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>, _ locales: [String], _ translation: inout Int
    ) {
        // Most lines are translations, and a start waits for the entries of all programs.
        guard key.last != .closing else {
            let locale = key.dropFirst(Self.translatedName.count).dropLast()
            guard translation > 0, key.starts(with: Self.translatedName),
                let rank = locales.firstIndex(where: { $0.utf8.elementsEqual(locale) }), rank < translation
            else { return }
            translation = rank
            values[.name] = Array(value)
            return
        }
        guard let known = Key(rawValue: String(decoding: key, as: UTF8.self)) else { return }
        // A translation takes precedence.
        if known == .name, translation < locales.count { return }
        if values[known] != nil { repeated.insert(known) }
        values[known] = Array(value)
    }

    // MARK: Values

    package func has(_ key: Key) -> Bool { values[key] != nil }

    package func text(_ key: Key) throws(EntryProblem) -> String? {
        guard let value = values[key] else { return nil }
        return try Self.texts(in: value, of: key, isList: false).first ?? ""
    }

    package func list(_ key: Key, atMost most: Int) throws(EntryProblem) -> [String]? {
        guard let value = values[key] else { return nil }
        let texts = try Self.texts(in: value, of: key, isList: true)
        guard texts.count <= most else { throw EntryProblem("lists more than \(most) in \(key.rawValue)") }
        return texts
    }

    /// Older entries write `1`.
    package func flag(_ key: Key) -> Bool {
        values[key].map { value in ["true", "1"].contains { value.elementsEqual($0.utf8) } } ?? false
    }

    package func remarks(on keys: [Key]) -> [String] {
        keys.flatMap { key in
            guard let value = values[key] else { return [String]() }
            var remarks = repeated.contains(key) ? ["has \(key.rawValue) more than once, and the last is used"] : []
            if key.isFlag, !["true", "false"].contains(where: { value.elementsEqual($0.utf8) }) {
                remarks.append("has neither true nor false in \(key.rawValue)")
            }
            if !key.isFlag, !key.isList, let escape = Self.unknownEscape(in: value) {
                remarks.append("has \(escape) in \(key.rawValue), which is not an escape; write a backslash twice")
            }
            return remarks
        }
    }

    private static func unknownEscape(in value: [UInt8]) -> String? {
        var rest = value[...]
        while let byte = rest.popFirst() {
            guard byte == .backslash else { continue }
            guard let next = rest.popFirst() else { return "\\" }
            if next.escaped(inList: false) == nil { return "\\\(Character(UnicodeScalar(next)))" }
        }
        return nil
    }

    /// Semicolons separate items, and may end a list.
    private static func texts(in value: [UInt8], of key: Key, isList: Bool) throws(EntryProblem) -> [String] {
        var texts: [[UInt8]] = [[]]
        var isEscaped = false
        for byte in value {
            if isEscaped {
                isEscaped = false
                guard let meant = byte.escaped(inList: isList) else {
                    guard !isList else {
                        throw EntryProblem(
                            "has \\\(Character(UnicodeScalar(byte))) in \(key.rawValue), which is not a valid escape there"
                        )
                    }
                    // As in GLib. The backslash is often meant for `Exec`.
                    texts[texts.count - 1] += [.backslash, byte]
                    continue
                }
                texts[texts.count - 1].append(meant)
            } else if byte == .backslash {
                isEscaped = true
            } else if isList, byte == .semicolon {
                texts.append([])
            } else {
                texts[texts.count - 1].append(byte)
            }
        }
        guard !isEscaped || !isList else { throw EntryProblem("ends \(key.rawValue) with a backslash") }
        if isList, texts.last?.isEmpty == true { texts.removeLast() }
        return try texts.map { (bytes) throws(EntryProblem) in
            guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
                throw EntryProblem("has bytes in \(key.rawValue) that are not text")
            }
            return text
        }
    }

    // MARK: Locales

    /// The locales of `Name[…]` that this user reads, the best first: `de_AT@euro`, `de_AT`, `de@euro`, `de`. As in
    /// GLib and gettext, `LANGUAGE` overrides the locale's language, unless the locale is C.
    package static func locales(of environment: [String: String]) -> [String] {
        let variables = ["LC_ALL", "LC_MESSAGES", "LANG"]
        let locale = variables.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
        guard !variants(of: locale).isEmpty else { return [] }
        let languages = environment["LANGUAGE"].flatMap { $0.isEmpty ? nil : $0 } ?? locale
        return languages.split(separator: ":").flatMap { variants(of: String($0)) }
    }

    private static func variants(of locale: String) -> [String] {
        let (rest, modifier) = locale.halved(at: "@")
        let (language, country) = rest.halved(at: ".").before.halved(at: "_")
        guard !language.isEmpty, language != "C", language != "POSIX" else { return [] }
        let full = country.isEmpty ? nil : "\(language)_\(country)"
        let modified = modifier.isEmpty ? [] : [full.map { "\($0)@\(modifier)" }, "\(language)@\(modifier)"]
        let plain = [full, language]
        return [modified.first ?? nil, plain[0], modified.last ?? nil, plain[1]].compactMap(\.self)
    }
}

/// Why an entry is ignored: "has no group [Desktop Entry]".
package struct EntryProblem: Error, Hashable, Sendable {
    package let reason: String
    package init(_ reason: String) { self.reason = reason }
}

extension UInt8 {
    fileprivate static let newline = UInt8(ascii: "\n")
    fileprivate static let hash = UInt8(ascii: "#")
    fileprivate static let opening = UInt8(ascii: "[")
    fileprivate static let closing = UInt8(ascii: "]")
    fileprivate static let equals = UInt8(ascii: "=")
    fileprivate static let semicolon = UInt8(ascii: ";")
    fileprivate static let backslash = UInt8(ascii: "\\")

    fileprivate var isBlank: Bool {
        self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") || self == UInt8(ascii: "\r")
    }

    fileprivate func escaped(inList: Bool) -> UInt8? {
        switch self {
        case UInt8(ascii: "s"): UInt8(ascii: " ")
        case UInt8(ascii: "n"): .newline
        case UInt8(ascii: "t"): UInt8(ascii: "\t")
        case UInt8(ascii: "r"): UInt8(ascii: "\r")
        case .backslash: .backslash
        case .semicolon where inList: .semicolon
        default: nil
        }
    }
}

extension ArraySlice<UInt8> {
    fileprivate var trimmed: ArraySlice<UInt8> {
        guard let first = firstIndex(where: { !$0.isBlank }), let last = lastIndex(where: { !$0.isBlank }) else {
            return []
        }
        return self[first...last]
    }
}

extension String {
    fileprivate func halved(at separator: Character) -> (before: String, after: String) {
        guard let index = firstIndex(of: separator) else { return (self, "") }
        return (String(self[..<index]), String(self[self.index(after: index)...]))
    }
}
