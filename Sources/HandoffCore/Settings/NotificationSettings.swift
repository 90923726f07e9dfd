// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

package enum NotificationLevel: String, CaseIterable, Sendable, Comparable {
    case off
    /// Silent, and not kept among missed notifications.
    case quiet
    case always

    package static let standard = NotificationLevel.quiet

    package static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .off: 0
        case .quiet: 1
        case .always: 2
        }
    }
}

package struct NotificationSettings: Hashable, Sendable {
    /// An ID's first group, which identifies a device.
    static let idCharacters = 7

    package var level = NotificationLevel.standard
    /// By name or the beginning of an ID; lower case.
    private var devices: [String: NotificationLevel] = [:]
    /// By bundle identifier or name; lower case.
    private var apps: [String: NotificationLevel] = [:]

    package init(level: NotificationLevel = .standard) { self.level = level }

    package init(_ file: ConfigurationFile) throws(SettingsError) {
        for (setting, key, value) in try file.settings() {
            guard case .text(let word) = value, let level = NotificationLevel(rawValue: word) else { continue }
            switch setting {
            case .notifications: self.level = level
            case .notificationsOfDevice: set(level, device: String(key.dropFirst(setting.key.count + 1)))
            case .notificationsOfApp: set(level, app: String(key.dropFirst(setting.key.count + 1)))
            default: continue
            }
        }
    }

    package mutating func set(_ level: NotificationLevel, device: String) { devices[device.lowercased()] = level }
    package mutating func set(_ level: NotificationLevel, app: String) { apps[app.lowercased()] = level }

    /// From the rule that applies, else from a rule for its id.
    package func key(ofDevice device: DeviceID, named name: DisplayText) -> String {
        let rule = rule(ofDevice: device, named: name)?.key
        return "\(Setting.notificationsOfDevice.key)."
            + (rule ?? String(device.description.lowercased().prefix(Self.idCharacters)))
    }

    package func level(ofDevice device: DeviceID, named name: DisplayText) -> NotificationLevel {
        rule(ofDevice: device, named: name)?.value ?? level
    }

    private func rule(
        ofDevice device: DeviceID, named name: DisplayText
    ) -> (key: String, value: NotificationLevel)? {
        guard !devices.isEmpty else { return nil }
        let name = name.text.lowercased()
        if let level = devices[name] { return (name, level) }
        let id = device.description.lowercased()
        return devices.filter { $0.key.count >= Self.idCharacters && id.hasPrefix($0.key) }.min { $0.value < $1.value }
            .map { ($0.key, $0.value) }
    }

    /// The quieter of device and app, else the general level.
    package func level(for activity: ListedActivity) -> NotificationLevel {
        let device = rule(ofDevice: activity.device, named: activity.deviceName)?.value
        return [device, appLevel(of: activity)].compactMap(\.self).min() ?? level
    }

    private func appLevel(of activity: ListedActivity) -> NotificationLevel? {
        guard !apps.isEmpty else { return nil }
        var names = [activity.offer.appName.text, activity.targetName.text]
        if let bundle = activity.offer.bundle { names.append(bundle.name) }
        if case .app(let bundle) = activity.target { names.append(bundle.name) }
        return names.compactMap { apps[$0.lowercased()] }.min()
    }
}
