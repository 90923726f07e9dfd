// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import Testing

// Shows L02.
@Suite struct DesktopCommandTests {
    private static let fields = DesktopCommand.Fields(
        name: "My Notes", icon: "notes", file: "/usr/share/applications/n.desktop")

    private func command(_ exec: String) throws(EntryProblem) -> DesktopCommand {
        try DesktopCommand(exec, fields: Self.fields)
    }

    private func words(_ exec: String) throws -> [String] {
        let command = try command(exec)
        return [command.program] + command.arguments
    }

    @Test func argumentsArePartedBySpaces() throws {
        #expect(try words("notes --new  window") == ["notes", "--new", "window"])
        #expect(try words("  /usr/bin/notes ") == ["/usr/bin/notes"])
    }

    @Test func anArgumentInQuotesIsOneWithItsEscapesUndone() throws {
        #expect(try words(#"notes "a b" "c\"d\`e\$f\\g" """#) == ["notes", "a b", #"c"d`e$f\g"#, ""])
        #expect(try words(#""/opt/My Notes/notes" x"#) == ["/opt/My Notes/notes", "x"])
    }

    /// Without files and addresses.
    @Test func fieldCodesStandForWhatTheSpecificationSays() throws {
        #expect(try words("notes %f %F %u %U") == ["notes"])
        #expect(try words("notes %i") == ["notes", "--icon", "notes"])
        #expect(try words("notes %c %k") == ["notes", "My Notes", "/usr/share/applications/n.desktop"])
        #expect(try words("notes --file=%f --called=%c 100%%") == ["notes", "--file=", "--called=My Notes", "100%"])
        #expect(try words("notes %d %D %n %N %v %m x%dy") == ["notes", "xy"])
        let plain = try DesktopCommand("notes %i", fields: .init(name: "N", icon: "", file: "/f"))
        #expect(plain.arguments == [])
    }

    @Test(arguments: [
        ("", "has an empty Exec"),
        ("   ", "has an empty Exec"),
        (#""""#, "does not name a program in Exec"),
        ("A=b notes", "does not name a program in Exec"),
        ("%f notes", "has a field code in Exec where none may be: in the program, or between quotes"),
        (#"notes "%f""#, "has a field code in Exec where none may be: in the program, or between quotes"),
        ("notes %x", "has an unknown field code in Exec"),
        ("notes --all=%F", "has %F in Exec as a part of an argument"),
        ("notes 100%", "ends an argument of Exec with %"),
        ("notes; rm", "has ; in Exec outside of double quotes, which no argument may have"),
        ("notes $HOME", "has $ in Exec outside of double quotes, which no argument may have"),
        ("sh -c 'notes'", "has ' in Exec outside of double quotes, which no argument may have"),
        ("notes > /etc/passwd", "has > in Exec outside of double quotes, which no argument may have"),
        (#"notes "$HOME""#, "has $ in Exec without a backslash before it"),
        (#"notes "\n""#, "has a backslash in Exec before what needs none"),
        (#"notes "open"#, "opens a double quote in Exec and does not close it"),
        (#"notes "a"b"#, "quotes a part of an argument in Exec; an argument is quoted whole"),
    ])
    func whatTheSpecificationForbidsIsNamed(exec: String, reason: String) {
        #expect(throws: EntryProblem(reason)) { try command(exec) }
    }

    @Test func aCommandHasAtMostSoManyArguments() throws {
        let most = Array(repeating: "x", count: DesktopCommand.maximumArguments).joined(separator: " ")
        #expect(try command("notes " + most).arguments.count == 256)
        #expect(throws: EntryProblem("has more than 256 arguments in Exec")) { try command("notes x " + most) }
    }

    /// Shows T09.
    @Test func aProgramThatHasToBeToldWhatToRunIsNotAlone() throws {
        for exec in ["notes", "notes %U", "/usr/bin/notes %f %i", #""/opt/My Notes/notes" %u"#] {
            #expect(try command(exec).isProgramAlone, "\(exec)")
        }
        for exec in [
            "python3 /usr/lib/notes.py", "env LANG=C notes", #"sh -c "exec notes""#, "flatpak run com.example.Notes",
            "snap run notes", "java -jar notes.jar", "notes --new-window %U", "notes %%", "notes x%f", #"notes "" "#,
        ] {
            #expect(try !command(exec).isProgramAlone, "\(exec)")
        }
    }

    @Test func theProgramIsFoundInCommandsThatAreNotSound() {
        #expect(DesktopCommand.program(of: "sh -c 'notes'") == "sh")
        #expect(DesktopCommand.program(of: #""/opt/My \"Notes\"/notes" $HOME"#) == #"/opt/My "Notes"/notes"#)
        #expect(DesktopCommand.program(of: "  python3") == "python3")
        #expect(DesktopCommand.program(of: "  ") == nil)
    }
}
