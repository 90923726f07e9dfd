// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// Films in web pages, in the real Firefox as it is, between two devices with screens and a sound server.
// Shows M02.
@Suite(.serialized, .needsNamespaces) struct WebMediaTests {
    private static let program = "firefox-esr"
    private static let isPossible = [program, "pipewire", "pipewire-pulse", "wireplumber", "mpv"].allSatisfy(
        HomePair.isInstalled)
    private static let player = "org.mpris.MediaPlayer2"
    private static let port = 8042
    private static func page(_ name: String) -> String { "http://127.0.0.1:\(port)/\(name).html" }

    /// The devices have the same site, each on its own 127.0.0.1. `autoplays`: the desktop's Firefox lets pages play without
    /// the user's permission.
    private func begin(on stage: Stage, autoplays: Bool = true, isPrivate: Bool = false) throws -> Pair {
        let film = stage.folder.appending(path: "film.webm")
        // Firefox shows only media with sound to the bus.
        _ = try RunningProgram.run([
            "mpv", "--no-config", "--quiet", "--ovc=libvpx", "--ovcopts=deadline=realtime,cpu-used=8", "--oac=libopus",
            "av://lavfi:testsrc=d=120:r=2:s=160x120[out0];sine=frequency=200:duration=120[out1]", "--o=\(film.path)",
        ])
        let pair = try HomePair.begin(on: stage, screens: true) { device in
            try device.write(try Data(contentsOf: film), to: "site/film.webm")
            // Python's server sends no part of a file, so the page loads the whole film first.
            for (name, title) in [("film", "A film"), ("other", "Another film")] {
                let page = """
                    <!doctype html><title>\(title)</title><video autoplay></video><script>
                    const video = document.querySelector("video")
                    fetch("film.webm").then(film => film.blob()).then(film => video.src = URL.createObjectURL(film))
                    onmousedown = () => video.play()
                    </script>
                    """
                try device.write(page, to: "site/\(name).html")
            }
            try device.write(Self.profiles, to: ".mozilla/firefox/profiles.ini")
            let isBlocked = !autoplays && device.name == "desktop"
            try device.write(
                """
                user_pref("browser.aboutwelcome.enabled", false);
                user_pref("browser.privatebrowsing.autostart", \(isPrivate));
                user_pref("browser.shell.checkDefaultBrowser", false);
                user_pref("datareporting.policy.dataSubmissionEnabled", false);
                user_pref("media.autoplay.default", \(isBlocked ? 1 : 0));

                """, to: ".mozilla/firefox/person/user.js")
            try device.write(Self.silence, to: ".config/pipewire/pipewire.conf.d/silence.conf")
            try device.write("ao=null\nvo=null\n", to: ".config/mpv/mpv.conf")
            try device.write(Players.tone(), to: Players.music)
        }
        for device in [pair.laptop, pair.desktop] {
            // The others end if they cannot connect to the first.
            try device.start(program: ["pipewire"], name: "pipewire").output.next(starting: "PipeWire is ready")
            for server in ["wireplumber", "pipewire-pulse"] { _ = try device.start(program: [server], name: server) }
            try device.awaitBusName("org.pulseaudio.Server")
            let settings = try device.start(program: ["pw-metadata", "-m"], name: "pw-metadata")
            try settings.output.next("the loudspeaker") { $0.contains("'default.audio.sink'") }
            let site = [
                "/usr/bin/python3", "-u", "-m", "http.server", "\(Self.port)", "--bind", "127.0.0.1", "--directory",
            ]
            let server = try device.start(program: site + [device.home.path + "/site"], name: "site")
            try server.output.next(starting: "Serving")
        }
        return pair
    }

    /// The number identifies the folder of Debian's Firefox.
    private static let profiles = """
        [Profile0]
        Name=person
        IsRelative=1
        Path=person

        [General]
        StartWithLastProfile=1
        Version=2

        [Install3B6073811A6ABF12]
        Default=person
        Locked=1
        """

    /// A loudspeaker that nobody hears.
    private static let silence = """
        context.objects = [ { factory = adapter args = {
            factory.name = support.null-audio-sink  node.name = silence  media.class = Audio/Sink
            audio.position = [ FL FR ]
        } } ]
        context.exec = [ { path = echo args = "PipeWire is ready" } ]
        """

    private func open(_ url: String, on device: Device) throws {
        _ = try device.start(program: [Self.program, url], name: "Firefox")
    }

    /// A page that begins to play reports that it is at 0.
    private func awaitTheSecondHalf(_ signals: RunningProgram, within bound: Duration = .seconds(20)) throws {
        try signals.output.next("the position", within: bound) { $0.contains(/^ +int64 6[0-9]{7}$/) }
    }

    /// Plays the film on the laptop, and pauses it after a minute. Returns the activity.
    private func watchHalfTheFilm(of pair: Pair) throws -> String {
        try pair.laptop.handoff("programs", "on", Self.program)
        let list = try pair.desktop.watchActivities()
        let signals = try pair.laptop.monitorPlayers()
        try open(Self.page("film"), on: pair.laptop)
        let offers = try list.output.next("the film", within: .seconds(60)) { $0.contains("A film") }
        let offer = try #require(try JSON(text: offers).elements.first)
        #expect(offer["app"]?.string == "system:\(Self.program)")
        let name = try #require(try pair.laptop.busNames().first { $0.hasPrefix("\(Self.player).firefox") })
        try pair.laptop.call(
            name, "/org/mpris/MediaPlayer2", "\(Self.player).Player.SetPosition",
            ["/org/mpris/MediaPlayer2/firefox", "61500000"])
        try awaitTheSecondHalf(signals)
        try pair.laptop.call(name, "/org/mpris/MediaPlayer2", "\(Self.player).Player.Pause")
        try signals.output.next("that it is paused") { $0.contains("Paused") }
        return try #require(offer["activity"]?.string)
    }

    @Test(.enabled(if: isPossible), arguments: [true, false])
    func filmInAPageContinuesAtTheSameSecond(isRunning: Bool) throws {
        try Stage.play { stage in
            let pair = try begin(on: stage)
            let signals = try pair.desktop.monitorPlayers()
            if isRunning {
                try open(Self.page("other"), on: pair.desktop)
                // Firefox always reports a position, but its title only if that changes after it has its name.
                try signals.output.next("the other film", within: .seconds(60)) { $0.contains("int64") }
            }
            let activity = try watchHalfTheFilm(of: pair)
            try pair.desktop.handoff("activity", "continue", activity)
            try awaitTheSecondHalf(signals, within: .seconds(60))
            let name = try #require(try pair.desktop.busNames().first { $0.hasPrefix("\(Self.player).firefox") })
            let metadata = try pair.desktop.property(
                "Metadata", of: "\(Self.player).Player", name, "/org/mpris/MediaPlayer2")
            #expect(metadata.contains("'A film'"), "\(metadata)")
        }
    }

    @Test(.enabled(if: isPossible)) func pageThatMayNotPlayIsMovedOnceTheUserStartsIt() throws {
        try Stage.play { stage in
            let pair = try begin(on: stage, autoplays: false)
            let signals = try pair.desktop.monitorPlayers()
            try open("about:blank", on: pair.desktop)
            try pair.desktop.run(["xdotool", "search", "--sync", "--onlyvisible", "--name", "Firefox"])
            let activity = try watchHalfTheFilm(of: pair)
            try pair.desktop.handoff("activity", "continue", activity)
            let names = try pair.desktop.busNames().filter { $0.hasPrefix("\(Self.player).firefox") }
            #expect(names.isEmpty)
            try pair.desktop.run(["xdotool", "search", "--sync", "--name", "A film"])
            try pair.desktop.run(["xdotool", "mousemove", "700", "500", "click", "1"])
            try awaitTheSecondHalf(signals)
        }
    }

    @Test(.enabled(if: isPossible)) func privateWindowIsNotOffered() throws {
        try Stage.play { stage in
            let pair = try begin(on: stage, isPrivate: true)
            for program in [Self.program, "mpv"] { try pair.laptop.handoff("programs", "on", program) }
            let list = try pair.desktop.watchActivities()
            let signals = try pair.laptop.monitorPlayers()
            try open(Self.page("film"), on: pair.laptop)
            try signals.output.next("the film", within: .seconds(60)) { $0.contains("Firefox is playing media") }
            _ = try pair.laptop.start(program: ["mpv", pair.laptop.music.path], name: "mpv")
            let offers = try list.output.next("the music") { $0.contains("system:mpv") }
            #expect(try JSON(text: offers).elements.count == 1)
        }
    }
}
