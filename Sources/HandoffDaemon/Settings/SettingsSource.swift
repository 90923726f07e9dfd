// SPDX-License-Identifier: Apache-2.0

internal import Configuration
internal import HandoffCore

/// Reads one key from the first provider that has it. A value of the wrong type is an error, while `ConfigReader` would
/// ignore it and use the default.
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
