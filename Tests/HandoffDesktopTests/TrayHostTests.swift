// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffBus
import TestBuses
import TestPrograms
import Testing

/// Xfce's panel on a virtual screen, handoff-bus itself, and two real devices.
@Suite(.timeLimit(.minutes(2)), .enabled(if: XfcePanel.isInstalled, "Scripts/setup test installs Xfce's panel"))
struct TrayHostTests {
    // Shows L12, B16: the icon is visible, and a click on an item of its menu opens the page.
    @Test func aPressInXfcesPanelContinues() async throws {
        try await withPrivateBus { fixture, bus in
            let devices = try await RealDevices()
            let browser = try TestBrowser(in: devices.folder)
            try await devices.publish("Apple pie", page: "https://pie.example/7")
            let panel = try await XfcePanel(on: bus.address, of: fixture, in: devices.folder)
            let guest = try await fixture.connect(to: bus.address)
            try await guest.waits(for: "org.kde.StatusNotifierWatcher", isolation: fixture)
            guest.kept = [
                try #require(guest.connection).onSignal(
                    "org.kde.StatusNotifierWatcher", "StatusNotifierItemRegistered", "s",
                    from: "org.kde.StatusNotifierWatcher"
                ) { [unowned guest] in guest.hears($0) }
            ]
            _ = await guest.call(.bus("GetId", []), isolation: fixture)
            try devices.openDoor(to: bus.address, with: ["PATH": browser.path])
            try await guest.wait(isolation: fixture) { guest in
                guest.heard.contains { $0[0]?.text?.contains("org.kde.StatusNotifierItem-") == true }
            }
            // The icon or the menu may not be drawn yet, so a click without effect is repeated.
            var isOpened = false
            for _ in 0..<20 where !isOpened {
                try await panel.press(at: (16, 16), thenKeys: ["Down", "Return"])
                isOpened = await browser.opens("https://pie.example/7", within: .seconds(2))
                if !isOpened { try await panel.press(keys: ["Escape"]) }
            }
            #expect(isOpened)
            withExtendedLifetime(panel) {}
        }
    }
}

/// Only contains the tray, in the top corner.
private final class XfcePanel {
    static let isInstalled = ["xfce4-panel", "Xvfb", "xdotool"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
    }

    private let screen: Program
    private let settings: Program
    private let panel: Program
    private let display: String

    init(on bus: String, of fixture: BusFixture, in folder: String) async throws {
        screen = try Program(
            ["/usr/bin/Xvfb", "-displayfd", "1", "-screen", "0", "640x400x24", "-nolisten", "tcp"],
            environment: ["PATH": "/usr/bin:/bin"])
        guard await screen.wait(until: { $0.output.hasSuffix("\n") }) else {
            throw Program.Silence(description: "Xvfb has no display: \(screen.errors)")
        }
        display = ":" + screen.output.trimmingCharacters(in: .whitespacesAndNewlines)
        let home = folder + "/home"
        let channel = home + "/.config/xfce4/xfconf/xfce-perchannel-xml"
        let icons = home + "/.local/share/icons"
        let runtime = folder + "/xdg"
        for made in [channel, icons, runtime] {
            try FileManager.default.createDirectory(atPath: made, withIntermediateDirectories: true)
        }
        try Self.panelSettings.write(toFile: channel + "/xfce4-panel.xml", atomically: true, encoding: .utf8)
        try FileManager.default.copyItem(
            at: Self.repository.appending(path: "Desktop/share/icons/hicolor"), to: URL(filePath: icons + "/hicolor"))
        let environment = [
            "DISPLAY": display, "DBUS_SESSION_BUS_ADDRESS": bus, "HOME": home, "XDG_RUNTIME_DIR": runtime,
            "PATH": "/usr/bin:/bin", "NO_AT_BRIDGE": "1", "GTK_A11Y": "none",
        ]
        settings = try Program([try #require(Self.settingsProgram)], environment: environment)
        try await fixture.waits(for: "org.xfce.Xfconf", at: bus)
        panel = try Program(["/usr/bin/xfce4-panel", "--disable-wm-check"], environment: environment)
    }

    /// In a folder named after the machine's architecture.
    static let settingsProgram = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib"))?
        .map { "/usr/lib/\($0)/xfce4/xfconf/xfconfd" }.first(where: FileManager.default.isExecutableFile)

    deinit { for program in [panel, settings, screen] { program.send(SIGKILL) } }

    func press(at place: (x: Int, y: Int), thenKeys keys: [String]) async throws {
        try await xdotool(["mousemove", "\(place.x)", "\(place.y)", "click", "1", "key", "--delay", "100"] + keys)
    }

    func press(keys: [String]) async throws { try await xdotool(["key"] + keys) }

    private func xdotool(_ arguments: [String]) async throws {
        let hand = try Program(["/usr/bin/xdotool"] + arguments, environment: ["DISPLAY": display])
        #expect(await hand.end() == 0)
    }

    private static let repository = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static let panelSettings = """
        <?xml version="1.0" encoding="UTF-8"?>
        <channel name="xfce4-panel" version="1.0">
          <property name="configver" type="int" value="2"/>
          <property name="panels" type="array">
            <value type="int" value="1"/>
            <property name="panel-1" type="empty">
              <property name="position" type="string" value="p=6;x=0;y=0"/>
              <property name="length" type="uint" value="100"/>
              <property name="size" type="uint" value="32"/>
              <property name="plugin-ids" type="array"><value type="int" value="1"/></property>
            </property>
          </property>
          <property name="plugins" type="empty"><property name="plugin-1" type="string" value="systray"/></property>
        </channel>
        """
}

extension BusFixture {
    fileprivate func waits(for name: String, at address: String) async throws {
        try await connect(to: address).waits(for: name, isolation: self)
    }
}
