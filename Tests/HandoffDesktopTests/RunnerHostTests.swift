// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffBus
import TestBuses
import TestPrograms
import Testing

@testable import HandoffDesktop

/// KDE Plasma's search with KDE's own runner library, which finds our runner through the installed file.
@Suite(.timeLimit(.minutes(2)), .enabled(if: KDERunners.areInstalled, "Scripts/setup test installs KDE's runners"))
struct RunnerHostTests {
    // Shows L11, B16.
    @Test func resultOfKDEsSearchContinuesHere() async throws {
        try await withPrivateBus { fixture, bus in
            let devices = try await RealDevices()
            let browser = try TestBrowser(in: devices.folder)
            try devices.openDoor(to: bus.address, with: ["PATH": browser.path])
            try await devices.publish("Apple pie", page: "https://pie.example/7")
            try await fixture.connect(to: bus.address).waits(for: RunnerSearch.name, isolation: fixture)
            let search = try KDERunners(on: bus.address, in: devices.folder, typing: "pie")
            try await search.hear("Apple pie")
            #expect(await browser.opens("https://pie.example/7"))
            withExtendedLifetime(search) {}
        }
    }
}

private final class KDERunners {
    private static let viewer = "/usr/bin/qmlscene"
    static let areInstalled = FileManager.default.isExecutableFile(atPath: viewer) && module != nil

    private static var module: String? {
        let libraries = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib")) ?? []
        return libraries.map { "/usr/lib/\($0)/qt5/qml/org/kde/runnermodel/qmldir" }
            .first(where: FileManager.default.fileExists)
    }

    /// The model's `Qt.DisplayRole` is the text of a result.
    private static func scene(typing query: String) -> String {
        """
        import QtQuick 2.0
        import org.kde.runnermodel 2.0
        Item {
            property bool isTaken: false
            property string typed: ""
            RunnerModel {
                id: found
                runners: ["org.handoff.Handoff"]
                onCountChanged: {
                    if (count == 0 || isTaken) return
                    isTaken = true
                    console.log("found", data(index(0, 0)))
                    run(0)
                }
            }
            // Letter by letter, as people type, and repeatedly, because Plasma asks no runner while it is still loading
            // them.
            Timer {
                interval: 200; repeat: true; running: !isTaken
                onTriggered: {
                    typed = typed == "\(query)" ? "" : "\(query)".substring(0, typed.length + 1)
                    found.query = typed
                }
            }
        }
        """
    }

    private let program: Program

    init(on bus: String, in folder: String, typing query: String) throws {
        let home = folder + "/plasma"
        let plugins = home + "/data/krunner/dbusplugins"
        try FileManager.default.createDirectory(atPath: plugins, withIntermediateDirectories: true)
        let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let plugin = "krunner/dbusplugins/org.handoff.Handoff.desktop"
        try FileManager.default.copyItem(
            atPath: checkout.appending(path: "Desktop/share").appending(path: plugin).path,
            toPath: home + "/data/" + plugin)
        let scene = home + "/search.qml"
        try Self.scene(typing: query).write(toFile: scene, atomically: true, encoding: .utf8)
        program = try Program(
            [Self.viewer, scene],
            environment: [
                "PATH": "/usr/bin:/bin", "HOME": home, "XDG_DATA_HOME": home + "/data", "XDG_RUNTIME_DIR": home,
                "DBUS_SESSION_BUS_ADDRESS": bus, "QT_QPA_PLATFORM": "offscreen", "QT_QUICK_BACKEND": "software",
            ])
    }

    deinit { program.send(SIGKILL) }

    func hear(_ title: String) async throws { try await program.warn("found \(title)") }
}
