// SPDX-License-Identifier: Apache-2.0

internal import Configuration
package import HandoffCore
package import HandoffWire
package import Logging
internal import SystemPackage

/// How this daemon runs. Each setting is a flag (`--listen`), else an environment variable (`HANDOFF_LISTEN`), else a key
/// of the configuration file (`"listen"`), else its default.
package struct Settings: Hashable, Sendable {
    /// Where sessions from other devices are accepted. Nil: on all interfaces, the usual port if it is free.
    package var listen: NetworkAddress?
    /// Devices to dial besides those found by beacons, for networks that drop multicast.
    package var peers: [NetworkAddress] = []
    /// What other devices call this one. Default: the host name.
    package var name: DisplayText
    /// Decides the picture that others show.
    package var kind = DeviceKind.unspecified
    /// Send and hear beacons at all.
    package var beacons = true
    /// Beacons on the loopback interface too: for two devices on one machine.
    package var loopback = false
    /// The activity of an app that quit can still be continued for so long; zero: not at all.
    package var keep = BoardLimits().keep
    /// An activity without an expiration date goes when nothing was heard of it for so long; zero: never.
    package var expiry = BoardLimits().expiry
    /// Claims of web sites that are being made count too, and those sites may be on this machine and private networks.
    package var webDeveloper = false
    package var logLevel = Logger.Level.info

    package init(name: DisplayText) { self.name = name }

    /// Every setting: key, what it takes, what it does. Help text and documentation come from here.
    package static let manual: [(key: String, takes: String, does: String)] = [
        ("root", "DIR", "keep state, configuration, apps and socket under this folder: a second device on one machine"),
        (
            "listen", "HOST:PORT",
            "accept sessions from other devices here (default: every interface, port 47474 or a free one)"
        ),
        ("peer", "HOST:PORT", "dial this device too; may be given several times"),
        ("name", "NAME", "what other devices call this one (default: the host name)"),
        ("kind", "KIND", "desktop, laptop, tablet, phone or server"),
        ("beacons", "true|false", "find devices by beacons on the local network (default true)"),
        ("loopback", "true|false", "send beacons on the loopback interface too (default false)"),
        (
            "keep", "TIME",
            "go on offering what an app that quit had saved, for 90s, 10min, 2h or 1d; 0: not at all (default 10min)"
        ),
        (
            "expiry", "TIME",
            "withdraw an activity without an expiration date that its app says nothing of for so long; 0: never "
                + "(default 24h)"
        ),
        (
            "web-developer", "true|false",
            "let claims with mode=developer count, whose web sites may be on private networks (default false)"
        ),
        ("log-level", "LEVEL", "trace, debug, info, notice, warning, error or critical (default info)"),
    ]

    /// Reads them. `file` is the configuration file, which may be missing. Throws `SettingsError`.
    package static func read(
        arguments: [String], environment: [String: String], file: String, hostName: String
    ) async throws -> Settings {
        try refuseUnknownFlags(arguments)
        let json: FileProvider<SettingsFile>
        do {
            json = try await FileProvider<SettingsFile>(filePath: FilePath(file), allowMissing: true)
        } catch {
            throw SettingsError(key: file, value: "", expected: "a JSON object; it could not be read: \(error)")
        }
        let source = SettingsSource(providers: [
            CommandLineArgumentsProvider(arguments: arguments),
            EnvironmentVariablesProvider(environmentVariables: environment).prefixKeys(with: "handoff"),
            json,
        ])
        var settings = Settings(name: DisplayText(cleaning: hostName, limit: Limits.nameCharacters))
        settings.listen = try source.address("listen")
        settings.peers = try source.addresses("peer")
        if let name = try source.string("name") {
            settings.name = DisplayText(cleaning: name, limit: Limits.nameCharacters)
            guard !settings.name.isEmpty else {
                throw SettingsError(key: "name", value: name, expected: "a name that can be shown")
            }
        }
        if let kind = try source.string("kind") {
            guard let known = DeviceKind.allCases.first(where: { "\($0)" == kind && $0 != .unspecified }) else {
                throw SettingsError(key: "kind", value: kind, expected: "desktop, laptop, tablet, phone or server")
            }
            settings.kind = known
        }
        settings.beacons = try source.bool("beacons") ?? settings.beacons
        settings.loopback = try source.bool("loopback") ?? settings.loopback
        settings.keep = try source.duration("keep") ?? settings.keep
        settings.expiry = try source.duration("expiry") ?? settings.expiry
        settings.webDeveloper = try source.bool("webDeveloper") ?? settings.webDeveloper
        if let level = try source.string("logLevel") {
            guard let known = Logger.Level(rawValue: level) else {
                throw SettingsError(
                    key: "log-level", value: level, expected: "trace, debug, info, notice, warning, error or critical")
            }
            settings.logLevel = known
        }
        return settings
    }

    package var boardLimits: BoardLimits {
        var limits = BoardLimits()
        limits.keep = keep
        limits.expiry = expiry
        return limits
    }

    /// The root folder that the flags ask for, as it is given, before anything else is read.
    package static func root(in arguments: [String]) throws(SettingsError) -> String? {
        guard let index = arguments.lastIndex(where: { $0 == "--root" || $0.hasPrefix("--root=") }) else { return nil }
        let flag = arguments[index]
        let value =
            flag == "--root"
            ? (index + 1 < arguments.count ? arguments[index + 1] : "") : String(flag.dropFirst("--root=".count))
        guard !value.isEmpty, !value.hasPrefix("--") else {
            throw SettingsError(key: "root", value: value, expected: "a folder")
        }
        return value
    }

    private static func refuseUnknownFlags(_ arguments: [String]) throws {
        for argument in arguments.dropFirst() where argument.hasPrefix("-") {
            let key = argument.drop { $0 == "-" }.prefix { $0 != "=" }
            guard argument.hasPrefix("--"), manual.contains(where: { $0.key == key }) else {
                throw SettingsError(key: argument, value: "", expected: "one of the flags that --help lists")
            }
        }
    }
}

/// A setting that cannot be used: which, what it was, what it should be.
package struct SettingsError: Error, Hashable, Sendable, CustomStringConvertible {
    package let key: String
    package let value: String
    package let expected: String

    package var description: String {
        value.isEmpty ? "\(key): expected \(expected)" : "\(key): \"\(value)\" is not \(expected)"
    }
}
