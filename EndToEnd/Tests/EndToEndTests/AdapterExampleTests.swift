// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// The adapter in Examples/Adapter, with the real Rhythmbox between two devices.
@Suite(.serialized, .needsNamespaces) struct AdapterExampleTests {
    private static let program = "org.gnome.Rhythmbox3"
    private static let music = "Music/töne #1, 100%?.wav"
    private static let player = "org.mpris.MediaPlayer2.rhythmbox"

    private let installed: InstalledAdapter

    init() throws {
        let example = Builds.root.appending(path: "Examples/Adapter")
        installed = try InstalledAdapter(
            describedIn: example.appending(path: "\(Self.program).json"),
            executables: [example.appending(path: "rhythmbox.py")],
            replacing: "/usr/local/libexec/handoff-rhythmbox", by: "/libexec/handoff/rhythmbox.py")
        try Data("[]".utf8).write(to: installed.descriptions.appending(path: "org.example.Bad.json"))
    }

    private var adapter: String { installed.executable("rhythmbox.py").path }

    private func prepare(_ device: Device) throws {
        try device.write(Players.tone(), to: Self.music)
        // This machine has no loudspeakers.
        device.environment.merge([
            "XDG_DATA_DIRS": "\(installed.data.path):/usr/share", "NO_AT_BRIDGE": "1",
        ]) { $1 }
        let services = device.root.appending(path: "services")
        try FileManager.default.createDirectory(at: services, withIntermediateDirectories: true)
        // Rhythmbox waits for dconf when it starts.
        let started = ["org.handoff.Adapter.\(Self.program)": adapter, "ca.desrt.dconf": "/usr/libexec/dconf-service"]
        for (name, program) in started {
            let text = "[D-BUS Service]\nName=\(name)\nExec=\(program)\n"
            try Data(text.utf8).write(to: services.appending(path: "\(name).service"))
        }
    }

    private func property(_ name: String, on device: Device) throws -> String {
        try device.property(
            name, of: "org.mpris.MediaPlayer2.Player", Self.player, "/org/mpris/MediaPlayer2")
    }

    // Shows M06.
    @Test(.enabled(if: HomePair.isInstalled("rhythmbox")))
    func musicContinuesAtTheSameSecondThroughAnAdapterInPython() throws {
        defer { try? FileManager.default.removeItem(at: installed.root) }
        try Stage.play { stage in
            let pair = try HomePair.begin(on: stage, screens: true, fill: prepare)
            let (laptop, desktop) = (pair.laptop, pair.desktop)
            let listed = try laptop.json("programs", "list")
            #expect(listed.first(where: "program", is: Self.program)?["installed"]?.bool == true)
            #expect(
                try laptop.command(["programs", "list"]).errors.contains("org.example.Bad.json is not a JSON object"))

            let watch = try desktop.watchActivities()
            // The first start of Rhythmbox on a machine takes long.
            try laptop.run(
                [adapter, "--open", laptop.home.path + "/" + Self.music, "61.5", "false"], within: .seconds(60))
            #expect(try property("PlaybackStatus", on: laptop).contains("Paused"))
            try laptop.handoff("programs", "on", Self.program)
            let list = try watch.output.next("the music", within: .seconds(20)) { $0.contains("töne #1, 100%?") }
            let offer = try #require(try JSON(text: list).elements.first)
            #expect(offer["app"]?.string == "system:\(Self.program)")

            let signals = try desktop.monitorPlayers()
            try desktop.handoff("activity", "continue", try #require(offer["activity"]?.string))
            // On a slow machine, Rhythmbox is still starting.
            try signals.output.next("that it is paused", within: .seconds(30)) { $0.contains("Paused") }
            #expect(try property("Metadata", on: desktop).contains("%20%231,%20100%25%3F.wav"))
            #expect(try property("PlaybackStatus", on: desktop).contains("Paused"))
            // Rhythmbox reports whole seconds.
            let position = try property("Position", on: desktop)
            #expect(position.contains("int64 61000000") || position.contains("int64 62000000"), "\(position)")

            try laptop.handoff("programs", "off", Self.program)
            try watch.output.next("an empty list") { $0 == "[]" }
        }
    }
}
