// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffBus
import HandoffClient
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

extension BusFixture {
    /// Waits until the daemon has reported the bundle's path.
    fileprivate func icon(of activity: ListedActivity, in bundle: String) async -> String {
        let daemon = ScriptedDaemon()
        daemon.install([
            AppSummary(
                bundle: Articles.reader, name: activity.targetName, version: "1", team: activity.offer.team,
                teamName: nil, isInDevelopment: true, isTrusted: true, activityTypes: [], path: bundle,
                isRunning: false)
        ])
        let icons = AppIcons(
            DaemonClient(daemon, hello: LocalHello(role: .control, name: DisplayText(cleaning: "test")), on: loop))
        icons.offersChanged([activity])
        // Work added to the loop now runs last.
        await withCheckedContinuation { done in loop.queue.execute { done.resume() } }
        return icons.icon(of: activity)
    }
}
