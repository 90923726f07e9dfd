// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffCore

// Shows L02.
@Suite struct DesktopCommandTests {
    private static let fields = DesktopCommand.Fields(
        name: "My Notes", icon: "notes", file: "/usr/share/applications/n.desktop", home: "/home/anna")

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
        ("A=b", "does not name a program in Exec"),
        ("%f notes", "has a field code in the program of Exec"),
        ("notes%% x", "has a field code in the program of Exec"),
        (#"notes "open"#, "opens a double quote in Exec and does not close it"),
        ("notes 'open", "opens a single quote in Exec and does not close it"),
        (#"notes \"#, "ends Exec with a backslash"),
    ])
    func aLineThatNothingStartsIsRefusedWithItsReason(exec: String, reason: String) {
        #expect(throws: EntryProblem(reason)) { try command(exec) }
    }

    /// Shows Q10. `GLibEntryTests` compares these with GLib.
    @Test(arguments: [
        (#"notes "%f""#, ["notes", ""], "has %f in Exec between quotes"),
        ("notes %x", ["notes"], "has %x in Exec, which is not a field code"),
        ("notes --all=%F", ["notes", "--all="], "has %F in Exec as a part of an argument"),
        ("notes 100%", ["notes", "100%"], "ends an argument of Exec with %"),
        ("notes http://x/?a=1&b=2", ["notes", "http://x/?a=1&b=2"], "has ? in Exec outside of double quotes"),
        ("notes $HOME", ["notes", "$HOME"], "has $ in Exec outside of double quotes"),
        ("sh -c 'notes; x'", ["sh", "-c", "notes; x"], "has ' in Exec outside of double quotes"),
        ("notes > /dev/null", ["notes", ">", "/dev/null"], "has > in Exec outside of double quotes"),
        (#"notes "$HOME""#, ["notes", "$HOME"], "has $ in Exec without a backslash before it"),
        (#"notes "\n""#, ["notes", #"\n"#], "has an unnecessary backslash before a character in Exec"),
        (#"notes "a"b"#, ["notes", "ab"], "quotes a part of an argument in Exec; quote the whole argument"),
        ("notes\tx", ["notes", "x"], "has \t in Exec outside of double quotes"),
        ("/opt/a=b/notes x", ["/opt/a=b/notes", "x"], "has = in the program of Exec"),
    ])
    func aLineOutsideOfTheSpecificationIsReadAsGLibReadsIt(exec: String, words: [String], departure: String) throws {
        #expect(try self.words(exec) == words)
        #expect(ExecGrammar.departure(of: exec) == departure)
    }

    /// Shows Q10. GLib does not start these; KDE does, with a shell.
    @Test func variablesAndTheHomeFolderBeforeAProgramAreReadAsKDEReadsThem() throws {
        #expect(try words("LANG=C _X1='a b' notes %U") == ["env", "LANG=C", "_X1=a b", "notes"])
        #expect(try words("~/bin/notes ~/x ~anna '~/y'") == ["/home/anna/bin/notes", "/home/anna/x", "~anna", "~/y"])
        #expect(try words(#""A=b" x"#) == ["A=b", "x"])
        #expect(try !command("LANG=C notes").isProgramAlone)
        #expect(DesktopCommand.program(of: "LANG=C notes") == "env")
    }

    @Test func aLineOfTheSpecificationHasNoRemark() {
        for exec in [
            "notes", #""/opt/My Notes/notes" "a b" "c\"d\`e\$f\\g" """#, "notes %i --file=%f %c %k 100%% %U",
            "env A=b notes",
        ] {
            #expect(ExecGrammar.departure(of: exec) == nil, "\(exec)")
        }
    }

    @Test func aCommandHasAtMostSoManyArguments() throws {
        let most = Array(repeating: "x", count: DesktopCommand.maximumArguments).joined(separator: " ")
        #expect(try command("notes " + most).arguments.count == 256)
        #expect(throws: EntryProblem("has more than 256 arguments in Exec")) { try command("notes x " + most) }
    }

    /// Shows T09.
    @Test func aProgramThatHasToBeToldWhatToRunIsNotAlone() throws {
        for exec in ["notes", "notes %U", #"notes "%f""#, "/usr/bin/notes %f %i", #""/opt/My Notes/notes" %u"#] {
            #expect(try command(exec).isProgramAlone, "\(exec)")
        }
        for exec in [
            "python3 /usr/lib/notes.py", "sh -c 'notes'", "env LANG=C notes", #"sh -c "exec notes""#,
            "flatpak run com.example.Notes",
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
