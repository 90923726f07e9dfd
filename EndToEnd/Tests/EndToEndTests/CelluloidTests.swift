// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// Music in the real Celluloid, whose windows are on a screen.
@Suite(.serialized, .needsNamespaces) struct CelluloidTests {
    private static let isPossible = ["celluloid", "mpv"].allSatisfy(HomePair.isInstalled)
    private static let entry = "io.github.celluloid_player.Celluloid"

    private func begin(on stage: Stage) throws -> Pair {
        // Celluloid gives the address of files with tags only.
        let music = stage.folder.appending(path: "music.ogg")
        _ = try RunningProgram.run([
            "mpv", "--no-config", "--quiet", "--oac=libopus", "--oset-metadata=title=[Still water]",
            "av://lavfi:sine=frequency=200:duration=\(Players.length)", "--o=\(music.path)",
        ])
        let pair = try HomePair.begin(on: stage, screens: true) { device in
            try device.write(try Data(contentsOf: music), to: "Music/still water.ogg")
        } services: {
            try $0.start("ca.desrt.dconf", by: ["/usr/libexec/dconf-service"])
        }
        for device in [pair.laptop, pair.desktop] {
            try device.run("gsettings", "set", "io.github.celluloid-player.Celluloid", "mpv-options", "--ao=null")
        }
        try pair.laptop.handoff("programs", "on", Self.entry)
        return pair
    }

    private func play(on device: Device) throws {
        let music = device.home.appending(path: "Music/still water.ogg").path
        _ = try device.start(program: ["celluloid", "--mpv-start=61.5", music], name: "Celluloid")
    }

    private func name(on device: Device) throws -> String {
        let names = try device.busNames()
        return try #require(names.first { $0.hasPrefix("org.mpris.MediaPlayer2.\(Self.entry)") })
    }

    private func call(_ device: Device, _ method: String, _ arguments: String...) throws {
        try device.call(
            name(on: device), "/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2.Player.\(method)", arguments)
    }

    // Shows M02.
    @Test(.enabled(if: isPossible), arguments: [true, false])
    func musicContinuesAtTheSameSecond(isPaused: Bool) throws {
        try Stage.play { stage in
            let pair = try begin(on: stage)
            let (laptop, desktop) = (pair.laptop, pair.desktop)
            let watch = try desktop.watchActivities()
            let origin = try laptop.monitorPlayers()
            let questions = try desktop.monitor("type='method_call',member='GetAll',path='/org/mpris/MediaPlayer2'")
            try play(on: laptop)
            let list = try watch.output.next("the music", within: .seconds(40)) { $0.contains("Still water") }
            // It is paused until it has loaded the music, and then plays even if it was asked to pause before.
            var (hasTitle, plays) = (false, false)
            try origin.output.next("that the music plays") { line in
                if line.contains("Still water") { hasTitle = true }
                if line.contains("Playing") { plays = true }
                return hasTitle && plays
            }
            if isPaused {
                try call(laptop, "Pause")
                try origin.output.next("that it is paused") { $0.contains("Paused") }
            }
            let activity = try #require(try JSON(text: list).elements.first?["activity"]?.string)
            try desktop.handoff("activity", "continue", activity)
            if !isPaused { try origin.output.next("that the origin is paused") { $0.contains("Paused") } }
            // Celluloid always plays at first. The adapter asks until it does what was asked for.
            try questions.output.next("the music as it was", within: .seconds(40)) {
                guard $0.contains("GetAll"), let player = try? name(on: desktop) else { return false }
                let isAsked = try? desktop.player("PlaybackStatus", of: player).contains(
                    isPaused ? "Paused" : "Playing")
                guard isAsked == true, let there = try? desktop.position(of: player) else { return false }
                return (try? laptop.position(of: name(on: laptop))).map { abs(there - $0) < (isPaused ? 0.5 : 10) }
                    == true
            }
        }
    }
}
