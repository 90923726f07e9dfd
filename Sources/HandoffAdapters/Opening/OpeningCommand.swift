// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffSystem

struct OpeningCommand {
    /// Debian's administrator chooses which.
    static let terminal = "/usr/bin/x-terminal-emulator"

    /// The first is the executable.
    let words: [String]
    /// In which it begins. Nil: the home folder.
    private(set) var folder: String?

    init(words: [String]) { self.words = words }

    /// `target`: an address of http, https, mid or geo, or an absolute path, so that it is never read as an option. Nil
    /// if the program cannot open it.
    init?(_ program: KnownProgram, _ executable: String, opening target: String, _ state: ProgramState) {
        var page: [String] = []
        var seconds: String?
        var cursor: (line: Int, column: Int)?
        switch state.place {
        case .page(let number)?: page = ["\(number)"]
        case .time(let time)?: seconds = Self.text(time)
        case .cursor(let line, let column)?: cursor = (line, column)
        case nil: break
        }
        let arguments: [String]
        switch program.entry {
        case "mpv":
            arguments =
                (seconds.map { ["--start=\($0)"] } ?? []) + (state.isPlaying ? [] : ["--pause"]) + ["--", target]
        case "vlc":
            arguments =
                (seconds.map { ["--start-time=\($0)"] } ?? []) + (state.isPlaying ? [] : ["--start-paused"])
                + ["--no-one-instance", target]
        case "io.github.celluloid_player.Celluloid":
            arguments =
                (seconds.map { ["--mpv-start=\($0)"] } ?? []) + (state.isPlaying ? [] : ["--mpv-pause"])
                + ["--new-window", target]
        case "firefox-esr", "firefox", "org.mozilla.firefox": arguments = [target]
        case "thunderbird", "org.gnome.Maps", "org.gnome.TextEditor": arguments = [target]
        case "org.gnome.gedit": arguments = [target] + (cursor.map { ["+\($0.line):\($0.column)"] } ?? [])
        case "org.kde.kate", "org.kde.kwrite":
            arguments = (cursor.map { ["--line", "\($0.line)", "--column", "\($0.column)"] } ?? []) + [target]
        case "org.gnome.Evince": arguments = page.map { "--page-index=\($0)" } + [target]
        case "org.gnome.Nautilus", "org.kde.dolphin": arguments = ["--new-window", target]
        case "org.kde.okular": arguments = page.flatMap { ["-p", $0] } + [target]
        case "org.pwmt.zathura": arguments = page.flatMap { ["-P", $0] } + ["--", target]
        case "vim", "nvim":
            let place = cursor.map { ["-c", "call setcursorcharpos(\($0.line), \($0.column))"] } ?? []
            words = [Self.terminal, "-e", executable] + place + ["--", target]
            return
        case "code", "codium":
            // Otherwise, it would read a number in the path as the line.
            let isAmbiguous = target.split(separator: ":").dropFirst().contains { Int($0) != nil }
            arguments =
                isAmbiguous ? [target] : cursor.map { ["--goto", "\(target):\($0.line):\($0.column)"] } ?? [target]
        case "emacsclient":
            // A running Emacs opens it if it is a server.
            let emacs = Self.needsTerminal(executable) ? "\(Self.terminal) -e \(executable)" : executable
            words =
                ["/usr/bin/emacsclient", "--no-wait", "--alternate-editor=\(emacs)"]
                + (cursor.map { ["+\($0.line):\($0.column)"] } ?? []) + [target]
            return
        case "org.gnome.Terminal", "xfce4-terminal": arguments = ["--working-directory=\(target)"]
        case "org.kde.konsole": arguments = ["--workdir", target]
        case "debian-xterm":
            arguments = []
            folder = target
        default: return nil
        }
        words = [executable] + arguments
    }

    /// Debian's Emacs without windows.
    private static func needsTerminal(_ emacs: String) -> Bool {
        emacs.followingLinks?.hasSuffix("-nox") ?? false
    }

    /// With three digits, in every language.
    private static func text(_ seconds: Double) -> String {
        let milliseconds = Int64((seconds * 1000).rounded())
        return "\(milliseconds / 1000).\(String(milliseconds % 1000 + 1000).dropFirst())"
    }
}
