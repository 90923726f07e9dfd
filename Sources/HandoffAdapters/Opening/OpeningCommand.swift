// SPDX-License-Identifier: Apache-2.0

import HandoffCore

/// The arguments with which a program begins at a place.
enum OpeningCommand {
    /// `target`: an address of http or https, or an absolute path, so that it is never read as an option. Nil if the program
    /// cannot open it.
    static func arguments(of program: KnownProgram, opening target: String, _ state: ProgramState) -> [String]? {
        let page: Int? = if case .page(let page)? = state.place { page } else { nil }
        let seconds = state.seconds.map(text)
        switch program.entry {
        case "mpv":
            return (seconds.map { ["--start=\($0)"] } ?? []) + (state.isPlaying ? [] : ["--pause"]) + ["--", target]
        case "vlc":
            return (seconds.map { ["--start-time=\($0)"] } ?? []) + (state.isPlaying ? [] : ["--start-paused"])
                + ["--no-one-instance", target]
        case "io.github.celluloid_player.Celluloid":
            return (seconds.map { ["--mpv-start=\($0)"] } ?? []) + (state.isPlaying ? [] : ["--mpv-pause"])
                + ["--new-window", target]
        case "org.gnome.Evince": return (page.map { ["--page-index=\($0)"] } ?? []) + [target]
        case "org.kde.okular": return (page.map { ["-p", "\($0)"] } ?? []) + [target]
        case "org.pwmt.zathura": return (page.map { ["-P", "\($0)"] } ?? []) + ["--", target]
        default: return nil
        }
    }

    /// With three digits, in every language.
    private static func text(_ seconds: Double) -> String {
        let milliseconds = Int64((seconds * 1000).rounded())
        return "\(milliseconds / 1000).\(String(milliseconds % 1000 + 1000).dropFirst())"
    }
}
