// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore

extension FuzzedParser {
    static let entries = [desktopEntry]

    private static let desktopEntry = FuzzedParser("desktop-entry") { bytes in
        let entry: DesktopEntry
        do throws(EntryProblem) {
            entry = try DesktopEntry(bytes, locales: ["de_AT", "de"])
        } catch {
            return .refused
        }
        for key in DesktopEntry.Key.allCases {
            let text = try? entry.text(key)
            try promise(text == nil || entry.has(key), "\(key) has a value but does not exist")
            let list = try? entry.list(key, atMost: 16)
            try promise((list ?? nil)?.count ?? 0 <= 16, "\(key) is a longer list than was asked for")
            _ = entry.flag(key)
        }
        guard let exec = (try? entry.text(.exec)) ?? nil else { return .taken }
        let fields = DesktopCommand.Fields(name: "Notes", icon: "notes", file: "/notes.desktop")
        guard let command = try? DesktopCommand(exec, fields: fields) else { return .taken }
        try promise(!command.program.isEmpty, "no program: \(command)")
        _ = ExecGrammar.departure(of: exec)
        let withoutPrograms = try? DesktopCommand(exec, fields: fields) { _ in false }
        try promise(withoutPrograms.map { !$0.program.isEmpty } ?? true, "no program without programs: \(exec)")
        try promise(
            command.arguments.count <= 2 * DesktopCommand.maximumArguments, "too many arguments: \(command)")
        let words = [command.program] + command.arguments
        try promise(!words.contains { $0.utf8.contains(0) }, "a word that no program can be given: \(words)")
        // Both parsers must end a command at the same place, except for escapes.
        guard !exec.contains("%"), !command.isShellLine else { return .taken }
        try promise(DesktopCommand.program(of: exec) == command.program, "two programs in \(exec): \(command)")
        return .taken
    }
}
