// SPDX-License-Identifier: Apache-2.0

import HandoffCore
internal import HandoffSystem
import HandoffWire

/// Small enough for the main thread.
struct PreferencesFile {
    private let path: String

    init(_ locations: Locations) { path = locations.configurationFile }

    func read() -> Preferences {
        do {
            let bytes = try UserFile(path: path).read(limit: ConfigurationFile.limit)
            return Preferences(try ConfigurationFile(bytes, path: path))
        } catch {
            return Preferences(problem: "\(error)")
        }
    }

    /// On disk when this returns. Returns an error message, or nil.
    func set(_ key: String, to value: SettingValue) -> String? {
        do {
            try UserFile(path: path).change(limit: ConfigurationFile.limit) { bytes in
                ConfigurationFile.changed(bytes, path: path) { $0.set(key, to: value) }
            }.get()
            return nil
        } catch {
            return "\(error)"
        }
    }
}
