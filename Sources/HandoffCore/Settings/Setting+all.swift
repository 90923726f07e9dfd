// SPDX-License-Identifier: Apache-2.0

import HandoffWire

extension Setting {
    package static let listen = Setting(
        "listen", flag: "listen", "HOST:PORT", .address,
        "accept sessions from other devices here (default: every interface, port 47474 or a free one)")
    package static let peer = Setting(
        "peer", flag: "peer", "HOST:PORT", .addresses, "also dial this device; may be given several times")
    package static let name = Setting(
        "name", flag: "name", "NAME", .name, "the name of this device on other devices (default: the machine's name)")
    package static let kind = Setting(
        "kind", flag: "kind", "KIND", .choice(DeviceKind.allCases.filter { $0 != .unspecified }.map { "\($0)" }),
        "desktop, laptop, tablet, phone or server")
    package static let beacons = Setting(
        "beacons", flag: "beacons", "true|false", .trueOrFalse, standard: "true", effect: .atOnce,
        "find devices by beacons on the local network (default true)")
    package static let loopback = Setting(
        "loopback", flag: "loopback", "true|false", .trueOrFalse, standard: "false",
        "also send beacons on the loopback interface (default false)")
    package static let keep = Setting(
        "keep", flag: "keep", "TIME", .time, standard: "10min",
        "how long to offer activities of an app that has quit: 90s, 10min, 2h or 1d; 0: not at all (default 10min)")
    package static let expiry = Setting(
        "expiry", flag: "expiry", "TIME", .time, standard: "24h",
        "withdraw an activity without an expiration date that its app has not updated for this long; 0: never "
            + "(default 24h)")
    package static let history = Setting(
        "history", flag: "history", "TIME", .time, standard: "30d",
        "how long to keep what apps let you find again, after its last use; 0: keep nothing (default 30d)")
    package static let webDeveloper = Setting(
        "webDeveloper", flag: "web-developer", "true|false", .trueOrFalse, standard: "false",
        "accept claims with mode=developer, whose web sites may be on private networks (default false)")
    package static let logLevel = Setting(
        "logLevel", flag: "log-level", "LEVEL",
        .choice(["trace", "debug", "info", "notice", "warning", "error", "critical"]), standard: "info",
        "trace, debug, info, notice, warning, error or critical (default info)")

    private static let levels = Form.choice(NotificationLevel.allCases.map(\.rawValue))

    package static let notifications = Setting(
        "notifications", "LEVEL", levels, standard: NotificationLevel.standard.rawValue, effect: .atOnce,
        "notifications of other devices' activities: always, quiet or off (default \(NotificationLevel.standard.rawValue))"
    )
    static let notificationsOfDevice = Setting(
        "notifications.device", "LEVEL", levels, effect: .atOnce, member: "DEVICE",
        "the same for one device, by its name or the beginning of its id")
    static let notificationsOfApp = Setting(
        "notifications.app", "LEVEL", levels, effect: .atOnce, member: "APP",
        "the same for one app, by its bundle identifier or its name; the quieter of a device's and an app's setting applies"
    )

    package static let tray = Setting(
        "tray", "auto|on|off", .choice(["auto", "on", "off"]), standard: "auto", effect: .atOnce,
        "the icon in the tray: auto (if the desktop shows tray icons), on (if any tray is available) or off "
            + "(default auto)")

    package static let sandboxedPrograms = Setting(
        "sandboxedPrograms", "participate|control", .choice(["participate", "control"]), standard: "participate",
        effect: .atOnce,
        "what programs in a Flatpak or Snap may do over D-Bus: take part, or also see, continue and send all "
            + "activities (default participate)")

    /// In display order. Without `--root`, because its folder contains the file.
    package static let all = [
        listen, peer, name, kind, beacons, loopback, keep, expiry, history, webDeveloper, logLevel,
        notifications, notificationsOfDevice, notificationsOfApp, tray, sandboxedPrograms,
    ]

    package static func find(_ typed: String) -> (setting: Setting, key: String)? {
        for setting in all {
            guard setting.member != nil else {
                if typed == setting.key || typed == setting.flag { return (setting, setting.key) }
                continue
            }
            let prefix = setting.key + "."
            let member = typed.dropFirst(prefix.count)
            // Compares names as shown, so a name that cannot be shown would never match.
            if typed.hasPrefix(prefix), DisplayText(cleaning: String(member)).text == member, !member.isEmpty {
                return (setting, typed)
            }
        }
        return nil
    }
}

extension Setting {
    static var schema: String {
        func lines(_ settings: [Setting], _ key: (Setting) -> String) -> String {
            settings
                .map { "    \(JSONTree.string(key($0)).text): \(JSONTree.object($0.schemaMembers).text)" }
                .joined(separator: ",\n")
        }
        let families = all.filter { $0.member != nil }
        return """
            {
              "$schema": "http://json-schema.org/draft-07/schema#",
              "title": "config.json of Handoff",
              "type": "object",
              "properties": {
            \(lines(all.filter { $0.member == nil }, \.key))
              },
              "patternProperties": {
            \(lines(families) { "^" + $0.key.split(separator: ".").joined(separator: "\\.") + "\\..+$" })
              }
            }

            """
    }

    private var schemaMembers: [JSONTree.Member] {
        let shape: [JSONTree.Member] =
            switch form {
            case .name, .address: [.init(key: "type", value: .string("string"))]
            case .choice(let words): [.init(key: "enum", value: .list(words.map(JSONTree.string)))]
            case .trueOrFalse: [.init(key: "type", value: .string("boolean"))]
            case .time:
                [
                    .init(key: "type", value: .string("string")),
                    .init(key: "pattern", value: .string("^(0|[0-9]{1,5}(s|m|min|h|d))$")),
                ]
            case .addresses:
                [
                    .init(key: "type", value: .string("array")),
                    .init(key: "items", value: .object([.init(key: "type", value: .string("string"))])),
                ]
            }
        return [.init(key: "description", value: .string(does))] + shape
    }
}
