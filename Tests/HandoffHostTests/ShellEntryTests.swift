// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffSystem
import TestPrograms
import Testing

/// Lines of desktop entries that only a shell can run, run by a real one.
// Shows Q10.
@Suite(.timeLimit(.minutes(1))) struct ShellEntryTests {
    private let home = TemporaryDirectory()

    init() throws { try home.file("bin/notes", "#!/bin/sh\nprintf '%s\\0' \"$@\"\n", mode: 0o700) }

    private func command(_ exec: String, name: String = "Notes", file: String = "/f.desktop") throws -> DesktopCommand {
        let programs = ProgramFinder(path: "\(home.path("bin")):/usr/bin:/bin")
        let fields = DesktopCommand.Fields(name: name, icon: "pen", file: file, home: home.path)
        return try DesktopCommand(exec, fields: fields) { programs.path(of: $0) != nil }
    }

    /// The arguments with which `notes` is started.
    private func started(_ command: DesktopCommand) async throws -> [String] {
        #expect(command.program == "/bin/sh" && command.isShellLine && !command.isProgramAlone)
        let shell = try Program(
            [command.program] + command.arguments,
            environment: ["PATH": "\(home.path("bin")):/usr/bin:/bin", "HOME": home.path], folder: home.path)
        #expect(await shell.end() == 0, "\(command): \(shell.errors)")
        return shell.output.split(separator: "\0", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    @Test(arguments: [
        ("cd / && notes \"$PWD\"", ["/"]), ("$HOME/bin/notes 'a  b' %U", ["a  b"]), (#""$HOME/bin/notes" x"#, ["x"]),
        ("A=$(printf %s one) && notes $A", ["one"]), ("A=1; notes \"$A\"", ["1"]), ("A=${B:-2} notes x", ["x"]),
        ("(notes x)", ["x"]), ("[ -d / ] && notes x", ["x"]), ("if true; then notes x; fi", ["x"]),
        ("exec notes x 2> /dev/null", ["x"]), ("gone 2> /dev/null || notes x", ["x"]), ("notes& wait", [""]),
        (#"cd / && notes "$(echo "it's")" %i 100%%"#, ["it's", "--icon", "pen", "100%"]),
        ("cd / && notes '%i' \"%i\" '%f' %f", ["--icon pen", "--icon pen", ""]),
        ("cd / && notes `echo \"a b\"`", ["a", "b"]),
    ])
    func aLineThatOnlyAShellCanRunIsGivenToOne(exec: String, arguments: [String]) async throws {
        #expect(try await started(command(exec)) == arguments)
    }

    /// Also with the characters of a shell in it.
    @Test(arguments: [
        ("notes $HOME > x", "notes", ["$HOME", ">", "x"]), ("gone 'x' > y", "gone", ["x", ">", "y"]),
        ("cd /tmp", "cd", ["/tmp"]), ("A=1 notes x", "env", ["A=1", "notes", "x"]),
    ])
    func aLineThatStartsAProgramWithoutAShellGetsNone(exec: String, program: String, arguments: [String]) throws {
        let command = try command(exec)
        #expect((command.program, command.arguments) == (program, arguments))
        #expect(!command.isShellLine)
    }

    @Test(arguments: ["cd / && notes 'x", #"cd / && notes "$(echo x"#, "cd / && notes `echo x"])
    func aLineWithAnOpenQuoteIsNotGivenToAShell(exec: String) {
        #expect((try? command(exec))?.isShellLine != true)
    }

    /// Of the name and the path of the entry. A shell line has nothing else that is not its own text.
    @Test(arguments: [
        "cd . && notes %c %k", #"cd . && notes "%c" "%k""#, "cd . && notes '%c' '%k'",
        #"cd . && notes "$(printf %%s "%c")" "$(printf %%s '%k')""#,
        #"cd . && notes "`printf %%s "%c"`" "`printf %%s %k`""#,
        #"A=%c; B="%k"; notes "$A" "${B}""#, #"if true; then notes "$(printf %%s %c)" %k; fi"#,
    ])
    func hostileValuesOfFieldCodesAreArgumentsAndNeverShellText(exec: String) async throws {
        for value in [
            "'; touch owned; '", "\"; touch owned; \"", "$(touch owned)", "`touch owned`", "; touch owned #", "a  b",
            "*", "\\", "\\'", "\\\"; touch owned; \\\"", "line\n touch owned", "%k %c %%", "${HOME}",
            "\")`touch owned`",
            "')$(touch owned)('", "| touch owned", "&& touch owned", "ü",
        ] {
            let command = try command(exec, name: value, file: "/" + value)
            #expect(!command.arguments[1].contains("owned"), "the value is no part of the text")
            #expect(try await started(command) == [value, "/" + value], "\(value)")
        }
        #expect(!home.exists("owned"))
    }
}
