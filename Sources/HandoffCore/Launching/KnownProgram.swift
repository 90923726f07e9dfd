// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// The kind of a program's content. Programs of one kind continue each other's activities.
package enum ProgramContent: String, Hashable, Sendable, CaseIterable {
    /// Films and music. The place is a time.
    case media

    package var activityType: ActivityType {
        switch self {
        case .media: .playingMedia
        }
    }
}

/// A program that takes part unmodified, through an adapter.
package struct KnownProgram: Hashable, Sendable {
    /// The identifier of its desktop entry.
    package let entry: String
    package let content: ProgramContent
    /// The executable that the adapter starts.
    package let executable: String

    /// A clause about what the adapter reads, on which the user decides.
    package var reads: String {
        switch content {
        case .media: "the address, title and position of what it plays, while it plays or is paused"
        }
    }

    /// A clause about what does not continue.
    package var loses: String {
        switch content {
        case .media: "playlists, chosen tracks and subtitles, and files that the other device does not have"
        }
    }

    package static let all: [KnownProgram] = [
        KnownProgram(entry: "mpv", content: .media, executable: "mpv"),
        KnownProgram(entry: "vlc", content: .media, executable: "vlc"),
        KnownProgram(entry: "io.github.celluloid_player.Celluloid", content: .media, executable: "celluloid"),
    ]

    package static func of(entry: String) -> KnownProgram? { all.first { $0.entry == entry } }
    package static func of(_ bundle: BundleID) -> KnownProgram? { bundle.desktopEntry.flatMap(of(entry:)) }
}
