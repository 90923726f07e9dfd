// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// Apps started by their desktop entries, with two devices on one machine.
@Suite(.serialized) struct DesktopEntryTests {
    private static let type = "com.xamarin.monkeybrowser.tab1"
    private static let id = "com.example.monkey"

    /// A desktop with an app installed by its desktop entry, and a laptop with a script that offers activities for it.
    private final class Fixture {
        let laptop: Device
        let desktop: Device
        let bus: SessionBus
        let entries: URL
        /// MonkeyBrowser as a plain program, without a bundle.
        let program: URL
        private let stage: Stage

        init(on stage: Stage, entry: (URL) -> [String]) throws {
            self.stage = stage
            laptop = try Device("laptop", on: stage)
            desktop = try Device("desktop", on: stage)
            let data = desktop.root.appending(path: "data")
            entries = data.appending(path: "applications")
            program = desktop.root.appending(path: "bin/MonkeyBrowser")
            for folder in [entries, program.deletingLastPathComponent()] {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            }
            try FileManager.default.copyItem(at: Builds.programs.appending(path: "MonkeyBrowser"), to: program)
            bus = try SessionBus(on: stage, in: desktop.root, environment: desktop.environment)
            desktop.environment["XDG_DATA_HOME"] = data.path
            desktop.environment["XDG_DATA_DIRS"] = desktop.root.appending(path: "system").path
            desktop.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
            desktop.environment["XDG_RUNTIME_DIR"] = desktop.root.path
            try writeWrapper()
            try write(entry(program))
            for device in [laptop, desktop] {
                try device.startDaemon(["--listen", "127.0.0.1:0", "--beacons", "false"])
            }
            try laptop.handoff("account", "create")
            let invitation = try laptop.invite()
            try desktop.join(invitation.code, at: invitation.address)
        }

        func write(_ lines: [String], as name: String = id) throws {
            let text =
                ["[Desktop Entry]", "Type=Application", "Name=Monkey", "X-Handoff-ActivityTypes=\(type);"] + lines
            let file = entries.appending(path: "\(name).desktop")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data((text.joined(separator: "\n") + "\n").utf8).write(to: file)
        }

        var folder: String { program.deletingLastPathComponent().path }
        /// The file in which the app started by the bus logs its messages.
        var seen: URL { desktop.root.appending(path: "seen") }

        /// Logs how it was started, then becomes the program.
        private func writeWrapper() throws {
            let text = """
                #!/bin/sh
                echo "$* in $(pwd) $XDG_ACTIVATION_TOKEN $DESKTOP_STARTUP_ID"
                exec ./MonkeyBrowser

                """
            let file = folder + "/start"
            try Data(text.utf8).write(to: URL(filePath: file))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
        }

        /// Waits until the laptop's offer is listed here.
        func offer() throws {
            let watch = try desktop.watchActivities()
            _ = try laptop.start(
                "activity", "publish", "--type", type, "--title", "Weather", "--user-info", #"{"Url": "\#(Pair.page)"}"#
            )
            try watch.output.next("the offer") { $0.contains("Weather") }
            watch.stop()
        }

        /// The app's output, if the daemon started it.
        func log() throws -> Transcript {
            try stage.follow(desktop.root.appending(path: "state/logs/\(id).log"), name: "log of the app")
        }

        func follow(_ name: String) throws -> Transcript {
            try stage.follow(desktop.root.appending(path: name), name: name)
        }
    }

    private static let windowToken = "monkey/1-2-anna_TIME345"

    // Shows L02: the app is started with the entry's command, and identified by its token.
    @Test func anEntrysCommandIsStartedWithTheTokenOfTheWindow() throws {
        try Stage.play { stage in
            let fixture = try Fixture(on: stage) { program in
                let folder = program.deletingLastPathComponent().path
                return ["Exec=\"\(folder)/start\" --by %c %U", "Path=\(folder)"]
            }
            try fixture.offer()
            let log = try fixture.log()
            fixture.desktop.environment["XDG_ACTIVATION_TOKEN"] = Self.windowToken
            try fixture.desktop.handoff("activity", "continue")
            let started = try log.next(starting: "--by")
            #expect(started == "--by Monkey in \(fixture.folder) \(Self.windowToken) \(Self.windowToken)")
            #expect(try log.next(starting: "continued tab=1") == "continued tab=1 url=\(Pair.page)")
        }
    }

    // Shows L02, T09: the app is started over the bus, and identified by the executable that its entry names.
    @Test func theBusStartsAnAppAndItsExecutableTellsIt() throws {
        try Stage.play { stage in
            let fixture = try Fixture(on: stage) { ["Exec=\($0.path) %U", "DBusActivatable=true"] }
            try fixture.bus.start(Self.id, by: [Builds.activated, Self.id, fixture.seen.path, fixture.program.path])
            try fixture.offer()
            fixture.desktop.environment["XDG_ACTIVATION_TOKEN"] = Self.windowToken
            try fixture.desktop.handoff("activity", "continue")
            let log = try fixture.follow("seen.log")
            #expect(try log.next(starting: "continued tab=1") == "continued tab=1 url=\(Pair.page)")
            let told = try JSON(text: String(contentsOf: fixture.seen, encoding: .utf8))
            #expect(told["activation-token"]?.string == Self.windowToken)
            #expect(told["desktop-startup-id"]?.string == Self.windowToken)

            let app = try #require(try fixture.desktop.json("app", "list").first(where: "bundle", is: Self.id))
            #expect(app["entry"]?.string == fixture.entries.appending(path: "\(Self.id).desktop").path)
            #expect(app["running"]?.bool == true)
            #expect(app["signed"]?.bool == false)
            #expect(app["development"]?.bool == false)
        }
    }

    // Shows L02: the error names the missing program.
    @Test func aProgramThatIsGoneIsNamed() throws {
        try Stage.play { stage in
            let fixture = try Fixture(on: stage) { ["Exec=\($0.path) %U"] }
            try fixture.offer()
            try FileManager.default.removeItem(at: fixture.program)
            let ended = try fixture.desktop.command(["activity", "continue"])
            #expect(ended.code != 0)
            #expect(
                ended.errors.contains("cannot start \(fixture.program.path): No such file or directory"),
                "\(ended.errors)"
            )
            let listed = try fixture.desktop.command(["app", "list"])
            #expect(
                listed.errors.contains("names the program \(fixture.program.path) in Exec, which does not exist"),
                "\(listed.errors)")
        }
    }

    // Shows L02: the bus has no service file.
    @Test func anAppThatTheBusDoesNotKnowIsNamed() throws {
        try Stage.play { stage in
            let fixture = try Fixture(on: stage) { _ in ["DBusActivatable=true"] }
            try fixture.offer()
            let ended = try fixture.desktop.command(["activity", "continue"])
            #expect(ended.code != 0)
            #expect(ended.errors.contains("no D-Bus service file starts \(Self.id)"), "\(ended.errors)")
        }
    }

    // Shows L02: the entry's current content takes effect.
    @Test func changedEntryIsReadAgain() throws {
        try Stage.play { stage in
            let fixture = try Fixture(on: stage) { ["Exec=\($0.path) %U"] }
            try fixture.offer()
            let log = try fixture.log()
            try fixture.write(["Exec=\(fixture.folder)/start --anew", "Path=\(fixture.folder)"])
            try fixture.desktop.handoff("activity", "continue")
            #expect(try log.next(starting: "--anew").hasPrefix("--anew in"))
            try log.next(starting: "continued tab=1")
        }
    }

    // Shows L02.
    @Test func firstOfTwoEntriesWithOneIDIsUsedAndTheOtherReported() throws {
        try Stage.play { stage in
            let fixture = try Fixture(on: stage) { ["Exec=\($0.path) %U"] }
            for name in ["com/example.monkey2", "com-example.monkey2"] {
                try fixture.write(["Exec=\(fixture.folder)/start %U"], as: name)
            }
            let (first, second) = ("com/example.monkey2.desktop", "com-example.monkey2.desktop")
            let listed = try fixture.desktop.command(["app", "list"])
            #expect(listed.output.contains("\(fixture.entries.path)/\(first)"))
            let reason =
                "\(fixture.entries.path)/\(second) has the same desktop file ID as \(fixture.entries.path)/\(first)"
            #expect(listed.errors.contains(reason), "\(listed.errors)")
        }
    }
}
