// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffBrowserHost
import TestPrograms
import Testing

@testable import HandoffCommand

/// Checks files that are installed unchanged with the programs that read them.
// Shows L04.
@Suite struct InstalledFilesTests {
    private static let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let analyzer = "/usr/bin/systemd-analyze"
    private static let appStream = "/usr/bin/appstreamcli"
    private static let hasAppStream = FileManager.default.isExecutableFile(atPath: appStream)
    private static let hasAnalyzer = FileManager.default.isExecutableFile(atPath: analyzer)

    private let folder: URL

    /// Prepares the units with existing programs.
    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "handoff-units-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func units() throws -> [String] {
        let source = Self.checkout.appending(path: "Desktop/lib/systemd/user")
        let units = try FileManager.default.contentsOfDirectory(atPath: source.path).sorted()
        for program in ["bin/handoffd", "libexec/handoff/handoff-adapters", "libexec/handoff/handoff-bus"] {
            let file = folder.appending(path: program)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: "/usr/bin/true", toPath: file.path)
        }
        return try units.map { unit in
            let text = try String(contentsOf: source.appending(path: unit), encoding: .utf8)
            let file = folder.appending(path: unit)
            try text.replacing("@PREFIX@", with: folder.path).write(to: file, atomically: true, encoding: .utf8)
            return file.path
        }
    }

    /// The texts in menus, searches and app stores, in each language of the window.
    @Test(arguments: [
        "applications/org.handoff.Handoff.desktop", "krunner/dbusplugins/org.handoff.Handoff.desktop",
    ]) func entriesSayEverythingInEveryLanguage(file: String) throws {
        let languages = try FileManager.default.contentsOfDirectory(
            atPath: Self.checkout.appending(path: "Desktop/strings").path
        ).compactMap { $0.split(separator: ".").first.map(String.init) }.filter { $0 != "en" }
        #expect(languages.count == 5)
        let text = try String(contentsOf: Self.checkout.appending(path: "Desktop/share/\(file)"), encoding: .utf8)
        let keys = Set(text.split(separator: "\n").compactMap { $0.split(separator: "=").first.map(String.init) })
        for key in ["GenericName", "Comment", "Keywords"] where keys.contains(key) {
            for language in languages { #expect(keys.contains("\(key)[\(language)]")) }
        }
        #expect(keys.contains("Comment"))
    }

    @Test(.enabled(if: Self.hasAnalyzer, "systemd is not installed")) func systemdUnderstandsEveryLineOfTheUnits()
        async throws
    {
        defer { try? FileManager.default.removeItem(at: folder) }
        let units = try units()
        #expect(units.count == 4)
        let analyzer = try Program(
            [Self.analyzer, "--user", "--man=no", "verify"] + units, environment: ["XDG_RUNTIME_DIR": folder.path])
        #expect(await analyzer.end() == 0)
        #expect(analyzer.errors == "")
    }

    /// The exposure according to `systemd-analyze security`; 10 means fully exposed. In a user's service manager, a
    /// program that must identify its callers cannot be better confined: docs/decisions/0043.
    @Test(
        .enabled(if: Self.hasAnalyzer, "systemd is not installed"),
        arguments: [("handoff-adapters.service", 60), ("handoff-bus.service", 60), ("handoffd.service", 63)])
    func theServicesAreAsClosedAsAUsersCanBe(name: String, exposure: Int) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let unit = try #require(try units().first { $0.hasSuffix("/" + name) })
        let analyzer = try Program(
            [Self.analyzer, "security", "--offline=true", "--no-pager", "--threshold=\(exposure)", unit],
            environment: ["XDG_RUNTIME_DIR": folder.path])
        #expect(await analyzer.end() == 0, "\(analyzer.output)")
    }

    // Shows Q12: the bus of dbus-x11 has an address, but no socket in the runtime folder.
    @Test(
        .enabled(if: Self.hasAnalyzer, "systemd is not installed"),
        arguments: [(false, nil, false), (true, nil, true), (false, "unix:abstract=/tmp/dbus-x", true)])
    func theServiceOnTheBusRunsWhereverThereIsABus(hasSocket: Bool, address: String?, runs: Bool) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let unit = try #require(try units().first { $0.hasSuffix("/handoff-bus.service") })
        if hasSocket { try Data().write(to: folder.appending(path: "bus")) }
        let conditions = try String(contentsOfFile: unit, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("Condition") && !$0.hasPrefix("ConditionUser") }
            .map { String($0).replacing("%t", with: folder.path) }
        let analyzer = try Program(
            [Self.analyzer, "condition"] + conditions,
            environment: address.map { ["DBUS_SESSION_BUS_ADDRESS": $0] } ?? [:])
        let code = await analyzer.end()
        #expect((code == 0) == runs, "\(analyzer.errors)")
    }

    // Shows Q12.
    @Test func theEntryThatStartsItAtLogInIsSound() async throws {
        let entry = Self.checkout.appending(path: "debian/autostart/handoff-bus.desktop").path
        let validator = try Program(["/usr/bin/desktop-file-validate", entry], environment: [:])
        #expect(await validator.end() == 0)
        #expect(validator.output + validator.errors == "")
    }

    /// The keys of all groups of a file in desktop-entry format.
    private static func keys(of file: String) throws -> [Substring: Substring] {
        let text = try String(contentsOf: checkout.appending(path: "Desktop/share/\(file)"), encoding: .utf8)
        let pairs = text.split(separator: "\n").filter { $0.contains("=") && !$0.hasPrefix("#") }
            .map { $0.split(separator: "=", maxSplits: 1) }
        return Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) })
    }

    /// D-Bus activation and the command start the same program. EndToEnd shows that it answers.
    @Test func entryAndActivationFileOfTheWindowAgree() throws {
        let entry = try Self.keys(of: "applications/org.handoff.Handoff.desktop")
        let service = try Self.keys(of: "dbus-1/services/org.handoff.Handoff.service")
        #expect(entry["DBusActivatable"] == "true")
        #expect(service["Name"] == "org.handoff.Handoff")
        #expect(service["Exec"] == "@PREFIX@/bin/\(entry["Exec"] ?? "") --gapplication-service")
    }

    // Shows L10: the window's metadata for app stores.
    @Test(.enabled(if: Self.hasAppStream, "AppStream is not installed")) func shopsUnderstandWhatTheWindowSaysOfItself()
        async throws
    {
        let file = Self.checkout.appending(path: "Desktop/share/metainfo/org.handoff.Handoff.metainfo.xml").path
        let validator = try Program([Self.appStream, "validate", "--no-net", file], environment: [:])
        #expect(await validator.end() == 0, "\(validator.output)")
    }

    // Shows L14.
    @Test(arguments: [("chromium", KnownBrowser.Family.chromium), ("mozilla", .firefox)])
    func thePackagesWordForBrowsersIsTheCommandsOwn(folder: String, family: KnownBrowser.Family) throws {
        let file = Self.checkout.appending(path: "debian/native-messaging/\(folder)/\(HostManifest.name).json")
        let manifest = try JSONDecoder().decode(HostManifest.self, from: Data(contentsOf: file))
        #expect(manifest == HostManifest(for: family, program: "/usr/bin/handoff-browser-host"))
    }
}
