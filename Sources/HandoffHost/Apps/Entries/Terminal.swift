// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffSystem

/// For entries with `Terminal=true`. In order: `xdg-terminal-exec`, `TERMINAL`, KDE's setting, those of GLib 2.76,
/// Debian's choice.
struct Terminal {
    /// `option` precedes the command.
    private static let known: [(name: String, option: String?)] = [
        ("xdg-terminal-exec", nil), ("kgx", "-e"), ("gnome-terminal", "--"), ("mate-terminal", "-x"),
        ("xfce4-terminal", "-x"), ("tilix", "-e"), ("konsole", "-e"), ("nxterm", "-e"), ("color-xterm", "-e"),
        ("rxvt", "-e"), ("dtterm", "-e"), ("xterm", "-e"), ("x-terminal-emulator", "-e"),
    ]
    private static let settingsBytes = 256 * 1024

    private let program: String
    private let options: [String]

    /// Nil if none is installed. `environment`: the session's.
    init?(_ programs: ProgramFinder, environment: [String: String]) {
        let standard = [Self.known[0].name]
        let chosen = [environment["TERMINAL"].map { [$0] } ?? [], Self.choiceInKDE(environment)]
        for words in [standard] + chosen + Self.known.dropFirst().map({ [$0.name] }) {
            guard let name = words.first, let program = programs.path(of: name) else { continue }
            let known = Self.known.first { $0.name.isSamePath(as: program.lastPart) } ?? (name, "-e")
            self.program = program
            options = words.dropFirst() + (known.option.map { [$0] } ?? [])
            return
        }
        return nil
    }

    private static func choiceInKDE(_ environment: [String: String]) -> [String] {
        let own = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        guard let folder = own ?? environment["HOME"].map({ $0 + "/.config" }),
            let bytes = try? UserFile(path: folder + "/kdeglobals").read(limit: settingsBytes)
        else { return [] }
        var isGeneral = false
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            if line.hasPrefix("[") {
                isGeneral = line == "[General]"
            } else if isGeneral, line.hasPrefix("TerminalApplication=") {
                return line.split(separator: "=", maxSplits: 1).last?.split(separator: " ").map(String.init) ?? []
            }
        }
        return []
    }

    /// Many terminals pass the command to a running process, and end before the app.
    func command(for command: AppCommand) -> AppCommand {
        var started = command
        started.executable = program
        started.arguments = options + [command.executable] + command.arguments
        started.mayEndBefore = true
        return started
    }
}
