// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// One setting: what it is called, what it takes, what it does. Help, manual, schema and lists are made of these, and
/// whoever reads or writes one has it checked here.
package struct Setting: Hashable, Sendable {
    package enum Form: Hashable, Sendable {
        case name
        case choice([String])
        case trueOrFalse
        case time
        case address
        case addresses
    }

    /// When a change of the file counts.
    package enum Effect: Hashable, Sendable {
        case atOnce
        /// handoffd reads it then.
        case atItsStart
        /// handoff-bus reads it then.
        case atTheDesktopsStart
    }

    /// In the file: `logLevel`. Of a family what each of its keys begins with.
    package let key: String
    /// handoffd takes it as a flag, `--log-level`, and as an environment variable too. Nil: in the file alone.
    package let flag: String?
    /// `LEVEL`
    package let takes: String
    package let does: String
    /// What holds where nobody set it; nil where that is nothing, or depends.
    package let standard: String?
    package let form: Form
    package let effect: Effect
    /// Of a family: what follows the key and a dot.
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

    /// As one types it: `notifications.device.NAME`.
    package var shownKey: String { member.map { "\(key).\($0)" } ?? key }
}

/// What a setting is set to, in the shapes that the file has.
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
    /// Of words that somebody typed. Throws as `check` does.
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

    /// Throws what it should be, under `name` where that is another than the key.
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

    /// In a sentence: "is not …".
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
    /// `a, b or c`
    fileprivate var orList: String {
        count < 2 ? joined() : dropLast().joined(separator: ", ") + " or " + self[count - 1]
    }
}

/// A setting that cannot be used: which, what it was, what it should be.
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
