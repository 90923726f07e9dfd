// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffStrings
import HandoffSystem
import HandoffWire

/// `handoff config` has the others.
package struct Preferences: Hashable, Sendable {
    private struct Choice: Sendable {
        let setting: Setting
        let title: Word
        var details: Word?
        /// In display order.
        let options: [(value: SettingValue, title: Word)]
    }

    private static let choices = [
        Choice(
            setting: .notifications, title: .notifications, details: .notificationsDetail,
            options: [
                (.text("always"), .notificationsAlways), (.text("quiet"), .notificationsQuiet),
                (.text("off"), .notificationsOff),
            ]),
        Choice(
            setting: .tray, title: .tray, details: .trayDetail,
            options: [(.text("auto"), .automatic), (.text("on"), .trayOn), (.text("off"), .trayOff)]),
        Choice(
            setting: .beacons, title: .beacons, options: [(.flag(true), .beaconsOn), (.flag(false), .beaconsOff)]),
    ]

    /// One for each choice. Nil: not set.
    private var values: [Result<SettingValue?, SettingsError>]
    /// The file is invalid, so it is not changed here.
    private var problem: String?

    init(_ file: ConfigurationFile) {
        values = Self.choices.map { choice in
            Result { () throws(SettingsError) in try file.value(of: choice.setting, choice.setting.key) }
        }
    }

    init(problem: String) {
        values = Self.choices.map { _ in .success(nil) }
        self.problem = problem
    }

    // MARK: Text

    package func problem(_ strings: LocalizedStrings) -> String? { problem.map { strings(.settingsUnreadable, $0) } }

    package func lines(_ strings: LocalizedStrings) -> [ChoiceLine] {
        zip(Self.choices, values).map { choice, value in line(choice, value, strings) }
    }

    private func line(
        _ choice: Choice, _ value: Result<SettingValue?, SettingsError>, _ strings: LocalizedStrings
    ) -> ChoiceLine {
        var details = [choice.details, choice.setting.effect == .atOnce ? nil : .atNextLogIn].compactMap { $0 }
            .map { strings[$0] }
        var selected: Int?
        switch value {
        case .success(let value):
            let shown = value?.description ?? choice.setting.standard
            selected = choice.options.firstIndex { $0.value.description == shown }
        case .failure(let error): details = [strings(.settingWrong, error.description)]
        }
        return ChoiceLine(
            key: choice.setting.key, title: strings[choice.title], details: details.joined(separator: " "),
            titles: choice.options.map { strings[$0.title] }, values: choice.options.map(\.value),
            selected: problem == nil ? selected : nil, isChangeable: problem == nil)
    }
}

package struct ChoiceLine: Hashable, Sendable {
    package var key: String
    package var title: String
    package var details: String
    package var titles: [String]
    var values: [SettingValue]
    /// Nil if the file has none of these values.
    package var selected: Int?
    package var isChangeable: Bool

    package func chose(_ index: Int) -> SettingValue? {
        guard isChangeable, titles.indices.contains(index), index != selected else { return nil }
        return values[index]
    }
}

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
