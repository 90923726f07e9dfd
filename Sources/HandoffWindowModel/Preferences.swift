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
        /// In display order. A switch has no titles.
        let options: [(value: SettingValue, title: Word?)]
    }

    private static let choices = [
        Choice(
            setting: .notifications, title: .notifications,
            options: [
                (.text("always"), .notificationsAlways), (.text("quiet"), .notificationsQuiet),
                (.text("off"), .notificationsOff),
            ]),
        Choice(
            setting: .tray, title: .tray,
            options: [(.text("auto"), .trayAuto), (.text("on"), .trayOn), (.text("off"), .trayOff)]),
        Choice(
            setting: .beacons, title: .beacons, options: [(.flag(true), nil), (.flag(false), nil)]),
    ]

    /// One for each choice. Nil: not set.
    private var values: [Result<SettingValue?, SettingsError>]
    /// An invalid file is not changed here.
    private var problem: String?
    /// Nil if one of them is wrong.
    private var notifications: NotificationSettings?

    init(_ file: ConfigurationFile) {
        values = Self.choices.map { choice in
            Result { () throws(SettingsError) in try file.value(of: choice.setting, choice.setting.key) }
        }
        notifications = try? NotificationSettings(file)
    }

    init(problem: String) {
        values = Self.choices.map { _ in .success(nil) }
        self.problem = problem
    }

    /// Nil if that cannot be changed here.
    func notifies(of device: DeviceSummary) -> Bool? {
        guard !device.isThisDevice else { return nil }
        return notifications.map { $0.level(ofDevice: device.device, named: device.name) != .off }
    }

    // MARK: Text

    package func problem(_ strings: LocalizedStrings) -> String? { problem.map { strings(.settingsUnreadable, $0) } }

    package func lines(_ strings: LocalizedStrings) -> [ChoiceLine] {
        zip(Self.choices, values).map { choice, value in line(choice, value, strings) }
    }

    private func line(
        _ choice: Choice, _ value: Result<SettingValue?, SettingsError>, _ strings: LocalizedStrings
    ) -> ChoiceLine {
        var details = ""
        var selected: Int?
        switch value {
        case .success(let value):
            let shown = value?.description ?? choice.setting.standard
            selected = choice.options.firstIndex { $0.value.description == shown }
        case .failure(let error): details = strings(.settingWrong, error.description)
        }
        return ChoiceLine(
            key: choice.setting.key, title: strings[choice.title], details: details,
            titles: choice.options.map { $0.title.map { strings[$0] } ?? "" }, values: choice.options.map(\.value),
            selected: problem == nil ? selected : nil, isChangeable: problem == nil)
    }
}

package struct ChoiceLine: Hashable, Sendable {
    package var key: String
    package var title: String
    package var details: String
    package var titles: [String]
    var values: [SettingValue]
    /// Nil if the file's value is not among these.
    package var selected: Int?
    package var isChangeable: Bool

    /// The values are on and off.
    package var isSwitch: Bool { values == [.flag(true), .flag(false)] }

    package func chose(_ index: Int) -> SettingValue? {
        guard isChangeable, titles.indices.contains(index), index != selected else { return nil }
        return values[index]
    }
}

extension ChoiceLine: Switchable {
    package var isOn: Bool { selected == 0 }
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
    func set(_ key: String, to value: SettingValue) -> String? { change { $0.set(key, to: value) } }

    /// The same. Without the general level, the device's own rule is gone afterwards.
    func setNotifications(of device: DeviceSummary, on: Bool) -> String? {
        func level(_ file: ConfigurationFile) -> (key: String, isOn: Bool)? {
            (try? NotificationSettings(file)).map {
                (
                    $0.key(ofDevice: device.device, named: device.name),
                    $0.level(ofDevice: device.device, named: device.name) != .off
                )
            }
        }
        return change { file in
            if on, let key = level(file)?.key { _ = file.unset(key) }
            guard let (key, isOn) = level(file), isOn != on else { return }
            let level = on ? NotificationLevel.quiet : .off
            file.set(key, to: .text(level.rawValue))
        }
    }

    private func change(_ change: (inout ConfigurationFile) -> Void) -> String? {
        do {
            try UserFile(path: path).change(limit: ConfigurationFile.limit) { bytes in
                ConfigurationFile.changed(bytes, path: path, change)
            }.get()
            return nil
        } catch {
            return "\(error)"
        }
    }
}
