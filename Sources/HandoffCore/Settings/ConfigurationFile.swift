// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

/// Changing a setting leaves the rest of config.json unchanged.
package struct ConfigurationFile: Sendable {
    /// In bytes. Suffices for a rule for every device and app of a person.
    package static let limit = 256 * 1024

    private var text: JSONObjectText

    /// `bytes` nil: the file is missing. Throws unless they are a JSON object with unique keys: an invalid file must
    /// not be overwritten.
    package init(_ bytes: [UInt8]?, path: String) throws(SettingsError) {
        guard let bytes, !bytes.isEmpty else {
            text = .empty
            return
        }
        let found: JSONObjectText?
        do throws(JSONSlip) {
            found = try JSONObjectText(bytes)
        } catch {
            throw SettingsError(key: path, value: "", expected: "a JSON object without comments: \(error)")
        }
        guard let found else {
            throw SettingsError(key: path, value: "", expected: "one JSON object with each key once")
        }
        text = found
    }

    package var bytes: [UInt8] { text.bytes }

    package static func changed(
        _ bytes: [UInt8]?, path: String, _ change: (inout ConfigurationFile) -> Void
    ) -> Result<[UInt8]?, SettingsError> {
        Result { () throws(SettingsError) -> [UInt8]? in
            var file = try ConfigurationFile(bytes, path: path)
            let before = file.bytes
            change(&file)
            return file.bytes == before ? nil : file.bytes
        }
    }

    /// In the order of the text. Throws if a value is invalid.
    package func settings() throws(SettingsError) -> [(setting: Setting, key: String, value: SettingValue)] {
        var found: [(setting: Setting, key: String, value: SettingValue)] = []
        for (key, json) in text.values {
            guard let (setting, known) = Setting.find(key), known == key else { continue }
            found.append((setting, key, try Self.value(json, of: setting, key)))
        }
        return found
    }

    package func value(of setting: Setting, _ key: String) throws(SettingsError) -> SettingValue? {
        try text.value(of: key).map { json throws(SettingsError) in try Self.value(json, of: setting, key) }
    }

    private static func value(
        _ json: JSONTree, of setting: Setting, _ key: String
    ) throws(SettingsError) -> SettingValue {
        guard let value = SettingValue(json) else {
            throw SettingsError(key: key, value: json.text, expected: setting.expected)
        }
        try setting.check(value, as: key)
        return value
    }

    package var unknownSettings: [UnknownSetting] {
        text.keys.filter { Setting.find($0)?.key != $0 }.map { UnknownSetting($0) }
    }

    package mutating func set(_ key: String, to value: SettingValue) { text.set(key, to: value.json) }

    package mutating func unset(_ key: String) -> Bool {
        guard text.value(of: key) != nil else { return false }
        text.remove(key)
        return true
    }
}
