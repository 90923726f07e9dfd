// SPDX-License-Identifier: Apache-2.0

import Configuration
import HandoffCore
import HandoffWire

/// Reads one key from the first provider that has it. `ConfigReader` would ignore a value of the wrong type.
struct SettingsSource {
    let providers: [any ConfigProvider]

    func text(_ setting: Setting) throws -> String? {
        guard case .text(let text)? = try value(of: setting) else { return nil }
        return text
    }

    func flag(_ setting: Setting) throws -> Bool? {
        guard case .flag(let flag)? = try value(of: setting) else { return nil }
        return flag
    }

    func texts(_ setting: Setting) throws -> [String] {
        guard case .texts(let texts)? = try value(of: setting) else { return [] }
        return texts
    }

    /// For each setting of a provider: `flagLogLevel`. Without invalid values, which another provider overrides.
    func facts(_ prefix: String) -> [Fact] {
        Setting.all.filter { $0.flag != nil }.compactMap { setting in
            guard let value = (try? value(of: setting)) ?? nil else { return nil }
            let name = prefix + setting.key.prefix(1).uppercased() + setting.key.dropFirst()
            return Fact(name, .text(DisplayText(cleaning: value.description)))
        }
    }

    private func value(of setting: Setting) throws -> SettingValue? {
        let type: ConfigType =
            switch setting.form {
            case .trueOrFalse: .bool
            case .addresses: .stringArray
            case .name, .choice, .time, .address: .string
            }
        let value: SettingValue
        switch try content(setting.key, type, expected: setting.expected) {
        case nil: return nil
        case .string(let text)?: value = .text(text)
        case .bool(let flag)?: value = .flag(flag)
        case .stringArray(let texts)?: value = .texts(texts)
        default: throw SettingsError(key: setting.key, value: "", expected: setting.expected)
        }
        try setting.check(value, as: setting.flag)
        return value
    }

    private func content(_ key: String, _ type: ConfigType, expected: String) throws -> ConfigContent? {
        for provider in providers {
            do {
                if let found = try provider.value(forKey: AbsoluteConfigKey([key]), type: type).value {
                    return found.content
                }
            } catch {
                let raw = try? provider.value(forKey: AbsoluteConfigKey([key]), type: .string).value
                var value = ""
                if case .string(let text)? = raw?.content { value = text }
                throw SettingsError(key: key, value: value, expected: expected)
            }
        }
        return nil
    }
}

/// swift-configuration's own JSON needs all of Foundation, whose language tables would be most of the program:
/// docs/decisions/0026.
struct SettingsFile: FileConfigSnapshot {
    struct ParsingOptions: FileParsingOptions {
        static let `default` = ParsingOptions()
    }

    private struct Unusable: Error, CustomStringConvertible { let description: String }

    let providerName: String
    private let values: [ExactText: JSONTree]

    init(data: RawSpan, providerName: String, parsingOptions: ParsingOptions) throws {
        self.providerName = providerName
        switch try JSONReader.read(data.withUnsafeBytes { Array($0) }) {
        case .object(let members):
            values = Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        case .ambiguous(let slip): throw Unusable(description: slip)
        default: throw Unusable(description: "the file holds another kind of value")
        }
    }

    /// No setting has another type.
    func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
        let name = key.components.joined(separator: ".")
        guard let value = values[ExactText(name)] else { return LookupResult(encodedKey: name, value: nil) }
        let content: ConfigContent? =
            switch (type, value) {
            case (.string, .string(let text)): .string(text)
            case (.bool, .boolean(let flag)): .bool(flag)
            case (.stringArray, .list(let items)): Self.texts(of: items).map { .stringArray($0) }
            default: nil
            }
        guard let content else { throw Unusable(description: "\(name) has a value of another type") }
        return LookupResult(encodedKey: name, value: ConfigValue(content, isSecret: false))
    }

    private static func texts(of items: [JSONTree]) -> [String]? {
        var texts: [String] = []
        for item in items {
            guard case .string(let text) = item else { return nil }
            texts.append(text)
        }
        return texts
    }

    var description: String { "\(providerName)[\(values.count) values]" }
    var debugDescription: String { description }
}
