// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// Media in real players, which know nothing of Handoff, between two devices.
@Suite(.serialized, .needsNamespaces) struct PlayerTests {
    private static let player = "org.mpris.MediaPlayer2.Player"

    private func activity(in list: String) throws -> String {
        try #require(try JSON(text: list).elements.first?["activity"]?.string)
    }

    // Shows M01, M02.
    @Test(arguments: Players.Kind.allCases.filter(\.isInstalled))
    func pausedMediaContinuesAtTheSameSecond(kind: Players.Kind) throws {
        try Stage.play { stage in
            let players = try Players(kind, on: stage)
            let (laptop, desktop) = (players.pair.laptop, players.pair.desktop)
            try laptop.handoff("programs", "on", kind.rawValue)
            let watch = try desktop.watchActivities()
            let signals = try laptop.monitorPlayers()
            _ = try players.play(on: laptop)
            let list = try watch.output.next("the music") { $0.contains("töne #1, 100%?") }
            try signals.output.next("that it plays") { $0.contains("Playing") }
            try players.call(laptop, "\(Self.player).Seek", "61500000")
            try signals.output.next("the new position") { $0.contains("Seeked") }
            try players.call(laptop, "\(Self.player).Pause")
            try signals.output.next("that it is paused") { $0.contains("Paused") }
            let offer = try #require(try JSON(text: list).elements.first)
            #expect(offer["app"]?.string == "system:\(kind)")
            #expect(offer["team"]?.string == "system programs")
            #expect(offer["target"]?["app"]?.string == "system:\(kind)")

            let left = try players.position(on: laptop)
            #expect(left >= 61)
            try desktop.handoff("activity", "continue", try #require(offer["activity"]?.string))
            #expect(try players.property("Metadata", on: desktop).contains("%20100%25%3F%0A.wav"))
            #expect(try players.property("PlaybackStatus", on: desktop).contains("Paused"))
            #expect(abs(try players.position(on: desktop) - left) < 0.2)
        }
    }

    // Shows M02.
    @Test(arguments: Players.Kind.allCases.filter(\.isInstalled))
    func playingMediaPlaysOnAndPausesAtItsOrigin(kind: Players.Kind) throws {
        try Stage.play { stage in
            let players = try Players(kind, on: stage)
            let (laptop, desktop) = (players.pair.laptop, players.pair.desktop)
            try laptop.handoff("programs", "on", kind.rawValue)
            let watch = try desktop.watchActivities()
            _ = try players.play(on: laptop)
            let list = try watch.output.next("the music") { $0.contains("töne #1, 100%?") }
            let (origin, receiver) = (try laptop.monitorPlayers(), try desktop.monitorPlayers())
            try desktop.handoff("activity", "continue", try activity(in: list))
            try receiver.output.next("that it plays") { $0.contains("Playing") }
            try origin.output.next("that the origin is paused") { $0.contains("Paused") }
        }
    }

    // Shows M01.
    @Test(.enabled(if: Players.Kind.vlc.isInstalled), arguments: [true, false])
    func musicContinuesInThePreferredPlayerUntilThatIsForgotten(prefers: Bool) throws {
        try Stage.play { stage in
            let two = try Players(.mpv, on: stage)
            let (laptop, desktop) = (two.pair.laptop, two.pair.desktop)
            try laptop.handoff("programs", "on", "mpv")
            try desktop.handoff("programs", "prefer", "vlc")
            if !prefers { try desktop.handoff("programs", "prefer", "--forget", "vlc") }
            let player = prefers ? "vlc" : "mpv"
            let watch = try desktop.watchActivities()
            _ = try two.play(on: laptop)
            let list = try watch.output.next("the music") { $0.contains("töne #1, 100%?") }
            let offer = try #require(try JSON(text: list).elements.first)
            #expect(offer["target"]?["app"]?.string == "system:\(player)")
            try desktop.handoff("activity", "continue", try #require(offer["activity"]?.string))
            #expect(try desktop.busNames().contains { $0.hasPrefix("org.mpris.MediaPlayer2.\(player)") })
        }
    }

    @Test func secondContinuationRightAfterTheFirstStartsASecondPlayer() throws {
        try Stage.play { stage in
            let two = try Players(.mpv, on: stage)
            let (laptop, desktop) = (two.pair.laptop, two.pair.desktop)
            try laptop.handoff("programs", "on", "mpv")
            let watch = try desktop.watchActivities()
            _ = try two.play(on: laptop)
            let music = try activity(in: watch.output.next("the music") { $0.contains("töne #1, 100%?") })
            for _ in 0..<2 { try desktop.handoff("activity", "continue", music) }
            let names = try desktop.busNames()
            let players = names.count { $0.hasPrefix("org.mpris.MediaPlayer2.mpv") }
            #expect(players == 2, "\(names)")
        }
    }

    // Shows M01.
    @Test func nothingIsOfferedUnlessSwitchedOn() throws {
        try Stage.play { stage in
            let players = try Players(.mpv, on: stage)
            let (laptop, desktop) = (players.pair.laptop, players.pair.desktop)
            let watch = try desktop.watchActivities()
            _ = try players.play(on: laptop)
            let listed = try laptop.json("programs", "list")
            #expect(listed.first(where: "program", is: "mpv")?["on"]?.bool == false)
            #expect(try desktop.json("activity", "list").elements.isEmpty)

            try laptop.handoff("programs", "on", "mpv")
            try watch.output.next("the music") { $0.contains("töne #1, 100%?") }
            try laptop.handoff("programs", "off", "mpv")
            try watch.output.next("an empty list") { $0 == "[]" }
        }
    }

    // Shows M07.
    @Test func fileThatTheReceiverLacksPlaysAsACopy() throws {
        try Stage.play { stage in
            let players = try Players(.mpv, on: stage)
            let (laptop, desktop) = (players.pair.laptop, players.pair.desktop)
            try FileManager.default.removeItem(at: desktop.music)
            try laptop.handoff("programs", "on", "mpv")
            let watch = try desktop.watchActivities()
            _ = try players.play(on: laptop)
            let list = try watch.output.next("the music") { $0.contains("töne #1, 100%?") }
            try desktop.handoff("activity", "continue", try activity(in: list))
            let copy = desktop.home.appending(path: "töne #1, 100%?\n (from laptop).wav")
            #expect(try Data(contentsOf: copy) == Data(contentsOf: laptop.music))
            #expect(try players.property("Metadata", on: desktop).contains("(from%20laptop).wav"))
        }
    }

    // Shows M02.
    @Test func largeFileThatTheReceiverLacksIsNamed() throws {
        try Stage.play { stage in
            let players = try Players(.mpv, on: stage)
            let (laptop, desktop) = (players.pair.laptop, players.pair.desktop)
            try FileManager.default.removeItem(at: desktop.music)
            // Sparse, and longer than the music.
            #expect(truncate(laptop.music.path, 257 << 20) == 0)
            try laptop.handoff("programs", "on", "mpv")
            let watch = try desktop.watchActivities()
            _ = try players.play(on: laptop)
            let list = try watch.output.next("the music") { $0.contains("töne #1, 100%?") }
            let ended = try desktop.command(["activity", "continue", try activity(in: list)])
            #expect(ended.code != 0)
            #expect(ended.errors.contains("Music/töne #1, 100%?"), "\(ended.errors)")
            // Nothing was paused.
            #expect(try players.property("PlaybackStatus", on: laptop).contains("Playing"))
        }
    }
}
