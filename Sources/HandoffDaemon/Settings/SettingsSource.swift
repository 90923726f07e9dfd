// SPDX-License-Identifier: Apache-2.0

internal import Configuration
internal import HandoffCore

/// Reads one key from the first provider that has it. A value of the wrong type is an error there and then, where
/// `ConfigReader` would pass it over and take the default.
struct SettingsSource {
    let providers: [any ConfigProvider]

    func string(_ key: String) throws -> String? {
        guard case .string(let value)? = try content(key, .string, expected: "a text") else { return nil }
        return value
    }

    func bool(_ key: String) throws -> Bool? {
        guard case .bool(let value)? = try content(key, .bool, expected: "true or false") else { return nil }
        return value
    }

    func duration(_ key: String) throws -> Duration? {
        try string(key).map { value in
            guard let duration = Duration(text: value) else {
                throw SettingsError(key: key, value: value, expected: "a time like 90s, 10min, 2h or 1d, or 0")
            }
            return duration
        }
    }

    func address(_ key: String) throws -> NetworkAddress? { try string(key).map { try parse($0, key) } }

    func addresses(_ key: String) throws -> [NetworkAddress] {
        guard case .stringArray(let values)? = try content(key, .stringArray, expected: "addresses") else { return [] }
        return try values.map { try parse($0, key) }
    }

    private func parse(_ value: String, _ key: String) throws -> NetworkAddress {
        guard let address = NetworkAddress(value) else {
            throw SettingsError(key: key, value: value, expected: "HOST:PORT")
        }
        return address
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
