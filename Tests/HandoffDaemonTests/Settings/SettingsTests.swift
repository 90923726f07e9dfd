// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffWire
import Logging
import Testing

@testable import HandoffDaemon

@Suite struct SettingsTests {
    private func read(
        _ arguments: [String] = [], environment: [String: String] = [:], file: String? = nil
    ) async throws -> Settings {
        let path = NSTemporaryDirectory() + "/handoff-settings-\(UUID().uuidString).json"
        if let file { try file.write(toFile: path, atomically: true, encoding: .utf8) }
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try await Settings.read(
            arguments: ["handoffd"] + arguments, environment: environment, file: path, machineName: "laptop")
    }

    @Test func defaultsWorkWithoutAnything() async throws {
        let settings = try await read()
        #expect(settings == Settings(name: settings.name))
        #expect(settings.name.text == "laptop")
    }

    @Test func flagBeatsEnvironmentBeatsFile() async throws {
        let file = #"{"name": "from file", "kind": "server", "logLevel": "debug"}"#
        let environment = ["HANDOFF_NAME": "from environment", "HANDOFF_KIND": "laptop"]
        let settings = try await read(["--name", "from flag"], environment: environment, file: file)
        #expect(settings.name.text == "from flag")
        #expect(settings.kind == .laptop)
        #expect(settings.logLevel == .debug)
    }

    // Shows L01.
    @Test func overridesOfTheFileAreReported() async throws {
        let environment = ["HANDOFF_LOG_LEVEL": "debug", "HANDOFF_BEACONS": "perhaps"]
        let settings = try await read(
            ["--name", "desk", "--beacons", "false", "--peer", "a:1", "--peer", "b:2"], environment: environment,
            file: #"{"kind": "server"}"#)
        #expect(
            settings.overrides == [
                Fact("flagPeer", .text(DisplayText(cleaning: "a:1 b:2"))),
                Fact("flagName", .text(DisplayText(cleaning: "desk"))),
                Fact("flagBeacons", .text(DisplayText(cleaning: "false"))),
                Fact("variableLogLevel", .text(DisplayText(cleaning: "debug"))),
            ])
        #expect(try await read(file: #"{"kind": "server"}"#).overrides.isEmpty)
    }

    @Test func everyKindOfValueIsReadFromTheFile() async throws {
        let file = """
            {"name": "W\\u00fcste", "peer": ["desk.local:7737", "[::1]:80"], "beacons": false, "keep": "0",
             "nobody": {"knows": [1, null]}}
            """
        let settings = try await read(file: file)
        #expect(settings.name.text == "Wüste")
        #expect(
            settings.peers == [
                NetworkAddress(host: "desk.local", port: 7737), NetworkAddress(host: "::1", port: 80),
            ])
        #expect(!settings.beacons && !settings.hasFixedBeacons)
        #expect(settings.boardLimits.keep == .zero)
    }

    @Test func everyFlagIsRead() async throws {
        let settings = try await read([
            "--root", "/tmp/x", "--listen", "127.0.0.1:0", "--peer", "[fe80::1%eth0]:7737", "--peer", "desk.local:7737",
            "--loopback", "--beacons", "false", "--kind=tablet", "--log-level", "trace", "--keep", "90s", "--expiry=0",
            "--history=7d",
            "--web-developer", "true",
        ])
        #expect(settings.listen == NetworkAddress(host: "127.0.0.1", port: 0))
        #expect(
            settings.peers == [
                NetworkAddress(host: "fe80::1%eth0", port: 7737), NetworkAddress(host: "desk.local", port: 7737),
            ])
        #expect(settings.loopback)
        #expect(!settings.beacons && settings.hasFixedBeacons)
        #expect(settings.webDeveloper)
        #expect(settings.kind == .tablet)
        #expect(settings.logLevel == .trace)
        #expect(settings.boardLimits.keep == .seconds(90))
        #expect(settings.boardLimits.expiry == .zero)
        #expect(settings.history == .seconds(7 * 24 * 3600))
    }

    @Test(arguments: [
        ["--listen", "7737"], ["--listen", "host:99999"], ["--peer", "::1:80"], ["--kind", "toaster"],
        ["--beacons", "perhaps"], ["--log-level", "loud"], ["--keep", "soon"], ["--keep", "10"], ["--expiry", "1w"],
        ["--name", "\u{202E}"], ["--lisen", "127.0.0.1:0"], ["-x"],
    ])
    func badValueIsNamed(arguments: [String]) async throws {
        let error = await #expect(throws: SettingsError.self) { try await read(arguments) }
        let name = arguments[0].drop { $0 == "-" }
        #expect(error?.description.contains(name) == true)
    }

    @Test func damagedFileIsNamed() async {
        await #expect(throws: SettingsError.self) { try await read(file: "{") }
        await #expect(throws: SettingsError.self) { try await read(file: #"{"beacons": "perhaps"}"#) }
        await #expect(throws: SettingsError.self) { try await read(file: #"{"name": 7}"#) }
        await #expect(throws: SettingsError.self) { try await read(file: #"["name"]"#) }
        await #expect(throws: SettingsError.self) { try await read(file: #"{"peer": ["a:1", null]}"#) }
        await #expect(throws: SettingsError.self) { try await read(file: #"{"name": "a", "name": "b"}"#) }
    }

    @Test func rootIsMadeAbsolute() throws {
        #expect(try Settings.root(in: ["handoffd", "--root", "a"]) == "a")
        #expect(try Settings.root(in: ["handoffd", "--root=/b"]) == "/b")
        #expect(try Settings.root(in: ["handoffd"]) == nil)
        #expect(throws: SettingsError.self) { try Settings.root(in: ["handoffd", "--root"]) }
    }
}
