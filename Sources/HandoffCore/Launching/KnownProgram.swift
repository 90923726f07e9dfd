// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Programs with content of one kind continue each other's activities.
package enum ProgramContent: String, Hashable, Sendable, CaseIterable {
    /// The place is a time.
    case media
    /// Players cannot open it. The place is a time.
    case webMedia
    /// The place is a page.
    case document
    /// The place is a line and a column.
    case text
    case mail
    case point
    case folder
    /// A shell's working folder.
    case terminal

    package var activityType: ActivityType {
        switch self {
        case .media: .playingMedia
        case .webMedia: .playingPage
        case .document: .readingDocument
        case .text: .editingText
        case .mail: .readingMail
        case .point: .showingPoint
        case .folder: .showingFolder
        case .terminal: .usingTerminal
        }
    }

    /// The desktop's default program for it is this kind's default: a video player plays music too. Nil: no default.
    package var mimeType: String? {
        switch self {
        case .media: "video/mp4"
        case .webMedia: "text/html"
        case .document: "application/pdf"
        case .text: "text/plain"
        case .mail: "x-scheme-handler/mailto"
        case .point: "x-scheme-handler/geo"
        case .folder: "inode/directory"
        case .terminal: nil
        }
    }
}

/// Takes part unmodified, through an adapter.
package struct KnownProgram: Hashable, Sendable {
    package enum Interface: Hashable, Sendable, CaseIterable {
        /// `org.mpris.MediaPlayer2`.
        case player
        case evince
        /// `org.kde.KDirNotify`.
        case dolphin
        /// `org.freedesktop.FileManager1`.
        case fileManager
        case map
        case okular
        case zathura
        /// By the list of recent files, which gedit shares with others.
        case gedit
        case gnomeTextEditor
        case kate
        case kwrite
        /// The program's extension, or a shell's prompt, writes a file.
        case report

        /// The namespace on the bus in which the programs own names while they run. Nil: they have none.
        package var busNames: String? {
            switch self {
            case .player: "org.mpris.MediaPlayer2"
            case .fileManager: "org.freedesktop"
            case .map: "org.gnome.Maps"
            case .gedit: "org.gnome.gedit"
            case .gnomeTextEditor: "org.gnome.TextEditor"
            case .kate, .kwrite, .okular: "org.kde"
            case .zathura: "org.pwmt.zathura"
            case .dolphin, .evince, .report: nil
            }
        }

        package func owns(_ name: String) -> Bool {
            switch self {
            case .fileManager: name == "org.freedesktop.FileManager1"
            case .kate: name.hasPrefix("org.kde.kate-")
            case .kwrite: name.hasPrefix("org.kde.kwrite-")
            case .okular: name.hasPrefix("org.kde.okular-")
            default: true
            }
        }
    }

    package let entry: String
    package let content: ProgramContent
    package let interface: Interface
    /// Started by the adapter.
    package let executable: String
    package let processes: [String]

    private init(
        _ entry: String, _ content: ProgramContent, _ interface: Interface, executable: String,
        processes: [String] = []
    ) {
        (self.entry, self.content, self.interface, self.executable) = (entry, content, interface, executable)
        self.processes = [executable] + processes
    }

    /// A clause on which the user decides.
    package var reads: String {
        switch content {
        case .media, .webMedia: "the address, title and position of what it plays, and can fetch the file"
        case .document: "the path, title and page of the document that it shows, and can fetch it"
        case .text where [.kate, .kwrite].contains(interface):
            "the path and Git repository of the file in its first window, and can fetch it"
        case .text where interface != .report:
            "the path and Git repository of the file that it opened last, and can fetch it"
        case .text:
            "the path and Git repository of the file that it edits and the place of the cursor, and can fetch the file"
        case .mail: "the identifier and subject of the message that it shows"
        case .point: "the point that its map shows"
        case .folder: "the path of the folder that it shows"
        case .terminal: "the working folder of its shell and its Git repository, but no command"
        }
    }

    /// A clause: these things do not continue.
    package var loses: String {
        switch content {
        case .media: "playlists, chosen tracks and subtitles"
        case .webMedia: "private windows, and pages that the site does not show on the other device"
        case .document: "the place within the page"
        case .text: interface == .report ? "text that is not saved" : "text that is not saved, and the line"
        case .mail: "messages that the other device has not loaded"
        case .point: "the zoom, the search and routes"
        case .folder: "the selection, and folders that the other device does not have"
        case .terminal: "running programs, and folders that the other device does not have"
        }
    }

    package static let all: [KnownProgram] = [
        KnownProgram("mpv", .media, .player, executable: "mpv"),
        KnownProgram("vlc", .media, .player, executable: "vlc"),
        KnownProgram("io.github.celluloid_player.Celluloid", .media, .player, executable: "celluloid"),
        KnownProgram("firefox-esr", .webMedia, .player, executable: "firefox-esr"),
        KnownProgram("firefox", .webMedia, .player, executable: "firefox", processes: ["firefox-bin"]),
        KnownProgram("org.mozilla.firefox", .webMedia, .player, executable: "firefox", processes: ["firefox-bin"]),
        KnownProgram("org.gnome.Evince", .document, .evince, executable: "evince"),
        KnownProgram("org.kde.okular", .document, .okular, executable: "okular"),
        KnownProgram("org.pwmt.zathura", .document, .zathura, executable: "zathura"),
        KnownProgram("thunderbird", .mail, .report, executable: "thunderbird", processes: ["thunderbird-bin"]),
        KnownProgram("org.gnome.Maps", .point, .map, executable: "gnome-maps", processes: ["gjs-console"]),
        KnownProgram("org.gnome.Nautilus", .folder, .fileManager, executable: "nautilus"),
        KnownProgram("org.kde.dolphin", .folder, .dolphin, executable: "dolphin"),
        KnownProgram("code", .text, .report, executable: "code"),
        KnownProgram("codium", .text, .report, executable: "codium"),
        KnownProgram("org.gnome.gedit", .text, .gedit, executable: "gedit"),
        KnownProgram("org.gnome.TextEditor", .text, .gnomeTextEditor, executable: "gnome-text-editor"),
        KnownProgram("org.kde.kate", .text, .kate, executable: "kate"),
        KnownProgram("org.kde.kwrite", .text, .kwrite, executable: "kwrite"),
        KnownProgram("nvim", .text, .report, executable: "nvim"),
        KnownProgram(
            "vim", .text, .report, executable: "vim",
            processes: ["vim.basic", "vim.nox", "vim.gtk3", "vim.motif", "vim.tiny"]),
        KnownProgram(
            "emacsclient", .text, .report, executable: "emacs",
            processes: ["emacs-gtk", "emacs-lucid", "emacs-nox", "emacs-pgtk"]),
        KnownProgram(
            "org.gnome.Terminal", .terminal, .report, executable: "gnome-terminal",
            processes: ["gnome-terminal-server"]),
        KnownProgram("org.kde.konsole", .terminal, .report, executable: "konsole"),
        KnownProgram("xfce4-terminal", .terminal, .report, executable: "xfce4-terminal"),
        KnownProgram("debian-xterm", .terminal, .report, executable: "xterm"),
    ]

    package static func of(entry: String) -> KnownProgram? { all.first { $0.entry == entry } }
    package static func of(_ bundle: BundleID) -> KnownProgram? { bundle.desktopEntry.flatMap(of(entry:)) }
}
