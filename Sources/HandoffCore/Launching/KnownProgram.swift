// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// The kind of a program's content. Programs of one kind continue each other's activities.
package enum ProgramContent: String, Hashable, Sendable, CaseIterable {
    /// Films and music. The place is a time.
    case media
    /// The place is a page.
    case document

    package var activityType: ActivityType {
        switch self {
        case .media: .playingMedia
        case .document: .readingDocument
        }
    }
}

/// A program that takes part unmodified, through an adapter.
package struct KnownProgram: Hashable, Sendable {
    /// How an adapter learns what the program shows.
    package enum Interface: Hashable, Sendable, CaseIterable {
        /// `org.mpris.MediaPlayer2`.
        case player
        case okular
        case zathura

        /// The namespace on the bus in which the programs own names while they run.
        package var busNames: String {
            switch self {
            case .player: "org.mpris.MediaPlayer2"
            case .okular: "org.kde"
            case .zathura: "org.pwmt.zathura"
            }
        }

        /// Of the namespace.
        package func owns(_ name: String) -> Bool {
            switch self {
            case .okular: name.hasPrefix("org.kde.okular-")
            default: true
            }
        }
    }

    /// The identifier of its desktop entry.
    package let entry: String
    package let content: ProgramContent
    package let interface: Interface
    /// The executable that the adapter starts.
    package let executable: String
    /// Names of the executables that its processes run.
    package let processes: [String]

    private init(
        _ entry: String, _ content: ProgramContent, _ interface: Interface, executable: String,
        processes: [String] = []
    ) {
        (self.entry, self.content, self.interface, self.executable) = (entry, content, interface, executable)
        self.processes = [executable] + processes
    }

    /// A clause about what the adapter reads, on which the user decides.
    package var reads: String {
        switch content {
        case .media: "the address, title and position of what it plays, while it plays or is paused"
        case .document: "the path, title and page of the document that it shows"
        }
    }

    /// A clause about what does not continue.
    package var loses: String {
        switch content {
        case .media: "playlists, chosen tracks and subtitles, and files that the other device does not have"
        case .document: "the place within the page, and files that the other device does not have"
        }
    }

    package static let all: [KnownProgram] = [
        KnownProgram("mpv", .media, .player, executable: "mpv"),
        KnownProgram("vlc", .media, .player, executable: "vlc"),
        KnownProgram("io.github.celluloid_player.Celluloid", .media, .player, executable: "celluloid"),
        KnownProgram("org.kde.okular", .document, .okular, executable: "okular"),
        KnownProgram("org.pwmt.zathura", .document, .zathura, executable: "zathura"),
    ]

    package static func of(entry: String) -> KnownProgram? { all.first { $0.entry == entry } }
    package static func of(_ bundle: BundleID) -> KnownProgram? { bundle.desktopEntry.flatMap(of(entry:)) }
}
