// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire
import Testing

@testable import HandoffCore

@Suite struct ConfigurationFileTests {
    private func file(_ text: String?) throws -> ConfigurationFile {
        try ConfigurationFile(text.map { Array($0.utf8) }, path: "config.json")
    }

    private func text(_ file: ConfigurationFile) -> String { String(decoding: file.bytes, as: UTF8.self) }

    @Test func unknownSettingsAreKeptAndListed() throws {
        var file = try file("{\"nmae\": \"x\", \"log-level\": \"info\", \"later\": {\"a\": 1.0}}")
        #expect(file.unknownSettings.map(\.key) == ["nmae", "log-level", "later"])
        #expect(file.unknownSettings.map(\.meant) == ["name", "logLevel", nil])
        #expect(try file.settings().isEmpty)
        file.set("name", to: .text("laptop"))
        #expect(
            text(file) == "{\"nmae\": \"x\", \"log-level\": \"info\", \"later\": {\"a\": 1.0}, \"name\": \"laptop\"}")
    }

    @Test func aMissingFileReadsAsEmpty() throws {
        var missing = try file(nil)
        #expect(try missing.settings().isEmpty)
        missing.set("beacons", to: .flag(false))
        #expect(text(missing) == "{\n  \"beacons\": false\n}\n")
        let wasSet = [missing.unset("beacons"), missing.unset("beacons")]
        #expect(wasSet == [true, false])
        #expect(text(missing) == "{\n}\n")
    }

    @Test(arguments: ["{ // mine\n}", "{\"a\": 1, \"a\": 2}", "[]", "{", "\u{FEFF}{}"])
    func aFileThatCannotBeUnderstoodIsRefused(text: String) {
        #expect(throws: SettingsError.self) { try file(text) }
    }

    @Test func aValueThatCannotBeIsNamed() throws {
        let file = try file("{\"kind\": \"toaster\"}")
        let error = #expect(throws: SettingsError.self) { try file.settings() }
        #expect(error?.description == "kind: \"toaster\" is not desktop, laptop, tablet, phone or server")
    }

    @Test func aKeyIsFoundAsItIsSpelledInTheFileAndAsAFlag() {
        #expect(Setting.find("logLevel")?.key == "logLevel")
        #expect(Setting.find("log-level")?.key == "logLevel")
        #expect(Setting.find("loglevel") == nil)
        #expect(Setting.find("notifications.device.Anna's laptop")?.setting == .notificationsOfDevice)
        #expect(Setting.find("notifications.app.com.example.reader")?.setting == .notificationsOfApp)
        #expect(Setting.find("notifications.app.") == nil)
        #expect(Setting.find("notifications.device.a\u{202E}b") == nil)
        #expect(Setting.find("notifications.other.a") == nil)
    }

    @Test(arguments: [
        ("name", ["\u{202E}"]), ("kind", ["toaster"]), ("beacons", ["yes"]), ("keep", ["soon"]), ("listen", ["7737"]),
        ("peer", ["a:1", "b"]), ("notifications", ["loud"]), ("notifications.app.x", ["on"]), ("name", []),
        ("name", ["two", "words"]),
    ])
    func typedValuesAreValidated(key: String, words: [String]) throws {
        let setting = try #require(Setting.find(key)).setting
        #expect(throws: SettingsError.self) { try setting.value(typed: words) }
    }

    @Test func typedValuesAreConverted() throws {
        #expect(try Setting.beacons.value(typed: ["false"]) == .flag(false))
        #expect(try Setting.peer.value(typed: ["a:1", "[::1]:2"]) == .texts(["a:1", "[::1]:2"]))
        #expect(try Setting.keep.value(typed: ["90s"]) == .text("90s"))
    }

    /// `HANDOFF_WRITE_SCHEMA=1` rewrites it.
    @Test func theSchemaIsCurrent() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Protocol/config.schema.json").standardized
        if ProcessInfo.processInfo.environment["HANDOFF_WRITE_SCHEMA"] != nil {
            try Setting.schema.write(to: path, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: path, encoding: .utf8) == Setting.schema)
        let schema = try JSONSerialization.jsonObject(with: Data(Setting.schema.utf8)) as? [String: Any]
        let properties = try #require(schema?["properties"] as? [String: Any])
        #expect(properties.count == Setting.all.count { $0.member == nil })
    }
}
