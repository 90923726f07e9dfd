// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import HandoffBrowserHost
@testable import HandoffCommand

/// Files that a package installs for all users, in a folder that replaces the machine's root. Shows L06.
@Suite final class SharedBrowserFilesTests {
    private static let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private let folder: URL
    private let home: UserFolders
    private let program: String

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "handoff-browsers-\(UUID().uuidString)")
        var home = UserFolders(environment: ["HOME": folder.path + "/home", "PATH": "/usr/bin"])
        home.system = folder.path
        self.home = home
        program = folder.path + "/usr/bin/handoff-browser-host"
        try Self.make(program, Data("#!/bin/sh\n".utf8), mode: 0o755)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private static func make(_ file: String, _ content: Data, mode: Int = 0o644) throws {
        try FileManager.default.createDirectory(
            atPath: URL(filePath: file).deletingLastPathComponent().path, withIntermediateDirectories: true)
        try content.write(to: URL(filePath: file))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
    }

    private func browser(_ id: String) throws -> KnownBrowser { try #require(try KnownBrowser.named([id]).first) }

    private func putProgram(_ name: String) throws {
        try Self.make(folder.path + "/usr/bin/" + name, Data("#!/bin/sh\n".utf8), mode: 0o755)
    }

    private func tellForAll(_ browser: KnownBrowser, _ program: String? = nil) throws -> String {
        let file = try #require(browser.sharedManifests(in: home).first)
        try Self.make(file, JSONEncoder().encode(HostManifest(for: browser.family, program: program ?? self.program)))
        return file
    }

    /// Shows L14. The paths are those in the package's own lists.
    @Test(arguments: [
        ("chromium", "debian/native-messaging/chromium/handoff.browser_host.json"),
        ("firefox", "debian/native-messaging/mozilla/handoff.browser_host.json"),
    ])
    func thePlacesAreThoseThatThePackageFills(id: String, source: String) throws {
        func lines(_ list: String) throws -> [[Substring]] {
            try String(contentsOf: Self.checkout.appending(path: list), encoding: .utf8)
                .split(separator: "\n").map { $0.split(separator: " ") }
        }
        let browser = try browser(id)
        let told = try #require(try lines("debian/handoff.install").first { $0[0] == source })
        let file = "\(folder.path)/\(told[1])/\(HostManifest.name).json"
        #expect(browser.sharedManifests(in: home).contains(file))
        let links = try lines("debian/handoff.links").map { "\(folder.path)/\($0[1])" }
        #expect(links.contains(try #require(browser.sharedExtension(in: home))))
    }

    @Test(arguments: [
        ("chromium", "chromium"), ("firefox", "firefox-esr"), ("chrome", "google-chrome-stable"),
        ("edge", "microsoft-edge"), ("zen", "zen"),
    ])
    func aBrowserSetUpForAllUsersIsInstalled(id: String, command: String) throws {
        let browser = try browser(id)
        try putProgram(command)
        #expect(HostManifest.find(for: browser, in: home).state == .missing)
        let file = try tellForAll(browser)
        let word = HostManifest.find(for: browser, in: home)
        #expect(word == .init(file: file, isShared: true, state: .installed(program: program)))
        #expect(word.suffices(for: program))
        #expect(!word.suffices(for: "/usr/local/bin/handoff-browser-host"))
        let shown = ShownBrowser(browser, in: home)
        #expect(shown.shared)
        #expect(shown.cells[1...2] == ["installed for all users", file])
    }

    /// The browser uses that one first too.
    @Test func aUsersFileHidesTheSharedFile() throws {
        let firefox = try browser("firefox")
        _ = try tellForAll(firefox)
        let own = firefox.manifest(in: home)
        try Self.make(own, Data("{".utf8))
        #expect(
            HostManifest.find(for: firefox, in: home)
                == .init(file: own, isShared: false, state: .broken("it cannot be read")))
        #expect(!HostManifest.find(for: firefox, in: home).suffices(for: program))
        try HostManifest(for: .firefox, program: program).write(for: firefox, in: home)
        let word = HostManifest.find(for: firefox, in: home)
        #expect(word == .init(file: own, isShared: false, state: .installed(program: program)))
        #expect(try HostManifest.remove(of: firefox, in: home))
        #expect(HostManifest.find(for: firefox, in: home).isShared)
    }

    /// Some users keep their settings in one folder, with links in the usual places.
    @Test func aFileBehindALinkIsChangedThere() throws {
        let firefox = try browser("firefox")
        let own = firefox.manifest(in: home)
        try Self.make(folder.path + "/dotfiles/manifest.json", Data("{}".utf8), mode: 0o640)
        try FileManager.default.createDirectory(
            atPath: URL(filePath: own).deletingLastPathComponent().path, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: own, withDestinationPath: folder.path + "/dotfiles/manifest.json")
        try HostManifest(for: .firefox, program: program).write(for: firefox, in: home)
        #expect(HostManifest.find(for: firefox, in: home).state == .installed(program: program))
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: own) == folder.path + "/dotfiles/manifest.json")
        let kept = try FileManager.default.attributesOfItem(atPath: folder.path + "/dotfiles/manifest.json")
        #expect(kept[.posixPermissions] as? Int == 0o640)
    }

    @Test func aWrongFileForAllUsersIsNamed() throws {
        let chromium = try browser("chromium")
        let file = try tellForAll(chromium, "/nowhere/handoff-browser-host")
        let shown = ShownBrowser(chromium, in: home)
        #expect(shown.cells[1...2] == ["broken: /nowhere/handoff-browser-host is not a program", file])
    }

    @Test(arguments: ["chromium", "firefox"])
    func theExtensionForAllUsersIsShown(id: String) throws {
        let browser = try browser(id)
        #expect(ShownBrowser(browser, in: home).cells.last == "not installed")
        let place = try #require(browser.sharedExtension(in: home))
        try FileManager.default.createDirectory(
            atPath: URL(filePath: place).deletingLastPathComponent().path, withIntermediateDirectories: true)
        // As in the package.
        let copy = folder.path + "/usr/share/handoff/extension"
        try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: copy)
        #expect(ShownBrowser(browser, in: home).cells.last == "broken: \(place)/manifest.json cannot be read")
        let manifest = try String(
            contentsOf: Self.checkout.appending(path: "Extension/manifest.json"), encoding: .utf8)
        try Self.make(copy + "/manifest.json", Data(manifest.utf8))
        #expect(ShownBrowser(browser, in: home).cells.last == "for all users")
        let others = manifest.replacing(HostManifest.firefoxExtension, with: "extension@elsewhere")
        try Self.make(copy + "/manifest.json", Data(others.utf8))
        let broken = "broken: \(place)/manifest.json belongs to another extension"
        #expect(ShownBrowser(browser, in: home).cells.last == broken)
    }

    /// Shows Q11. The package's file exists before the browser does.
    @Test(arguments: ["chromium", "firefox"])
    func aBrowserThatIsNotThereIsNotInstalled(id: String) throws {
        let browser = try browser(id)
        _ = try tellForAll(browser)
        #expect(ShownBrowser(browser, in: home).cells[1] == "not on this machine")
        #expect(!ShownBrowser(browser, in: home).present)
        try putProgram(id)
        #expect(ShownBrowser(browser, in: home).cells[1] == "installed for all users")
    }

    /// Shows Q11.
    @Test(arguments: [".mozilla/firefox", ".config/mozilla/firefox"])
    func firefoxIsFoundByProfilesInBothPlacesAndReadsProgramsFromTheOlder(place: String) throws {
        let firefox = try browser("firefox")
        let own = folder.path + "/home/.mozilla/native-messaging-hosts/handoff.browser_host.json"
        #expect(firefox.manifest(in: home) == own)
        try HostManifest(for: .firefox, program: program).write(for: firefox, in: home)
        #expect(!firefox.hasProfile(in: home))
        try FileManager.default.createDirectory(
            atPath: "\(folder.path)/home/\(place)", withIntermediateDirectories: true)
        #expect(firefox.hasProfile(in: home))
        #expect(firefox.manifest(in: home) == own)
        #expect(ShownBrowser(firefox, in: home).cells[1] == "installed")
    }

    /// Shows Q11.
    @Test(arguments: [
        ("chrome-beta", ".config/google-chrome-beta", ".config/google-chrome-beta/NativeMessagingHosts"),
        (
            "brave-nightly", ".config/BraveSoftware/Brave-Browser-Nightly",
            ".config/BraveSoftware/Brave-Browser-Nightly/NativeMessagingHosts"
        ),
        ("librewolf", ".librewolf", ".librewolf/native-messaging-hosts"),
        ("zen", ".zen", ".mozilla/native-messaging-hosts"),
    ])
    func vendorBuildsAreFoundAndToldWhereTheyRead(id: String, profile: String, hosts: String) throws {
        let browser = try browser(id)
        #expect(!browser.isInstalled(in: home))
        try FileManager.default.createDirectory(
            atPath: "\(folder.path)/home/\(profile)", withIntermediateDirectories: true)
        #expect(browser.isInstalled(in: home))
        #expect(browser.manifest(in: home) == "\(folder.path)/home/\(hosts)/handoff.browser_host.json")
    }

    @Test func theNextStepNamesEachFamilyForItsBrowsersAlone() throws {
        let firefox = BrowserInstall.nextStep([try browser("firefox")], "/x")
        #expect(
            firefox
                == "Now add the extension to Firefox: in about:debugging, with \"Load Temporary Add-on\", choose /x/manifest.json"
        )
        let both = BrowserInstall.nextStep(try KnownBrowser.named(["chrome", "zen", "edge"]), nil)
        let expected = """
            Now add the extension to Google Chrome, Microsoft Edge: in chrome://extensions, with "Load unpacked", \
            choose PREFIX/share/handoff/extension
            Now add the extension to Zen: in about:debugging, with "Load Temporary Add-on", \
            choose PREFIX/share/handoff/extension/manifest.json
            make install PREFIX=... puts the extension there
            """
        #expect(both == expected)
    }

    /// Shows L06.
    @Test func extensionIsFoundWhereItIsInstalledAndInACheckout() throws {
        let built = folder.path + "/checkout/.build/debug/handoff-browser-host"
        #expect(BrowserFiles(program: program).extensionFolder == nil)
        #expect(BrowserFiles(program: built).extensionFolder == nil)
        try Self.make(folder.path + "/usr/share/handoff/extension/manifest.json", Data("{}".utf8))
        try Self.make(folder.path + "/checkout/Extension/manifest.json", Data("{}".utf8))
        #expect(BrowserFiles(program: program).extensionFolder == folder.path + "/usr/share/handoff/extension")
        #expect(BrowserFiles(program: built).extensionFolder == folder.path + "/checkout/Extension")
    }

    /// Shows L06.
    @Test func browserWithoutAProfileIsShownAsSuch() throws {
        let firefox = try browser("firefox")
        try putProgram("firefox")
        #expect(ShownBrowser(firefox, in: home).cells[1] == "no profile")
    }

    /// A user who names one browser gets no instructions for the sandboxes of others.
    @Test func onlyTheSandboxesOfNamedBrowsersAreExplained() throws {
        for sandbox in [".var/app/org.chromium.Chromium", "snap/firefox"] {
            try FileManager.default.createDirectory(
                atPath: "\(folder.path)/home/\(sandbox)", withIntermediateDirectories: true)
        }
        func names(_ ids: String...) throws -> [String] {
            SandboxedBrowser.all(of: try KnownBrowser.named(ids), in: home, program: program).map(\.name)
        }
        #expect(try names("firefox") == ["Firefox"])
        #expect(try names("chromium", "firefox") == ["Chromium", "Firefox"])
        #expect(try names("edge") == [])
    }

    @Test func aBrowserWithoutSuchAPlaceHasNone() throws {
        let vivaldi = try browser("vivaldi")
        #expect(vivaldi.sharedManifests(in: home).isEmpty)
        #expect(ShownBrowser(vivaldi, in: home).sharedExtension == nil)
    }
}
