// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// For help, manual, schema and lists.
package struct Setting: Hashable, Sendable {
    package enum Form: Hashable, Sendable {
        case name
        case choice([String])
        case trueOrFalse
        case time
        case address
        case addresses
    }

    package enum Effect: Hashable, Sendable {
        case atOnce
        case atItsStart
    }

    /// In the file: `logLevel`. For a family of keys, their common prefix.
    package let key: String
    /// For handoffd: `log-level`; also an environment variable. Nil: only in the file.
    package let flag: String?
    package let takes: String
    package let does: String
    /// Nil: none, or it depends on the device.
    package let standard: String?
    package let form: Form
    package let effect: Effect
    /// For a family: the placeholder after the key and a dot.
    package let member: String?

    init(
        _ key: String, flag: String? = nil, _ takes: String, _ form: Form, standard: String? = nil,
        effect: Effect = .atItsStart, member: String? = nil, _ does: String
    ) {
        self.key = key
        self.flag = flag
        self.takes = takes
        self.form = form
        self.standard = standard
        self.effect = effect
        self.member = member
        self.does = does
    }

    package var shownKey: String { member.map { "\(key).\($0)" } ?? key }
}

package enum SettingValue: Hashable, Sendable, CustomStringConvertible {
    case text(String)
    case flag(Bool)
    case texts([String])

    package var description: String {
        switch self {
        case .text(let text): text
        case .flag(let flag): flag ? "true" : "false"
        case .texts(let texts): texts.joined(separator: " ")
        }
    }

    package init?(_ json: JSONTree?) {
        switch json {
        case .string(let text)?: self = .text(text)
        case .boolean(let flag)?: self = .flag(flag)
        case .list(let items)?:
            var texts: [String] = []
            for item in items {
                guard case .string(let text) = item else { return nil }
                texts.append(text)
            }
            self = .texts(texts)
        default: return nil
        }
    }

    package var json: JSONTree {
        switch self {
        case .text(let text): .string(text)
        case .flag(let flag): .boolean(flag)
        case .texts(let texts): .list(texts.map(JSONTree.string))
        }
    }
}

extension Setting {
    /// Throws as `check` does.
    package func value(typed words: [String], as name: String? = nil) throws(SettingsError) -> SettingValue {
        let value: SettingValue
        switch (form, words.first) {
        case (.addresses, _): value = .texts(words)
        case (.trueOrFalse, "true"?) where words.count == 1: value = .flag(true)
        case (.trueOrFalse, "false"?) where words.count == 1: value = .flag(false)
        case (_, let word?) where words.count == 1: value = .text(word)
        default:
            throw SettingsError(key: name ?? key, value: words.joined(separator: " "), expected: expected)
        }
        try check(value, as: name)
        return value
    }

    /// The error uses `name`, or else the key.
    package func check(_ value: SettingValue, as name: String? = nil) throws(SettingsError) {
        guard !isGood(value) else { return }
        throw SettingsError(key: name ?? key, value: value.description, expected: expected)
    }

    private func isGood(_ value: SettingValue) -> Bool {
        switch (form, value) {
        case (.name, .text(let text)): !DisplayText(cleaning: text, limit: Limits.nameCharacters).isEmpty
        case (.choice(let words), .text(let text)): words.contains(text)
        case (.trueOrFalse, .flag): true
        case (.time, .text(let text)): Duration(text: text) != nil
        case (.address, .text(let text)): NetworkAddress(text) != nil
        case (.addresses, .texts(let texts)): texts.allSatisfy { NetworkAddress($0) != nil }
        default: false
        }
    }

    package var expected: String {
        switch form {
        case .name: "a name that can be shown"
        case .choice(let words): words.orList
        case .trueOrFalse: "true or false"
        case .time: "a time like 90s, 10min, 2h or 1d, or 0"
        case .address: "HOST:PORT"
        case .addresses: "addresses, each HOST:PORT"
        }
    }
}

extension [String] {
    fileprivate var orList: String {
        count < 2 ? joined() : dropLast().joined(separator: ", ") + " or " + self[count - 1]
    }
}

package struct SettingsError: Error, Hashable, Sendable, CustomStringConvertible {
    package let key: String
    package let value: String
    package let expected: String

    package init(key: String, value: String, expected: String) {
        self.key = key
        self.value = value
        self.expected = expected
    }

    package var description: String {
        value.isEmpty ? "\(key): expected \(expected)" : "\(key): \"\(value)\" is not \(expected)"
    }
}

/// From another version, or a typing error.
package struct UnknownSetting: Hashable, Sendable, CustomStringConvertible {
    package let key: String
    package let meant: String?

    package init(_ key: String) {
        self.key = key
        // Perhaps a flag of handoffd, which is spelled differently in the file.
        meant =
            Setting.find(key)?.key
            ?? NearestName.to(
                key, in: Setting.all.flatMap { [$0.shownKey] + ($0.flag.map { [$0] } ?? []) })
    }

    package var description: String {
        "unknown setting \"\(key)\"" + (meant.map { "; did you mean \($0)?" } ?? "")
    }
}

package enum NearestName {
    /// In characters. The time is proportional to the product of both lengths.
    static let longest = 64

    /// Allows one typing error per three characters.
    package static func to(_ word: String, in names: [String]) -> String? {
        let letters = Array(word.prefix(longest + 1))
        guard letters.count <= longest else { return nil }
        return names.map { (name: $0, slips: slips(letters, Array($0))) }
            .filter { $0.slips * 3 <= max($0.name.count, letters.count) }
            .min { $0.slips < $1.slips }?.name
    }

    static func slips(_ word: [Character], _ name: [Character]) -> Int {
        var before = [Int](), row = Array(0...name.count)
        for i in word.indices {
            var next = [i + 1]
            for j in name.indices {
                let isSame = word[i] == name[j]
                var least = min(row[j] + (isSame ? 0 : 1), row[j + 1] + 1, next[j] + 1)
                if i > 0, j > 0, word[i] == name[j - 1], word[i - 1] == name[j] {
                    least = min(least, before[j - 1] + 1)
                }
                next.append(least)
            }
            (before, row) = (row, next)
        }
        return row[name.count]
    }
}
