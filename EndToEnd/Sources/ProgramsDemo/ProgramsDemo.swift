// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices

/// Real programs that know nothing of Handoff, on two devices with a screen each. Saves a picture of the screens in the named
/// file, if there is one: the laptop's above the desktop's.
@main struct ProgramsDemo {
    static let film = "Videos/Boats.mkv"
    static let book = "Documents/Harbour.pdf"
    static let notes = "Notes/packing.txt"
    static let patience = Duration.seconds(30)

    private let laptop: Device
    private let desktop: Device
    private let timeline: Timeline
    private let watch: RunningProgram
    private let picture: URL?
    private var screens: (laptop: [URL], desktop: [URL]) = ([], [])

    static func main() {
        let picture = CommandLine.arguments.dropFirst().first.map { URL(filePath: $0) }
        Stage.playAsProgram(orSay: "The demo failed") { stage in
            if let missing = Network.missing { throw Unmet(missing) }
            var demo = try ProgramsDemo(on: stage, picture)
            try demo.continueFilm()
            try demo.continueDocument()
            try demo.continueText()
            try demo.savePicture()
        }
    }

    private init(on stage: Stage, _ picture: URL?) throws {
        self.picture = picture
        timeline = Timeline()
        timeline.say("Two devices, laptop and desktop, with the same files. Their programs know nothing of Handoff.")
        let film = stage.folder.appending(path: "film.mkv")
        try Self.make(film)
        let pair = try HomePair.begin(on: stage, screens: true) { device in
            // Without loudspeakers and a graphics card.
            try device.write("ao=null\nvo=x11\ngeometry=960x540\n", to: ".config/mpv/mpv.conf")
            try device.write(try Data(contentsOf: film), to: Self.film)
            try device.write(SampleBook.pages(30), to: Self.book)
            let lines = (1...60).map { "\($0). \(["rope", "lamp", "chart", "kettle", "anchor"][$0 % 5])" }
            try device.write(lines.joined(separator: "\n") + "\n", to: Self.notes)
            try device.write(
                "*faceName: DejaVu Sans Mono\n*faceSize: 16\n*VT100.geometry: 72x26\n", to: ".Xdefaults")
            let support = Builds.root.appending(path: "Desktop/share/handoff/programs/handoff.vim").path
            try device.write("set cursorline\nsource \(support)\n", to: ".vimrc")
        }
        (laptop, desktop) = (pair.laptop, pair.desktop)
        watch = try desktop.watchActivities()
        for device in [laptop, desktop] {
            for program in ["mpv", "org.pwmt.zathura", "vim"] { try device.handoff("programs", "on", program) }
            timeline.note(device.name, "handoff programs on: mpv, zathura, Vim")
        }
    }

    /// Two minutes in which the seconds are counted on the picture.
    private static func make(_ film: URL) throws {
        let made = try RunningProgram.run([
            "mpv", "--no-config", "--really-quiet", "av://lavfi:testsrc=duration=120:size=480x270:rate=10",
            "--o=\(film.path)", "--ovc=mpeg4",
        ])
        guard made.code == 0 else { throw Unmet("mpv cannot make a film: \(made.errors)") }
    }

    // MARK: Acts

    private mutating func continueFilm() throws {
        timeline.heading("Pause a film on the laptop, and continue it on the desktop")
        let player = "org.mpris.MediaPlayer2.mpv"
        let path = laptop.home.appending(path: Self.film).path
        let shown = try laptop.start(program: ["mpv", "--start=61", "--pause", path], name: "mpv")
        try continueActivity("Boats", "mpv shows Boats.mkv, paused at 61 s") {
            try desktop.awaitBusName(player)
            let position = try number(
                "Position", of: "org.mpris.MediaPlayer2.Player", player, "/org/mpris/MediaPlayer2")
            return "mpv shows Boats.mkv at \(position / 1_000_000) s"
        }
        try takePictures("film")
        shown.stop()
        try desktop.run(["pkill", "-x", "mpv"])
    }

    private mutating func continueDocument() throws {
        timeline.heading("Turn a page on the laptop, and read on on the desktop")
        let path = laptop.home.appending(path: Self.book).path
        let shown = try laptop.start(program: ["zathura", "-P", "12", path], name: "zathura")
        try continueActivity("Harbour", "zathura shows page 12 of Harbour.pdf") {
            guard let name = try desktop.busNames().first(where: { $0.hasPrefix("org.pwmt.zathura.") }) else {
                throw Unmet("zathura is not running")
            }
            let page = try number("pagenumber", of: "org.pwmt.zathura", name, "/org/pwmt/zathura")
            return "zathura shows page \(page + 1) of Harbour.pdf"
        }
        try takePictures("page")
        shown.stop()
        try desktop.run(["pkill", "-x", "zathura"])
    }

    private mutating func continueText() throws {
        timeline.heading("Move the cursor on the laptop, and write on on the desktop")
        let path = laptop.home.appending(path: Self.notes).path
        let back = try laptop.watchActivities()
        let shown = try laptop.start(program: ["xterm", "-e", "vim", "+call cursor(40, 5)", path], name: "vim")
        try continueActivity("packing.txt", "Vim shows packing.txt, with the cursor at line 40, column 5") {
            try back.output.next("the text of the desktop", within: Self.patience) { $0.contains("packing.txt") }
            let folder = desktop.home.appending(path: "run/handoff-programs")
            let name = try FileManager.default.contentsOfDirectory(atPath: folder.path).first ?? ""
            let report = try String(contentsOf: folder.appending(path: name), encoding: .utf8).split(separator: "\n")
            return "Vim shows packing.txt, with the cursor at line \(report[0]), column \(report[1])"
        }
        try takePictures("cursor")
        shown.stop()
    }

    // MARK: Parts of an act

    /// On the desktop.
    private func number(_ property: String, of interface: String, _ name: String, _ path: String) throws -> Int {
        let shown = try desktop.property(property, of: interface, name, path)
        guard let number = shown.firstMatch(of: /int(?:32|64) (\d+)/).flatMap({ Int($0.1) }) else {
            throw Unmet("\(property) of \(name) is \(shown)")
        }
        return number
    }

    /// `result`: a sentence about the program on the desktop.
    private func continueActivity(_ title: String, _ begin: String, result: () throws -> String) throws {
        timeline.note("laptop", begin)
        let list = try watch.output.next("\(title) in the list", within: Self.patience) { $0.contains(title) }
        timeline.note("desktop", "lists it")
        let offers = try JSON(text: list).elements
        guard let id = offers.first(where: { $0["title"]?.string?.contains(title) == true })?["activity"]?.string else {
            throw Unmet("\(title) is not in the list")
        }
        let asked = timeline.now
        try desktop.handoff("activity", "continue", id, within: Self.patience)
        let took = Int((timeline.now - asked) / .milliseconds(1))
        timeline.note("desktop", "\(try result()), \(took) ms after the click")
    }

    private mutating func takePictures(_ name: String) throws {
        guard picture != nil else { return }
        func take(_ device: Device) throws -> URL {
            let file = device.home.appending(path: "\(name).png")
            try must(device.prefix + ["import", "-window", "root", file.path], environment: device.environment)
            return file
        }
        screens.laptop.append(try take(laptop))
        screens.desktop.append(try take(desktop))
    }

    private func savePicture() throws {
        guard let picture else { return }
        try must(
            ["montage"] + (screens.laptop + screens.desktop).map(\.path) + [
                "-tile", "3x2", "-geometry", "400x288+6+6", "-background", "#808080", "-strip", "-quality", "95",
                "PNG24:\(picture.path)",
            ])
        timeline.say("\n\(picture.relativePath)")
    }

    private func must(_ command: [String], environment: [String: String] = [:]) throws {
        let ended = try RunningProgram.run(command, environment: environment)
        guard ended.code == 0 else { throw Unmet("no picture was taken: \(ended.errors)") }
    }
}
