// SPDX-License-Identifier: Apache-2.0

/// The arguments with which a program begins at a place.
enum PlayerCommand {
    /// `target`: an address of http or https, or an absolute path, so that it is never read as an option. Nil for a program
    /// that has no such arguments.
    static func arguments(of entry: String, opening target: String, _ state: ProgramState) -> [String]? {
        let seconds = state.seconds.map(text)
        switch entry {
        case "mpv":
            return (seconds.map { ["--start=\($0)"] } ?? []) + (state.isPlaying ? [] : ["--pause"]) + ["--", target]
        case "vlc":
            return (seconds.map { ["--start-time=\($0)"] } ?? []) + (state.isPlaying ? [] : ["--start-paused"])
                + ["--no-one-instance", target]
        case "io.github.celluloid_player.Celluloid":
            return (seconds.map { ["--mpv-start=\($0)"] } ?? []) + (state.isPlaying ? [] : ["--mpv-pause"])
                + ["--new-window", target]
        default: return nil
        }
    }

    /// With three digits, in every language.
    private static func text(_ seconds: Double) -> String {
        let milliseconds = Int64((seconds * 1000).rounded())
        return "\(milliseconds / 1000).\(String(milliseconds % 1000 + 1000).dropFirst())"
    }
}
