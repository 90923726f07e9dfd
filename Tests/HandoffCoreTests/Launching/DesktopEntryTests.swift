// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffCore

// Shows L02.
@Suite struct DesktopEntryTests {
    private func entry(_ lines: String..., locales: [String] = []) throws -> DesktopEntry {
        try DesktopEntry(Array(("[Desktop Entry]\n" + lines.joined(separator: "\n")).utf8), locales: locales)
    }

    private func problem(_ text: String) -> String? {
        do throws(EntryProblem) {
            _ = try DesktopEntry(Array(text.utf8))
            return nil
        } catch {
            return error.reason
        }
    }

    @Test func readsTheExampleOfTheSpecification() throws {
        let text = """
            [Desktop Entry]
            Version=1.0
            Type=Application
            Name=Foo Viewer
            Comment=The best viewer for Foo objects available!
            TryExec=fooview
            Exec=fooview %F
            Icon=fooview
            MimeType=image/x-foo;
            Actions=Gallery;Create;

            [Desktop Action Gallery]
            Exec=fooview --gallery
            Name=Browse Gallery

            [Desktop Action Create]
            Exec=fooview --create-new
            Name=Create a new Foo!
            Icon=fooview-new
            """
        let entry = try DesktopEntry(Array(text.utf8))
        #expect(try entry.text(.type) == "Application")
        #expect(try entry.text(.name) == "Foo Viewer")
        #expect(try entry.text(.exec) == "fooview %F")
        #expect(try entry.text(.tryExec) == "fooview")
        #expect(try entry.text(.path) == nil)
        #expect(!entry.flag(.terminal))
        #expect(!entry.has(.activityTypes))
    }

    @Test func commentsBlankLinesAndSpacesAroundTheSignDoNotCount() throws {
        let text = "# a comment\n\n  \n[Desktop Entry]\r\n#another\nName = Notes \nTerminal=\ttrue\r\nOther[de_DE]=x\n"
        let entry = try DesktopEntry(Array(text.utf8))
        #expect(try entry.text(.name) == "Notes")
        #expect(entry.flag(.terminal))
    }

    @Test func activityTypesAreAListWithOrWithoutASemicolonAtItsEnd() throws {
        for line in ["X-Handoff-ActivityTypes=com.a;com.b;", "X-Handoff-ActivityTypes=com.a;com.b"] {
            #expect(try entry(line).list(.activityTypes, atMost: 2) == ["com.a", "com.b"])
        }
        #expect(try entry("X-Handoff-ActivityTypes=").list(.activityTypes, atMost: 2) == [])
        #expect(try entry(#"X-Handoff-ActivityTypes=a\;b;c\\;"#).list(.activityTypes, atMost: 2) == ["a;b", #"c\"#])
        #expect(throws: EntryProblem("lists more than 2 in X-Handoff-ActivityTypes")) {
            try entry("X-Handoff-ActivityTypes=a;b;c").list(.activityTypes, atMost: 2)
        }
    }

    @Test func escapesOfTheSpecificationAreUndone() throws {
        #expect(try entry(#"Name=\sa\tb\nc\rd\\e"#).text(.name) == " a\tb\nc\rd\\e")
        #expect(throws: EntryProblem(#"has \q in X-Handoff-ActivityTypes, which is not a valid escape there"#)) {
            try entry(#"X-Handoff-ActivityTypes=\q"#).list(.activityTypes, atMost: 2)
        }
        #expect(throws: EntryProblem("ends X-Handoff-ActivityTypes with a backslash")) {
            try entry(#"X-Handoff-ActivityTypes=a\"#).list(.activityTypes, atMost: 2)
        }
    }

    // MARK: Departures from the specification
    // Shows Q10.

    @Test func anEscapeThatThereIsNotStaysAsItIsAndIsARemark() throws {
        let entry = try entry(#"Exec=sh -c "echo \$HOME""#, #"Name=a\"#)
        #expect(try entry.text(.exec) == #"sh -c "echo \$HOME""#)
        #expect(try entry.text(.name) == "a")
        #expect(
            entry.remarks(on: [.exec, .name]) == [
                #"has \$ in Exec, which is not an escape; write a backslash twice"#,
                #"has \ in Name, which is not an escape; write a backslash twice"#,
            ])
    }

    @Test func theLastOfRepeatedKeysIsUsedAndThatIsARemark() throws {
        let entry = try entry("Exec=a", "Exec=b", "Name=Notes")
        #expect(try entry.text(.exec) == "b")
        #expect(entry.remarks(on: [.exec, .name]) == ["has Exec more than once, and the last is used"])
    }

    @Test(arguments: [
        ("true", true, false), ("false", false, false), ("1", true, true), ("0", false, true), ("ja", false, true),
    ])
    func aFlagOfOlderEntriesIsReadAndIsARemark(value: String, flag: Bool, isRemarked: Bool) throws {
        let entry = try entry("Terminal=\(value)")
        #expect(entry.flag(.terminal) == flag)
        #expect(entry.remarks(on: [.terminal]) == (isRemarked ? ["has neither true nor false in Terminal"] : []))
    }

    @Test func nonTextBytesAreReportedForTheirKey() throws {
        let entry = try DesktopEntry(Array("[Desktop Entry]\nName=Notes\nIcon=".utf8) + [0xFF, 0xFE])
        #expect(try entry.text(.name) == "Notes")
        #expect(throws: EntryProblem("has bytes in Icon that are not text")) { try entry.text(.icon) }
    }

    @Test func invalidEntryIsRejectedWithReason() {
        #expect(problem("") == "has no group [Desktop Entry]")
        #expect(problem("# nothing\n") == "has no group [Desktop Entry]")
        #expect(problem("Name=x\n[Desktop Entry]\n") == "does not begin with the group [Desktop Entry]")
        #expect(problem("[Other]\nName=x\n") == "does not begin with the group [Desktop Entry]")
        #expect(problem("[Desktop Entry]\nName=x\nnonsense\n") == "has neither a key nor a comment on line 3")
        #expect(
            problem("[Desktop Entry]\n" + String(repeating: "#", count: DesktopEntry.fileBytes))
                == "has more than 262144 bytes")
    }

    // MARK: The user's language

    @Test func localesAreTriedAsTheSpecificationSays() {
        func locales(_ value: String) -> [String] { DesktopEntry.locales(of: ["LANG": value]) }
        #expect(locales("sr_YU.UTF-8@Latn") == ["sr_YU@Latn", "sr_YU", "sr@Latn", "sr"])
        #expect(locales("de_AT.UTF-8") == ["de_AT", "de"])
        #expect(locales("de@euro") == ["de@euro", "de"])
        #expect(locales("de") == ["de"])
        #expect(locales("C.UTF-8") == [])
        #expect(DesktopEntry.locales(of: [:]) == [])
        #expect(DesktopEntry.locales(of: ["LC_ALL": "", "LC_MESSAGES": "fr_FR", "LANG": "de_DE"]) == ["fr_FR", "fr"])
    }

    /// Shows Q03 in part.
    @Test func theListOfLanguagesComesBeforeTheLocale() throws {
        func locales(_ languages: String, _ locale: String) -> [String] {
            DesktopEntry.locales(of: ["LANGUAGE": languages, "LANG": locale])
        }
        #expect(locales("de_AT:fr", "en_US.UTF-8") == ["de_AT", "de", "fr"])
        #expect(locales("", "fr") == ["fr"])
        #expect(locales("de", "C.UTF-8") == [])
        #expect(locales("de:C:fr", "en") == ["de", "fr"])
        let text = "[Desktop Entry]\nName=Notes\nName[fr]=Carnet\nName[de]=Notizen\n"
        let entry = try DesktopEntry(Array(text.utf8), locales: locales("de:fr", "en_US.UTF-8"))
        #expect(try entry.text(.name) == "Notizen")
    }

    @Test(arguments: [
        ["Name=Plain", "Name[de]=Deutsch", "Name[de_AT]=Austria"],
        ["Name[de_AT]=Austria", "Name[de]=Deutsch", "Name=Plain"],
    ])
    func theBestTranslationIsTakenWhereverItStands(lines: [String]) throws {
        let text = "[Desktop Entry]\n" + lines.joined(separator: "\n")
        func name(_ locales: [String]) throws -> String? {
            try DesktopEntry(Array(text.utf8), locales: locales).text(.name)
        }
        #expect(try name(["de_AT", "de"]) == "Austria")
        #expect(try name(["de_DE", "de"]) == "Deutsch")
        #expect(try name(["fr"]) == "Plain")
        #expect(try name([]) == "Plain")
    }
}
