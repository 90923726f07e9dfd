// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// Real editors and shells in real terminals, between two devices. Handoff's files for them are loaded as their users do it.
@Suite(.serialized, .needsNamespaces) struct EditorTests {
    enum Editor: String, CaseIterable, Sendable {
        case vim
        case nvim
        case emacs

        /// Of the desktop entry.
        var entry: String { self == .emacs ? "emacsclient" : rawValue }

        /// Of an editor in a terminal.
        func command(_ file: String) -> [String] {
            switch self {
            case .vim, .nvim: [rawValue, "-u", "NONE", "-N", "-S", EditorTests.support("handoff.vim"), file]
            case .emacs: [rawValue, "-nw", "-Q", "-l", EditorTests.support("handoff.el"), file]
            }
        }

        /// Keys, of `xdotool`, that go to line 40, character 3.
        var keys: [String] {
            switch self {
            case .vim, .nvim: ["4", "0", "G", "0", "l", "l"]
            case .emacs: ["Escape", "g", "g", "4", "0", "Return", "ctrl+a", "ctrl+f", "ctrl+f"]
            }
        }
    }

    private static func support(_ name: String) -> String {
        Builds.root.appending(path: "Desktop/share/handoff/programs/\(name)").path
    }

    private static let text = "Notes/nötes #1, 100%?.txt"

    private func press(_ keys: [String], on device: Device, in window: String = "xterm") throws {
        try device.run(["xdotool", "search", "--sync", "--onlyvisible", "--class", window, "windowfocus", "--sync"])
        // As slowly as a person: an editor writes a report while one of its prompts is open.
        try device.run(["xdotool", "key", "--delay", "350"] + keys)
    }

    /// The loads of the vimrc are what the receiver's user has, too.
    private func begin(on stage: Stage) throws -> Pair {
        try HomePair.begin(on: stage, screens: true) { device in
            let lines = (1...60).map { "line \($0)" }.joined(separator: "\n")
            try device.write(lines + "\n", to: Self.text)
            try device.write("source \(Self.support("handoff.vim"))\n", to: ".vimrc")
            try device.write("source \(Self.support("handoff.vim"))\n", to: ".config/nvim/init.vim")
            try device.write("(load \"\(Self.support("handoff.el"))\")\n", to: ".emacs")
        }
    }

    // Shows M04.
    @Test(arguments: Editor.allCases.filter { HomePair.isInstalled($0.rawValue) && HomePair.isInstalled("xterm") })
    func fileContinuesAtTheSameLineAndColumn(in editor: Editor) throws {
        try Stage.play { stage in
            let pair = try begin(on: stage)
            let (laptop, desktop) = (pair.laptop, pair.desktop)
            try laptop.handoff("programs", "on", editor.entry)
            try laptop.awaitBusName("org.handoff.Adapters")
            let watch = try desktop.watchActivities()
            _ = try laptop.start(
                program: ["xterm", "-e"] + editor.command(laptop.home.path + "/" + Self.text), name: editor.rawValue)
            let list = try watch.output.next("the notes", within: .seconds(20)) { $0.contains("nötes #1, 100%?") }
            let calls = try laptop.monitor("type='method_call',member='Changed'")
            try press(editor.keys, on: laptop)
            try calls.output.next("that the cursor has moved") { $0.contains("member=Changed") }
            let offer = try #require(try JSON(text: list).elements.first)
            #expect(offer["app"]?.string == "system:\(editor.entry)")

            // The receiver's editor reports its place, too.
            try desktop.handoff("programs", "on", editor.entry)
            try desktop.awaitBusName("org.handoff.Adapters")
            let back = try laptop.watchActivities()
            try desktop.handoff("activity", "continue", try #require(offer["activity"]?.string))
            try back.output.next("the notes on the desktop", within: .seconds(20)) { $0.contains("nötes #1, 100%?") }
            #expect(try report(on: desktop) == "40\n3\n\(desktop.home.path)/\(Self.text)")
        }
    }

    // Shows M04, M07.
    @Test(.enabled(if: ["vim", "xterm", "git"].allSatisfy(HomePair.isInstalled)))
    func fileContinuesInAnotherCheckoutOfItsRepository() throws {
        try Stage.play { stage in
            let pair = try HomePair.begin(on: stage, screens: true) { device in
                let isLaptop = device.name == "laptop"
                let checkout = isLaptop ? "src/notes" : "work/anna"
                let remote = isLaptop ? "git@example.com:anna/notes.git" : "https://token@example.com/anna/notes"
                try device.write("text\n", to: "\(checkout)/doc/a.txt")
                for folder in ["objects", "refs"] { try device.write("", to: "\(checkout)/.git/\(folder)/empty") }
                try device.write("ref: refs/heads/main\n", to: "\(checkout)/.git/HEAD")
                try device.write("[remote \"origin\"]\nurl = \(remote)\n", to: "\(checkout)/.git/config")
                try device.write("source \(Self.support("handoff.vim"))\n", to: ".vimrc")
            }
            let (laptop, desktop) = (pair.laptop, pair.desktop)
            for device in [laptop, desktop] {
                try device.handoff("programs", "on", "vim")
                try device.awaitBusName("org.handoff.Adapters")
            }
            let watch = try desktop.watchActivities()
            let file = laptop.home.path + "/src/notes/doc/a.txt"
            _ = try laptop.start(program: ["xterm", "-e"] + Editor.vim.command(file), name: "vim")
            let list = try watch.output.next("the text", within: .seconds(20)) { $0.contains("a.txt") }
            let back = try laptop.watchActivities()
            try desktop.handoff(
                "activity", "continue", try #require(JSON(text: list).elements.first?["activity"]?.string))
            try back.output.next("the text on the desktop", within: .seconds(20)) { $0.contains("a.txt") }
            #expect(try report(on: desktop).hasSuffix("\(desktop.home.path)/work/anna/doc/a.txt"))
        }
    }

    // Shows M04.
    @Test(arguments: Editor.allCases.filter { HomePair.isInstalled($0.rawValue) && HomePair.isInstalled("xterm") })
    func editorThatGetsTheFocusIsOffered(editor: Editor) throws {
        try Stage.play { stage in
            let pair = try HomePair.begin(on: stage, screens: true) { device in
                for name in ["one", "two"] { try device.write("text\n", to: "\(name).txt") }
            }
            let (laptop, desktop) = (pair.laptop, pair.desktop)
            try laptop.handoff("programs", "on", editor.entry)
            try laptop.awaitBusName("org.handoff.Adapters")
            let watch = try desktop.watchActivities()
            for name in ["one", "two"] {
                let command = editor.command(laptop.home.path + "/\(name).txt")
                _ = try laptop.start(program: ["xterm", "-name", name, "-e"] + command, name: name)
                // As a window manager does. Before the editor runs: its late report of this focus would be the latest.
                try focus(name, on: laptop)
                try watch.output.next("the editor \(name)", within: .seconds(20)) { $0.contains("\(name).txt") }
            }
            for name in ["one", "two"] {
                try focus(name, on: laptop)
                try watch.output.next("the editor \(name) in front", within: .seconds(20)) {
                    $0.contains("\(name).txt")
                }
            }
        }
    }

    enum PlainEditor: String, CaseIterable, Sendable {
        case gedit = "org.gnome.gedit"
        case textEditor = "org.gnome.TextEditor"
        case kate = "org.kde.kate"
        case kwrite = "org.kde.kwrite"

        var program: String { self == .textEditor ? "gnome-text-editor" : "\(self)" }
    }

    // Shows M04: they reveal no line.
    @Test(arguments: PlainEditor.allCases.filter { HomePair.isInstalled($0.program) })
    func fileContinuesInAnEditorThatRevealsNoPlace(editor: PlainEditor) throws {
        try Stage.play { stage in
            let pair = try HomePair.begin(on: stage, screens: true) { device in
                // micro-editor/micro#1650: a number after a colon passed for a line.
                for name in ["grüße & #1.txt", "grüße & #1.txt:12"] { try device.write("text\n", to: name) }
            }
            let (laptop, desktop) = (pair.laptop, pair.desktop)
            for device in [laptop, desktop] { device.environment["GSETTINGS_BACKEND"] = "memory" }
            for device in [laptop, desktop] { try device.handoff("programs", "on", editor.rawValue) }
            let (watch, back) = (try desktop.watchActivities(), try laptop.watchActivities())
            _ = try laptop.start(program: [editor.program, laptop.home.path + "/grüße & #1.txt:12"], name: "editor")
            let list = try watch.output.next("the file", within: .seconds(40)) { $0.contains("grüße & #1.txt:12") }
            let activity = try #require(try JSON(text: list).elements.first?["activity"]?.string)
            try desktop.handoff("activity", "continue", activity)
            try back.output.next("the file on the other device", within: .seconds(40)) {
                $0.contains("grüße & #1.txt:12")
            }
        }
    }

    private func focus(_ terminal: String, on device: Device) throws {
        try device.run([
            "xdotool", "search", "--sync", "--onlyvisible", "--classname", terminal, "windowfocus", "--sync",
        ])
    }

    private func report(on device: Device) throws -> String {
        let folder = device.home.appending(path: "run/handoff-programs")
        let names = try Foundation.FileManager.default.contentsOfDirectory(atPath: folder.path)
        return try String(contentsOf: folder.appending(path: try #require(names.first)), encoding: .utf8)
    }

    enum FileManager: String, CaseIterable, Sendable {
        case nautilus = "org.gnome.Nautilus"
        case dolphin = "org.kde.dolphin"

        var program: String { self == .nautilus ? "nautilus" : "dolphin" }
    }

    // Shows M05.
    @Test(arguments: FileManager.allCases.filter { HomePair.isInstalled($0.program) })
    func folderContinuesInTheFileManager(manager: FileManager) throws {
        try Stage.play { stage in
            let folder = "Projects/a b #1, 100%?"
            let pair = try HomePair.begin(on: stage, screens: true) { device in
                try device.write("", to: folder + "/file")
                device.environment["GSETTINGS_BACKEND"] = "memory"
            }
            let (laptop, desktop) = (pair.laptop, pair.desktop)
            for device in [laptop, desktop] { try device.handoff("programs", "on", manager.rawValue) }
            // Dolphin speaks only when it enters a folder.
            if manager == .dolphin {
                for device in [laptop, desktop] { try device.awaitBusName("org.handoff.Adapters") }
            }
            let watch = try desktop.watchActivities()
            _ = try laptop.start(program: [manager.program, laptop.home.path + "/" + folder], name: manager.program)
            let list = try watch.output.next("the folder", within: .seconds(20)) { $0.contains("a b #1") }
            let offer = try #require(try JSON(text: list).elements.first)
            #expect(offer["app"]?.string == "system:\(manager.rawValue)")

            let back = try laptop.watchActivities()
            try desktop.handoff("activity", "continue", try #require(offer["activity"]?.string))
            try back.output.next("the folder on the desktop", within: .seconds(20)) { $0.contains("a b #1") }
        }
    }

    enum Shell: String, CaseIterable, Sendable {
        case bash
        case zsh
        case fish

        /// With the line of docs/adapters.md in its start file.
        func write(on device: Device) throws {
            let file = EditorTests.support("handoff.\(rawValue)")
            switch self {
            case .bash: try device.write(". \(file)\n", to: ".bashrc")
            case .zsh: try device.write(". \(file)\n", to: ".zshrc")
            case .fish: try device.write("source \(file)\n", to: ".config/fish/config.fish")
            }
        }
    }

    /// Keys that change to the folder "a b" by its pattern.
    private static let change = [
        "c", "d", "semicolon", "c", "d", "space", "P", "asterisk", "slash", "asterisk", "Return",
    ]

    // Shows M05.
    @Test(arguments: Shell.allCases.filter { HomePair.isInstalled($0.rawValue) && HomePair.isInstalled("xterm") })
    func terminalContinuesInTheSameFolder(with shell: Shell) throws {
        try Stage.play { stage in
            let pair = try HomePair.begin(on: stage, screens: true) { device in
                try device.write("", to: "Projects/a b/file")
                try shell.write(on: device)
                device.environment["SHELL"] = "/usr/bin/\(shell)"
            }
            let (laptop, desktop) = (pair.laptop, pair.desktop)
            let shown = try laptop.handoff("programs", "on", "debian-xterm")
            #expect(shown.contains("docs/adapters.md#shells"))
            try laptop.awaitBusName("org.handoff.Adapters")
            let watch = try desktop.watchActivities()
            _ = try laptop.start(program: ["xterm", "-e", shell.rawValue], name: "terminal")
            try press(Self.change, on: laptop)
            let list = try watch.output.next("the folder", within: .seconds(20)) { $0.contains("a b") }
            let offer = try #require(try JSON(text: list).elements.first)
            #expect(offer["app"]?.string == "system:debian-xterm")
            #expect(!list.contains("Projects/"))

            try desktop.handoff("programs", "on", "debian-xterm")
            try desktop.awaitBusName("org.handoff.Adapters")
            let back = try laptop.watchActivities()
            try desktop.handoff("activity", "continue", try #require(offer["activity"]?.string))
            try back.output.next("the folder on the desktop", within: .seconds(20)) { $0.contains("a b") }
        }
    }

    enum Terminal: String, CaseIterable, Sendable {
        case konsole = "org.kde.konsole"
        case xfce = "xfce4-terminal"
        case gnome = "org.gnome.Terminal"

        var program: String {
            switch self {
            case .konsole: "konsole"
            case .xfce: "xfce4-terminal"
            case .gnome: "gnome-terminal"
            }
        }
    }

    // Shows M05.
    @Test(arguments: Terminal.allCases.filter { HomePair.isInstalled($0.program) })
    func folderContinuesInEachTerminal(terminal: Terminal) throws {
        try Stage.play { stage in
            let pair = try HomePair.begin(on: stage, screens: true) { device in
                try device.write("", to: "Projects/a b/file")
                try Shell.bash.write(on: device)
                device.environment["SHELL"] = "/usr/bin/bash"
                device.environment["GSETTINGS_BACKEND"] = "memory"
            } services: { bus in
                try bus.start("org.gnome.Terminal", by: ["/usr/libexec/gnome-terminal-server"])
            }
            let (laptop, desktop) = (pair.laptop, pair.desktop)
            for device in [laptop, desktop] {
                try device.handoff("programs", "on", terminal.rawValue)
                try device.awaitBusName("org.handoff.Adapters")
            }
            let watch = try desktop.watchActivities()
            _ = try laptop.start(program: [terminal.program], name: "terminal")
            try press(Self.change, on: laptop, in: terminal.program)
            let list = try watch.output.next("the folder", within: .seconds(20)) { $0.contains("a b") }
            let offer = try #require(try JSON(text: list).elements.first)
            #expect(offer["app"]?.string == "system:\(terminal.rawValue)")

            let back = try laptop.watchActivities()
            try desktop.handoff("activity", "continue", try #require(offer["activity"]?.string))
            try back.output.next("the folder on the desktop", within: .seconds(20)) { $0.contains("a b") }
        }
    }

    /// The server of a multiplexer is no child of the terminal.
    // Shows M05.
    @Test(arguments: ["tmux", "screen"].filter { HomePair.isInstalled($0) && HomePair.isInstalled("xterm") })
    func folderContinuesFromAMultiplexer(multiplexer: String) throws {
        try Stage.play { stage in
            let pair = try HomePair.begin(on: stage, screens: true) { device in
                try device.write("", to: "Projects/a b/file")
                try Shell.bash.write(on: device)
                // As Debian's: tmux starts login shells.
                try device.write(". ~/.bashrc\n", to: ".profile")
                try device.write("startup_message off\n", to: ".screenrc")
                device.environment.merge([
                    "SHELL": "/usr/bin/bash", "TMUX_TMPDIR": device.home.path + "/run",
                    "SCREENDIR": device.home.path + "/run",
                ]) { $1 }
            }
            // Screen ignores the keys of the user nobody, who has the laptop.
            let (origin, other) = (pair.desktop, pair.laptop)
            try origin.handoff("programs", "on", "debian-xterm")
            try origin.awaitBusName("org.handoff.Adapters")
            let watch = try other.watchActivities()
            _ = try origin.start(program: ["xterm", "-e", multiplexer], name: "terminal")
            try press(Self.change, on: origin)
            defer { try? origin.run(multiplexer == "tmux" ? ["tmux", "kill-server"] : ["screen", "-X", "quit"]) }
            let list = try watch.output.next("the folder", within: .seconds(20)) { $0.contains("a b") }
            #expect(try JSON(text: list).elements.first?["app"]?.string == "system:debian-xterm")
        }
    }
}
