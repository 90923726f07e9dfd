// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
internal import HandoffSystem
package import HandoffWire

/// Small enough for the main thread.
package struct PreferencesFile {
    private let path: String

    package init(_ locations: Locations) { path = locations.configurationFile }

    package func read() -> Preferences {
        do {
            let bytes = try UserFile(path: path).read(limit: ConfigurationFile.limit)
            return Preferences(try ConfigurationFile(bytes, path: path))
        } catch {
            return Preferences(problem: "\(error)")
        }
    }

    /// On disk when this returns. Returns an error message, or nil.
    package func set(_ key: String, to value: SettingValue) -> String? {
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
