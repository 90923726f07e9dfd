// SPDX-License-Identifier: Apache-2.0

internal import Configuration
package import HandoffCore
package import HandoffWire
package import Logging
internal import SystemPackage

/// By flag (`--listen`), else environment variable (`HANDOFF_LISTEN`), else key in the configuration file (`"listen"`),
/// else default.
package struct Settings: Hashable, Sendable {
    /// Nil: all interfaces, and the usual port if it is free.
    package var listen: NetworkAddress?
    /// Dialled besides those found by beacons, for networks that drop multicast.
    var peers: [NetworkAddress] = []
    /// On other devices. Default: the machine's name.
    package var name: DisplayText
    package var kind = DeviceKind.unspecified
    package var beacons = true
    /// A flag or an environment variable overrides the file.
    package var hasFixedBeacons = false
    /// For two devices on one machine.
    package var loopback = false
    /// As `BoardLimits.keep`.
    package var keep = BoardLimits().keep
    /// As `BoardLimits.expiry`.
    package var expiry = BoardLimits().expiry
    /// After the last use. Zero: nothing is kept.
    package var history = HistoryLimits.unused
    /// Claims in developer mode apply; their sites may be on this machine and private networks.
    var webDeveloper = false
    package var logLevel = Logger.Level.info
    /// They override the file: `flagName`, `variableLogLevel`.
    package var overrides: [Fact] = []

    package init(name: DisplayText) { self.name = name }

    package static var manual: [(key: String, takes: String, does: String)] {
        [
            (
                "root", "DIR",
                "keep state, configuration, apps and socket under this folder: a second device on one machine"
            )
        ]
            + Setting.all.compactMap { setting in setting.flag.map { ($0, setting.takes, setting.does) } }
    }

    /// `file` may be missing. Throws `SettingsError`.
    package static func read(
        arguments: [String], environment: [String: String], file: String, machineName: String
    ) async throws -> Settings {
        try refuseUnknownFlags(arguments)
        let json: FileProvider<SettingsFile>
        do {
            json = try await FileProvider<SettingsFile>(filePath: FilePath(file), allowMissing: true)
        } catch {
            throw SettingsError(key: file, value: "", expected: "a JSON object; it could not be read: \(error)")
        }
        let flags = CommandLineArgumentsProvider(arguments: arguments)
        let variables = EnvironmentVariablesProvider(environmentVariables: environment).prefixKeys(with: "handoff")
        let source = SettingsSource(providers: [flags, variables, json])
        var settings = Settings(name: DisplayText(cleaning: machineName, limit: Limits.nameCharacters))
        settings.listen = try source.text(.listen).flatMap { NetworkAddress($0) }
        settings.peers = try source.texts(.peer).compactMap { NetworkAddress($0) }
        if let name = try source.text(.name) {
            settings.name = DisplayText(cleaning: name, limit: Limits.nameCharacters)
        }
        if let kind = try source.text(.kind) {
            settings.kind = DeviceKind.allCases.first { "\($0)" == kind } ?? settings.kind
        }
        settings.beacons = try source.flag(.beacons) ?? settings.beacons
        settings.hasFixedBeacons = try SettingsSource(providers: [flags, variables]).flag(.beacons) != nil
        settings.loopback = try source.flag(.loopback) ?? settings.loopback
        settings.keep = try source.text(.keep).flatMap { Duration(text: $0) } ?? settings.keep
        settings.expiry = try source.text(.expiry).flatMap { Duration(text: $0) } ?? settings.expiry
        settings.history = try source.text(.history).flatMap { Duration(text: $0) } ?? settings.history
        settings.webDeveloper = try source.flag(.webDeveloper) ?? settings.webDeveloper
        settings.logLevel = try source.text(.logLevel).flatMap { Logger.Level(rawValue: $0) } ?? settings.logLevel
        settings.overrides =
            SettingsSource(providers: [flags]).facts("flag")
            + SettingsSource(providers: [variables]).facts("variable")
        return settings
    }

    var boardLimits: BoardLimits {
        var limits = BoardLimits()
        limits.keep = keep
        limits.expiry = expiry
        return limits
    }

    /// Read before anything else.
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
