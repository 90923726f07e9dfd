// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffBus
import HandoffClient
import HandoffIcons
import HandoffWire
import TestBuses
import Testing

@testable import HandoffDesktop

/// Icons in real bundles.
// Shows L01, B15.
@Suite(.timeLimit(.minutes(1))) struct AppIconsTests {
    private func icon(named name: String, files: [String]) async throws -> (icon: String, resources: String) {
        let root = NSTemporaryDirectory() + "handoff icons-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: root) }
        let bundle = root + "/Reader.app"
        let resources = bundle + "/Contents/Resources"
        try FileManager.default.createDirectory(atPath: resources, withIntermediateDirectories: true)
        let info = ["CFBundleIdentifier": Articles.reader.name, "CFBundleIconFile": name]
        try PropertyListSerialization.data(fromPropertyList: info, format: .xml, options: 0)
            .write(to: URL(filePath: bundle + "/Contents/Info.plist"))
        for file in files { try Data("picture".utf8).write(to: URL(filePath: resources + "/" + file)) }
        let fixture = try BusFixture()
        let icon = await fixture.icon(of: Articles.article(1), in: bundle)
        await fixture.stop()
        return (icon, resources)
    }

    @Test(arguments: ["Reader.svg", "Reader"])
    func theIconOfABundleIsNamedByItsURL(name: String) async throws {
        let (icon, resources) = try await icon(named: name, files: ["Reader.svg"])
        #expect(icon == "file://" + resources.replacing(" ", with: "%20") + "/Reader.svg")
    }

    // Shows L02.
    @Test(arguments: [
        ("reader", "reader"), ("/usr/share/../share", "file:///usr/share/../share"), ("/nowhere.svg", nil),
        ("../reader", nil), ("", nil),
    ])
    func iconIsTakenFromTheDesktopEntry(icon: String, shown: String?) async throws {
        let entry = NSTemporaryDirectory() + "handoff-icons-\(UUID().uuidString).desktop"
        defer { try? FileManager.default.removeItem(atPath: entry) }
        try "[Desktop Entry]\nType=Application\nName=Reader\nIcon=\(icon)\n"
            .write(toFile: entry, atomically: true, encoding: .utf8)
        let fixture = try BusFixture()
        #expect(await fixture.icon(of: Articles.article(1), in: entry) == shown ?? Articles.reader.name)
        await fixture.stop()
    }

    @Test(arguments: ["Other.svg", "../../Reader", ""])
    func withoutAFileThereTheAppsIdentifierIsTheName(name: String) async throws {
        #expect(try await icon(named: name, files: ["Reader.svg"]).icon == Articles.reader.name)
    }
}

/// Files that are read slowly, or never.
// Shows L01, L17.
@Suite(.timeLimit(.minutes(1))) struct SlowAppIconsTests {
    private static let drawn = AppIcon(name: "drawn", picture: .bytes([1]))

    @Test func offersWaitForTheirIconsWithoutBlockingTheLoop() async throws {
        try await withBusFixture { fixture in
            let gate = DispatchSemaphore(value: 0)
            let icons = AppIcons(
                .withReader(at: "/reader", on: fixture.loop), patience: .seconds(60),
                read: { $0 == "/reader" ? gate.answer(Self.drawn) : nil },
                on: fixture.loop)
            await icons.knowsApps(on: fixture.loop)
            var passed: [String] = []
            icons.prepare([Articles.article(1)]) { passed.append("earlier") }
            await fixture.loop.turn()
            #expect(passed.isEmpty)
            // Another app needs no icon, and the latest list counts.
            icons.prepare([]) { passed.append("empty") }
            #expect(passed == ["empty"])
            icons.prepare([Articles.article(1)]) { passed.append("later") }
            #expect(icons.icon(of: Articles.article(1)) == Articles.reader.name)
            await withCheckedContinuation { done in
                icons.changed = { done.resume() }
                gate.signal()
            }
            icons.changed = {}
            #expect(passed == ["empty", "later"])
            #expect(icons.icon(of: Articles.article(1)) == "drawn")
            #expect(icons.picture(of: Articles.article(1)) == .bytes([1]))
            // Known, so at once.
            icons.prepare([Articles.article(2)]) { passed.append("known") }
            #expect(passed.last == "known")
        }
    }

    @Test func offersDoNotWaitForADeadMount() async throws {
        try await withBusFixture { fixture in
            let gate = DispatchSemaphore(value: 0)
            let icons = AppIcons(
                .withReader(at: "/reader", on: fixture.loop), patience: .milliseconds(10),
                read: { _ in gate.answer(Self.drawn) },
                on: fixture.loop)
            await icons.knowsApps(on: fixture.loop)
            await withCheckedContinuation { done in icons.prepare([Articles.article(1)]) { done.resume() } }
            #expect(icons.icon(of: Articles.article(1)) == Articles.reader.name)
            await withCheckedContinuation { done in
                icons.changed = { done.resume() }
                gate.signal()
            }
            icons.changed = {}
            #expect(icons.icon(of: Articles.article(1)) == "drawn")
        }
    }

    @Test func offersOfALostDaemonAreDropped() async throws {
        try await withBusFixture { fixture in
            let gate = DispatchSemaphore(value: 0)
            let icons = AppIcons(
                .withReader(at: "/reader", on: fixture.loop), patience: .seconds(60),
                read: { _ in gate.answer(Self.drawn) },
                on: fixture.loop)
            await icons.knowsApps(on: fixture.loop)
            var isPassed = false
            icons.prepare([Articles.article(1)]) { isPassed = true }
            icons.daemonDisconnected()
            await withCheckedContinuation { done in
                icons.changed = { done.resume() }
                gate.signal()
            }
            icons.changed = {}
            #expect(!isPassed)
        }
    }
}

extension DispatchSemaphore {
    fileprivate func answer(_ icon: AppIcon) -> AppIcon {
        wait()
        return icon
    }
}

extension BusLoop {
    /// Work that was added before has run.
    fileprivate func turn() async {
        await withCheckedContinuation { done in queue.execute { done.resume() } }
    }
}

extension AppIcons {
    fileprivate func knowsApps(on loop: BusLoop) async {
        await withCheckedContinuation { done in
            changed = { done.resume() }
            daemonConnected(ScriptedDaemon.welcome)
        }
        changed = {}
    }
}

extension DaemonClient {
    fileprivate static func withReader(at path: String, on loop: BusLoop) -> DaemonClient {
        let daemon = ScriptedDaemon()
        let article = Articles.article(1)
        daemon.install([
            AppSummary(
                bundle: Articles.reader, name: article.targetName, version: "1", team: article.offer.team,
                teamName: nil, isInDevelopment: true, isTrusted: true, activityTypes: [], path: path, isRunning: false)
        ])
        return DaemonClient(daemon, hello: LocalHello(role: .control, name: DisplayText(cleaning: "test")), on: loop)
    }
}

extension BusFixture {
    /// Waits until the daemon has reported the bundle's path, and the icon was read.
    fileprivate func icon(of activity: ListedActivity, in bundle: String) async -> String {
        let icons = AppIcons(.withReader(at: bundle, on: loop), on: loop)
        await icons.knowsApps(on: loop)
        await withCheckedContinuation { done in icons.prepare([activity]) { done.resume() } }
        return icons.icon(of: activity)
    }
}
