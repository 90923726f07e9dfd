// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffBrowserHost
import HandoffWire
import Testing

@testable import HandoffWindowModel

/// The browsers of a person's home folder, as the page without activities lists them. Shows L10.
@MainActor @Suite(.timeLimit(.minutes(1))) final class BrowsersTests {
    private let folder = NSTemporaryDirectory() + "handoff-home-" + UUID().uuidString
    private let changes: AsyncStream<Void>
    private let browsers: Browsers

    init() throws {
        let home = folder
        let (changes, happened) = AsyncStream.makeStream(of: Void.self)
        self.changes = changes
        browsers = Browsers(
            folders: {
                var folders = UserFolders(environment: ["HOME": home + "/home", "PATH": "/bin"])
                folders.system = home
                return folders
            }, files: BrowserFiles(program: folder + "/bin/handoff-browser-host"), hop: Seat.hop)
        browsers.changed = { happened.yield() }
        for name in ["handoff-browser-host", "firefox-esr", "chromium"] { try program(name) }
        try write("{}", to: "share/handoff/extension/manifest.json")
    }

    isolated deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func write(_ text: String, to path: String) throws {
        let file = URL(filePath: "\(folder)/\(path)")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
    }

    private func program(_ name: String) throws {
        try write("#!/bin/sh\n", to: "bin/\(name)")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(folder)/bin/\(name)")
    }

    private func lines(connected: [String] = []) -> [BrowserLine] {
        BrowserLine.lines(browsers.found ?? [], connected: connected.map { DisplayText(cleaning: $0) }, strings)
    }

    private func look() async {
        browsers.look()
        for await _ in changes { return }
    }

    @Test func browserIsSetUpAndThenLacksOnlyItsExtension() async throws {
        await look()
        #expect(lines().map(\.name) == ["Chromium", "Firefox"])
        #expect(lines().map(\.icons.first) == ["chromium", "firefox-esr"])
        #expect(lines().map(\.deed) == [.setUp, .setUp])
        let failure = await withCheckedContinuation { done in
            browsers.register("firefox") { done.resume(returning: $0) }
        }
        #expect(failure == nil)
        for await _ in changes { break }
        let firefox = try #require(lines().last)
        #expect(firefox.deed == .addExtension)
        #expect(firefox.details == "Not connected. Open it, or add the extension to it.")
        #expect(firefox.steps?.address == "about:debugging#/runtime/this-firefox")
        #expect(firefox.steps?.place == folder + "/share/handoff/extension/manifest.json")
        let manifest = try String(
            contentsOfFile: folder + "/home/.mozilla/native-messaging-hosts/handoff.browser_host.json",
            encoding: .utf8)
        #expect(manifest.contains(folder + "/bin/handoff-browser-host"))
    }

    @Test func browsersAreSetUpOneAtATime() async {
        let first = await withCheckedContinuation { done in
            browsers.register("firefox") { done.resume(returning: $0) }
            browsers.register("chromium") { #expect($0?.failure?.code == .limitReached) }
        }
        #expect(first == nil)
        let next = await withCheckedContinuation { done in
            browsers.register("chromium") { done.resume(returning: $0) }
        }
        #expect(next == nil)
    }

    @Test func withoutTheProgramOfTheExtensionNothingIsWritten() async throws {
        try FileManager.default.removeItem(atPath: folder + "/bin/handoff-browser-host")
        let failure = await withCheckedContinuation { done in
            browsers.register("firefox") { done.resume(returning: $0) }
        }
        #expect(failure == .noProgram(folder + "/bin/handoff-browser-host"))
        #expect(!FileManager.default.fileExists(atPath: folder + "/home"))
    }

    @Test func homeThatCannotBeWrittenIsAFailure() async throws {
        try write("", to: "home")
        let failure = await withCheckedContinuation { done in
            browsers.register("chromium") { done.resume(returning: $0) }
        }
        #expect(failure?.failure?.code == .stateNotWritable)
    }

    @Test func browserWhoseExtensionSaidHelloNeedsNothing() async {
        await look()
        let firefox = lines(connected: ["Firefox"]).last
        #expect(firefox?.isConnected == true)
        #expect(firefox?.deed == nil)
        // Chromium's relatives cannot be told apart: each is listed by the name that it says.
        #expect(lines(connected: ["Vivaldi"]).map(\.name) == ["Chromium", "Firefox", "Vivaldi"])
        #expect(lines(connected: ["Vivaldi"]).last?.icons == ["web-browser"])
    }

    @Test func extensionForAllUsersNeedsOnlyAStart() async throws {
        try write(
            #"{ "browser_specific_settings": { "gecko": { "id": "extension@handoff" } } }"#,
            to: "usr/share/chromium/extensions/handoff/manifest.json")
        browsers.register("chromium") { _ in }
        for await _ in changes { break }
        #expect(lines().first?.details == "Takes part while it is open")
        #expect(lines().first?.deed == nil)
    }

    @Test func browserInASandboxIsForTheTerminal() async throws {
        try write("", to: "home/.var/app/org.mozilla.firefox/x")
        await look()
        let firefox = lines().filter { $0.name == "Firefox" }
        #expect(firefox.count == 2)
        #expect(firefox.last?.icons.first == "org.mozilla.firefox")
        #expect(firefox.last?.deed == nil)
        #expect(firefox.last?.details.hasSuffix("handoff browser status") == true)
    }
}

extension RegistrationProblem {
    fileprivate var failure: Failure? { if case .failure(let failure) = self { failure } else { nil } }
}
