// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// The window with the focus is the one that is offered, with real window managers.
@Suite(.serialized, .needsNamespaces) struct FocusTests {
    /// Two in zathura on the laptop, the second in front. Returns the list of the desktop, which has shown both.
    private func openDocuments(
        under manager: WindowManager, on stage: Stage
    ) throws -> (laptop: Device, watch: RunningProgram) {
        let pair = try HomePair.begin(on: stage) { device in
            for name in ["one", "two"] { try device.write(SampleBook.pages(3), to: "\(name).pdf") }
        }
        let (laptop, desktop) = (pair.laptop, pair.desktop)
        try manager.start(on: laptop)
        try laptop.handoff("programs", "on", "org.pwmt.zathura")
        let watch = try desktop.watchActivities()
        for name in ["one", "two"] {
            _ = try laptop.start(program: ["zathura", laptop.home.path + "/\(name).pdf"], name: name)
            try watch.output.next("the document \(name)", within: .seconds(20)) { $0.contains("\(name).pdf") }
        }
        return (laptop, watch)
    }

    // Shows M01, M03.
    @Test(arguments: WindowManager.allCases.filter(\.isInstalled))
    func documentWhoseWindowHasTheFocusIsOffered(by manager: WindowManager) throws {
        try Stage.play { stage in
            let (laptop, watch) = try openDocuments(under: manager, on: stage)
            for name in ["one", "two", "one"] {
                try manager.focus("\(name).pdf", on: laptop)
                try watch.output.next("the document \(name) in front", within: .seconds(20)) {
                    $0.contains("\(name).pdf")
                }
            }
        }
    }

    private func endAdapters(on device: Device) throws {
        let bus = "org.freedesktop.DBus"
        let answer = try device.call(bus, "/", "\(bus).GetConnectionUnixProcessID", ["org.handoff.Adapters"])
        let process = String(answer.filter(\.isNumber).dropFirst("32".count))
        try device.run("kill", process)
        try device.run("tail", "--pid=\(process)", "--sleep-interval=0.05", "-f", "/dev/null")
    }

    // Shows M03: the focus is where it was before the program was switched on.
    @Test(arguments: WindowManager.allCases.filter(\.isInstalled))
    func documentThatHasTheFocusAlreadyIsOffered(by manager: WindowManager) throws {
        try Stage.play { stage in
            let (laptop, watch) = try openDocuments(under: manager, on: stage)
            func turn(_ word: String) throws { try laptop.handoff("programs", word, "org.pwmt.zathura") }
            for name in ["one", "two", "one"] {
                try turn("off")
                try watch.output.next("no document") { $0 == "[]" }
                try endAdapters(on: laptop)
                try manager.focus("\(name).pdf", on: laptop)
                try turn("on")
                try watch.output.next("the document \(name)", within: .seconds(20)) { $0.contains("\(name).pdf") }
            }
        }
    }

    // ActivityWatch/aw-watcher-window#19: a window has closed before anything is asked about it.
    @Test(.enabled(if: WindowManager.openbox.isInstalled && HomePair.isInstalled("xterm")))
    func focusIsFollowedAfterWindowsThatCloseAtOnce() throws {
        try Stage.play { stage in
            let (laptop, watch) = try openDocuments(under: .openbox, on: stage)
            for _ in 0..<20 { try laptop.run("xterm", "-e", "true") }
            try WindowManager.openbox.focus("one.pdf", on: laptop)
            try watch.output.next("the first document", within: .seconds(20)) { $0.contains("one.pdf") }
        }
    }

    // nix-community/home-manager#5988: the program that follows the focus ends with the X server.
    @Test(arguments: WindowManager.allCases.filter(\.isInstalled))
    func programIsOfferedAfterItsDesktopHasEnded(by manager: WindowManager) throws {
        try Stage.play { stage in
            let players = try Players(.mpv, on: stage)
            let (laptop, desktop) = (players.pair.laptop, players.pair.desktop)
            let screen = try manager.start(on: laptop)
            try laptop.handoff("programs", "on", "mpv")
            let watch = try desktop.watchActivities()
            _ = try players.play(on: laptop)
            try watch.output.next("the music") { $0.contains("töne") }
            screen.stop()
            try laptop.handoff("programs", "off", "mpv")
            try watch.output.next("nothing") { $0 == "[]" }
            try laptop.handoff("programs", "on", "mpv")
            try watch.output.next("the music again") { $0.contains("töne") }
        }
    }

    // Shows M01.
    @Test(.enabled(if: WindowManager.openbox.isInstalled && HomePair.isInstalled("okular")))
    func programWhoseWindowHasTheFocusIsFirst() throws {
        try Stage.play { stage in
            let pair = try HomePair.begin(on: stage) { device in
                for program in ["zathura", "okular"] { try device.write(SampleBook.pages(3), to: "\(program).pdf") }
            }
            let (laptop, desktop) = (pair.laptop, pair.desktop)
            try WindowManager.openbox.start(on: laptop)
            for program in ["org.pwmt.zathura", "org.kde.okular"] { try laptop.handoff("programs", "on", program) }
            let watch = try desktop.watchActivities()
            for program in ["zathura", "okular"] {
                let file = laptop.home.path + "/\(program).pdf"
                _ = try laptop.start(program: [program, file], name: program)
                try watch.output.next("the document in \(program)", within: .seconds(20)) {
                    $0.contains("\(program).pdf")
                }
            }
            for program in ["zathura", "okular", "zathura"] {
                try WindowManager.openbox.focus("\(program).pdf", on: laptop)
                try watch.output.next("\(program) first", within: .seconds(20)) { line in
                    let first = try? JSON(text: line).elements.first?["title"]?.string
                    return first == "\(program).pdf"
                }
            }
        }
    }
}
