// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffTrust
import HandoffWire
import Testing

@testable import HandoffHost

/// Apps declared by desktop entries, in real folders.
// Shows L02.
@Suite struct EntryCatalogTests {
    let home = TemporaryDirectory()

    init() throws { try home.program("bin/notes") }

    private func expectNoApp(_ reason: String) {
        let catalog = home.catalogWithEntries()
        #expect(catalog.apps.isEmpty)
        #expect(catalog.problems.count == 1)
        #expect(catalog.problems.first?.contains(reason) == true, "\(catalog.problems)")
    }

    private var way: AppEntry.Way? { home.catalogWithEntries().apps.first?.entry?.way }

    @Test func anEntryThatNamesActivityTypesIsAnAppOfThePersonalTeam() throws {
        let path = try SampleEntry().write(in: home)
        let catalog = home.catalogWithEntries()
        let app = try #require(catalog.apps.first)
        #expect(catalog.problems.isEmpty)
        #expect(app.bundle.name == "com.example.notes")
        #expect(app.name.text == "Notes")
        #expect(app.signer == .entry)
        #expect(app.developer == nil)
        #expect(!app.isInDevelopment)
        let account = AccountID(uncheckedBytes: Array(repeating: 1, count: 32))
        #expect(app.team(in: account) == .personal(account))
        #expect(app.activityTypes.map(\.name).sorted() == ["com.example.notes.editing", "com.example.notes.reading"])
        #expect(app.path == path)
        #expect(app.executable == home.path("bin/notes"))
        #expect(app.entry?.path == path)
        #expect(app.entry?.way == .command(AppCommand(executable: home.path("bin/notes"))))
    }

    @Test func entriesOfOtherProgramsAreNotApps() throws {
        var other = SampleEntry()
        other.types = nil
        try other.write(in: home)
        try home.file("own/applications/broken.desktop", "nonsense")
        try home.file("own/applications/mimeinfo.cache", "[MIME Cache]\n")
        let catalog = home.catalogWithEntries()
        #expect(catalog.apps.isEmpty && catalog.problems.isEmpty)
    }

    @Test func theNameIsInTheUsersLanguage() throws {
        var entry = SampleEntry()
        entry.more = ["Name[de]=Notizen"]
        try entry.write(in: home)
        #expect(home.catalogWithEntries(["LANG": "de_DE.UTF-8"]).apps.first?.name.text == "Notizen")
        #expect(home.catalogWithEntries(["LANG": "C"]).apps.first?.name.text == "Notes")
    }

    // MARK: Where entries are

    @Test func userEntryTakesPrecedenceOverSystemEntries() throws {
        for (folder, name) in [("system", "System"), ("local", "Local"), ("own", "Own")] {
            var entry = SampleEntry()
            entry.name = name
            try entry.write(in: home, folder)
            let catalog = home.catalogWithEntries()
            #expect(catalog.apps.map(\.name.text) == [name])
            // Overriding an entry is not a problem.
            #expect(catalog.problems.isEmpty)
        }
    }

    @Test func hiddenEntryHidesTheSystemEntryButNoDisplayDoesNot() throws {
        try SampleEntry().write(in: home, "system")
        var entry = SampleEntry()
        entry.more = ["NoDisplay=true"]
        try entry.write(in: home, "local")
        #expect(home.catalogWithEntries().apps.count == 1)
        try home.file("own/applications/com.example.notes.desktop", "[Desktop Entry]\nHidden=true\n")
        #expect(home.catalogWithEntries().apps.isEmpty)
    }

    @Test func foldersWithinBecomePartsOfTheIdentifier() throws {
        try SampleEntry().write("example/office/com.example.notes", in: home)
        #expect(home.catalogWithEntries().apps.map(\.bundle.name) == ["example-office-com.example.notes"])
    }

    @Test func firstOfTwoEntriesWithOneIdentifierIsUsed() throws {
        let first = try SampleEntry().write("a/b", in: home)
        let second = try SampleEntry().write("a-b", in: home)
        let catalog = home.catalogWithEntries()
        #expect(catalog.apps.map(\.path) == [first])
        #expect(catalog.problems == ["\(second) has the same desktop file ID as \(first), which is used"])
    }

    @Test func anEntryMayBeALinkButNotABrokenLink() throws {
        let elsewhere = try home.file("elsewhere/x", SampleEntry().text)
        try home.folder("own/applications")
        try home.link("own/applications/com.example.notes.desktop", to: elsewhere)
        try home.link("own/applications/com.example.gone.desktop", to: home.path("gone"))
        try home.link("own/applications/round", to: home.path("own/applications"))
        let catalog = home.catalogWithEntries()
        #expect(catalog.problems.isEmpty)
        // The link is followed repeatedly, up to the depth limit.
        #expect(catalog.apps.first?.bundle.name == "com.example.notes")
        #expect(catalog.apps.count == 8)
    }

    @Test func aPipeInAnEntrysPlaceDoesNotHoldAnyoneUp() throws {
        try home.folder("own/applications")
        mkfifo(home.path("own/applications/com.example.notes.desktop"), 0o600)
        #expect(home.catalogWithEntries().apps.isEmpty)
    }

    // MARK: Limits

    @Test func anEntryAboveItsLimitIsNamed() throws {
        var entry = SampleEntry()
        entry.more = ["#" + String(repeating: "x", count: DesktopEntry.fileBytes)]
        try entry.write(in: home)
        expectNoApp("has more than 262144 bytes")
    }

    @Test func moreFilesThanTheLimitAreNotRead() throws {
        try home.folder("own/applications")
        for number in 0..<8192 { #expect(symlink("/nowhere", home.path("own/applications/\(number)")) == 0) }
        try SampleEntry().write("x", in: home)
        expectNoApp("the folders of desktop entries hold more than 8192 files")
    }

    @Test func moreBytesThanTheLimitAreNotRead() throws {
        let filling = "[Desktop Entry]\n#" + String(repeating: "x", count: DesktopEntry.fileBytes - 64)
        for number in 0...((32 * 1024 * 1024) / DesktopEntry.fileBytes) {
            try home.file("own/applications/\(100 + number).desktop", filling)
        }
        try SampleEntry().write("x", in: home)
        expectNoApp("the desktop entries hold more than 33554432 bytes")
    }

    @Test func moreTypesThanTheLimitAreNamed() throws {
        var entry = SampleEntry()
        entry.types = (0...256).map { "com.example.type\($0);" }.joined()
        try entry.write(in: home)
        expectNoApp("lists more than 256 in X-Handoff-ActivityTypes")
    }

    // MARK: Faults

    @Test(arguments: [
        ("with blank", "cannot be an app: an activity type cannot contain spaces or control characters"),
        ("", "lists nothing in X-Handoff-ActivityTypes"), (";", "cannot be an app: an activity type cannot be empty"),
    ])
    func badTypesAreNamed(types: String, reason: String) throws {
        var entry = SampleEntry()
        entry.types = types
        try entry.write(in: home)
        expectNoApp(reason)
    }

    @Test func anInvalidIdentifierIsReported() throws {
        try SampleEntry().write("My Notes", in: home)
        expectNoApp("My Notes.desktop cannot be an app: a bundle identifier has letters")
    }

    @Test(arguments: ["Link", "Directory", ""])
    func anEntryOfAnotherTypeIsNamed(type: String) throws {
        var entry = SampleEntry()
        entry.type = type
        try entry.write(in: home)
        expectNoApp("does not have Type=Application")
    }

    @Test(arguments: ["gone %U", "/opt/gone/notes", "bin/notes"])
    func aProgramThatIsNotThereIsNamed(exec: String) throws {
        var entry = SampleEntry()
        entry.exec = exec
        try entry.write(in: home)
        let program = exec.split(separator: " ")[0]
        expectNoApp("names the program \(program) in Exec, which does not exist")
    }

    /// Shows Q03 in part.
    @Test func aProgramInTheUsersOwnFolderOfProgramsIsFound() throws {
        try home.program(".local/bin/mine")
        var entry = SampleEntry()
        entry.exec = "mine %U"
        entry.more = ["TryExec=mine"]
        try entry.write(in: home)
        let catalog = home.catalogWithEntries(["HOME": home.path])
        #expect(catalog.problems.isEmpty)
        #expect(catalog.apps.map(\.executable) == [home.path(".local/bin/mine")])
    }

    /// Shows Q03 in part.
    @Test func aNewLogInBringsItsLanguageAndItsPrograms() throws {
        try home.program("later/mine")
        var entry = SampleEntry()
        entry.exec = "mine"
        entry.more = ["Name[de]=Notizen"]
        try entry.write(in: home)
        try home.file("runtime/systemd/private", "")
        try home.file("bin/systemctl", "#!/bin/sh\ncat '\(home.path("session"))'\n", mode: 0o700)
        let before = [
            "XDG_RUNTIME_DIR": home.path("runtime"), "SYSTEMD_EXEC_PID": "\(getpid())", "LANG": "en_US.UTF-8",
        ]
        let catalog = home.catalogWithEntries(before)
        #expect(catalog.problems.contains { $0.hasSuffix("names the program mine in Exec, which does not exist") })
        let session = home.desktop.merging(["LANGUAGE": "de", "LANG": "en_US.UTF-8", "PATH": home.path("later")]) { $1 }
        try home.file("session", session.map { "\($0)=\($1)\n" }.joined())
        catalog.reload()
        #expect(catalog.apps.map(\.name.text) == ["Notizen"])
        #expect(catalog.problems.isEmpty)
    }

    @Test func aProgramToTryThatIsNotThereIsNamed() throws {
        var entry = SampleEntry()
        entry.more = ["TryExec=gone"]
        try entry.write(in: home)
        expectNoApp("names the program gone in TryExec, which does not exist")
    }

    @Test func aBadCommandIsNamed() throws {
        var entry = SampleEntry()
        entry.exec = "notes 'x"
        try entry.write(in: home)
        expectNoApp("com.example.notes.desktop opens a single quote in Exec and does not close it")
    }

    // Shows Q10.
    @Test func anEntryOutsideOfTheSpecificationIsAnAppWithRemarks() throws {
        var entry = SampleEntry()
        entry.exec = #"notes --at "\$HOME" 'a&b'"#
        entry.more = ["Terminal=0", "TryExec=", "Name=Again"]
        let path = try entry.write(in: home)
        let catalog = home.catalogWithEntries()
        #expect(
            way == .command(AppCommand(executable: home.path("bin/notes"), arguments: ["--at", "$HOME", "a&b"])))
        #expect(
            catalog.problems
                == [
                    "has Name more than once, and the last is used",
                    #"has \$ in Exec, which is not an escape; write a backslash twice"#,
                    "has neither true nor false in Terminal", "has ' in Exec outside of double quotes",
                ].map { "\(path) \($0). It is started as other desktops start it" })
    }

    // Shows Q10.
    @Test func aProgramInTheHomeFolderIsFoundThere() throws {
        try home.program("anna/bin/notes")
        var entry = SampleEntry()
        entry.exec = "~/bin/notes"
        try entry.write(in: home)
        let app = home.catalogWithEntries(["HOME": home.path("anna")]).apps.first
        #expect(app?.entry?.way == .command(AppCommand(executable: home.path("anna/bin/notes"))))
    }

    @Test func anEntryThatCannotBeReadIsNamedOnlyIfItIsOurs() throws {
        try home.file("own/applications/x.desktop", "nonsense\nX-Handoff-ActivityTypes=a;\n")
        expectNoApp("x.desktop does not begin with the group [Desktop Entry]")
    }

    // Shows Q10.
    @Test func aLineThatOnlyAShellCanRunIsAnAppWithARemark() throws {
        var entry = SampleEntry()
        entry.exec = #"cd /opt && exec "$HOME/notes" --file %k %U"#
        let path = try entry.write(in: home)
        let catalog = home.catalogWithEntries()
        let script = #"cd /opt && exec "$HOME/notes" --file "${1}" "#
        let command = AppCommand(executable: "/bin/sh", arguments: ["-c", script, "/bin/sh", path])
        #expect(catalog.apps.first?.entry?.way == .command(command))
        #expect(catalog.apps.first?.executable == "")
        #expect(
            catalog.problems
                == ["\(path) has a line in Exec that only a shell can run. It is given to /bin/sh, as KDE does"])
    }

    /// Names in the order in which they are looked for.
    // Shows Q10.
    @Test(arguments: [
        (["xterm", "xdg-terminal-exec", "kgx"], "", ["xdg-terminal-exec"]),
        (["xterm", "gnome-terminal", "konsole"], "", ["gnome-terminal", "--"]),
        (["xterm", "konsole"], "", ["konsole", "-e"]), (["xfce4-terminal", "xterm"], "", ["xfce4-terminal", "-x"]),
        (["x-terminal-emulator", "xterm"], "", ["xterm", "-e"]),
        (["x-terminal-emulator"], "gone", ["x-terminal-emulator", "-e"]),
        (["alacritty", "xterm"], "alacritty", ["alacritty", "-e"]),
        (["gnome-terminal", "kgx"], "gnome-terminal", ["gnome-terminal", "--"]),
    ])
    func anEntryThatAsksForATerminalIsStartedInOne(installed: [String], chosen: String, start: [String]) throws {
        for name in installed { try home.program("terminals/\(name)") }
        var entry = SampleEntry()
        entry.exec = "notes --edit %U"
        entry.more = ["Terminal=true", "Path=/tmp"]
        try entry.write(in: home)
        let path = "\(home.path("bin")):\(home.path("terminals"))"
        let app = home.catalogWithEntries(["PATH": path, "TERMINAL": chosen]).apps.first
        var command = AppCommand(
            executable: home.path("terminals/\(start[0])"),
            arguments: Array(start.dropFirst()) + [home.path("bin/notes"), "--edit"], directory: "/tmp")
        command.mayEndBefore = true
        #expect(app?.entry?.way == .command(command))
    }

    // Shows Q10.
    @Test(arguments: [
        ("[General]\nTerminalApplication=foot --title x\n", ["foot", "--title", "x", "-e"]),
        ("[Other]\nTerminalApplication=foot\n[General]\nX=y\n", ["konsole", "-e"]), ("", ["konsole", "-e"]),
        ("[General]\nTerminalApplication=gone\n", ["konsole", "-e"]),
        ("[General]\nTerminalApplication=\n", ["konsole", "-e"]),
    ])
    func theTerminalThatIsSetInKDEIsUsed(settings: String, start: [String]) throws {
        for name in ["konsole", "foot"] { try home.program("terminals/\(name)") }
        var entry = SampleEntry()
        entry.more = ["Terminal=true"]
        try entry.write(in: home)
        try home.file("settings/kdeglobals", settings)
        let path = "\(home.path("bin")):\(home.path("terminals"))"
        let app = home.catalogWithEntries(["PATH": path, "XDG_CONFIG_HOME": home.path("settings")]).apps.first
        var command = AppCommand(
            executable: home.path("terminals/\(start[0])"), arguments: start.dropFirst() + [home.path("bin/notes")])
        command.mayEndBefore = true
        #expect(app?.entry?.way == .command(command))
    }

    // Shows Q10.
    @Test func withoutATerminalAnEntryThatAsksForOneNamesWhatToInstall() throws {
        var entry = SampleEntry()
        entry.more = ["Terminal=true"]
        try entry.write(in: home)
        let reason =
            "its desktop entry asks for a terminal, and none is installed; install one, such as xterm, and set TERMINAL "
            + "to its name if Handoff does not know it"
        let programs = ["PATH": home.path("bin")]
        #expect(home.catalogWithEntries(programs).apps.first?.entry?.way == .refused(reason))
        entry.more.append("DBusActivatable=true")
        try entry.write(in: home)
        #expect(home.catalogWithEntries(programs).apps.first?.entry?.way == .activation(withoutBus: nil))
    }

    // Shows Q10.
    @Test func aFolderToStartInThatIsNotAbsoluteIsInTheHomeFolder() throws {
        var entry = SampleEntry()
        for (path, directory) in [
            ("/tmp", "/tmp"), ("games/chess", "/home/anna/games/chess"), ("$HOME/games", "/home/anna/games"),
            ("~/games", "/home/anna/games"), ("~", "/home/anna"), ("${HOME}", "/home/anna"),
            ("~games", "/home/anna/~games"),
        ] {
            entry.more = ["Path=\(path)"]
            let file = try entry.write(in: home)
            let catalog = home.catalogWithEntries(["HOME": "/home/anna"])
            let command = AppCommand(executable: home.path("bin/notes"), directory: directory)
            #expect(catalog.apps.first?.entry?.way == .command(command))
            let remark = "\(file) names a Path that is not absolute. It is looked for in your home folder"
            #expect(catalog.problems == (path == directory ? [] : [remark]))
        }
        expectNoApp("names a Path that is not absolute, and your home folder is unknown")
    }

    @Test func anAppThatTheBusStartsNeedsNoProgramAndMayHaveOne() throws {
        var entry = SampleEntry()
        entry.more = ["DBusActivatable=true"]
        try entry.write(in: home)
        #expect(way == .activation(withoutBus: AppCommand(executable: home.path("bin/notes"))))
        entry.exec = nil
        try entry.write(in: home)
        #expect(way == .activation(withoutBus: nil))
        entry.exec = "gone"
        try entry.write(in: home)
        #expect(way == .activation(withoutBus: nil))
    }

    @Test(arguments: ["notes", "com.1example", "com..x"])
    func aNameThatNoBusHasIsNamed(name: String) throws {
        var entry = SampleEntry()
        entry.more = ["DBusActivatable=true"]
        try entry.write(name, in: home)
        expectNoApp(name == "com..x" ? "cannot be an app" : "\(name) cannot be a name on a bus")
    }

    @Test func anEntryWithNothingToStartIsNamed() throws {
        var entry = SampleEntry()
        entry.exec = nil
        try entry.write(in: home)
        expectNoApp("has no Exec")
    }

    @Test func anUnprovenTeamIsReportedAndIgnored() throws {
        var entry = SampleEntry()
        entry.more = ["X-Handoff-TeamID=NOTES12345"]
        let path = try entry.write(in: home)
        let catalog = home.catalogWithEntries()
        #expect(catalog.apps.map(\.signer) == [.entry])
        #expect(
            catalog.problems == [
                "X-Handoff-TeamID=NOTES12345 in \(path): no team signed a bundle of this identifier, so that the app "
                    + "belongs to your account's personal team"
            ])
    }

    @Test func aProblemNeverCarriesControlCharacters() throws {
        var entry = SampleEntry()
        entry.exec = "evil\u{1B}[2J"
        try entry.write(in: home)
        expectNoApp("which does not exist")
        #expect(home.catalogWithEntries().problems.first?.contains("\u{1B}") == false)
    }

    // MARK: Later changes

    @Test func anEntryThatIsAnotherOrGoneIsOutdated() throws {
        let path = try SampleEntry().write(in: home)
        let catalog = home.catalogWithEntries()
        let app = try #require(catalog.apps.first)
        func condition() -> AppCondition? {
            var found: AppCondition?
            catalog.condition(of: app) { found = try? $0.get() }
            return found
        }
        #expect(condition() == .asRead)
        // The same bytes are the same entry.
        try SampleEntry().write(in: home)
        #expect(condition() == .asRead)
        try home.file("own/applications/com.example.notes.desktop", SampleEntry().text + "#\n")
        #expect(condition() == .outdated)
        try FileManager.default.removeItem(atPath: path)
        #expect(condition() == .outdated)
    }

    // MARK: Bundles

    @Test func aBundleIsStartedByItsEntryAndIsWhatItsTeamSigned() throws {
        let bundle = try home.install(SampleTeam.notes.sign(SampleBundle().write("Notes.app", in: home))).app
        var entry = SampleEntry()
        entry.exec = "\"\(bundle.executable)\" --new %U"
        entry.types = "com.example.everything"
        entry.more = ["X-Handoff-TeamID=NOTES12345"]
        let path = try entry.write(in: home)
        let catalog = home.catalogWithEntries()
        let app = try #require(catalog.apps.first)
        #expect(catalog.apps.count == 1 && catalog.problems.isEmpty)
        #expect(app.signer == .team(SampleTeam.notes.team.team, name: SampleTeam.notes.team.name))
        #expect(app.activityTypes.map(\.name) == ["com.example.notes.editing"])
        #expect((app.path, app.executable) == (bundle.path, bundle.executable))
        #expect(app.entry?.path == path)
        #expect(app.entry?.way == .command(AppCommand(executable: bundle.executable, arguments: ["--new"])))
    }

    /// Shows T09: the token identifies the app, and this program may be any.
    @Test func anotherProgramThanTheBundlesIsGivenNoToken() throws {
        try home.install(SampleTeam.notes.sign(SampleBundle().write("Notes.app", in: home)))
        try SampleEntry().write(in: home)
        let app = try #require(home.catalogWithEntries().apps.first)
        let command = AppCommand(executable: home.path("bin/notes"), getsLaunchToken: false)
        #expect(app.entry?.way == .command(command))
    }

    @Test(arguments: [(true, "its desktop entry asks for a terminal"), (false, "which does not exist")])
    func unusableEntryOfABundleIsReportedAndIgnored(wantsTerminal: Bool, reason: String) throws {
        try home.install(SampleTeam.notes.sign(SampleBundle().write("Notes.app", in: home)))
        var entry = SampleEntry()
        if wantsTerminal { entry.more = ["Terminal=true"] } else { entry.exec = "gone" }
        try entry.write(in: home)
        let catalog = home.catalogWithEntries(["PATH": home.path("bin")])
        #expect(catalog.apps.count == 1)
        #expect(catalog.apps.first?.entry == nil)
        #expect(catalog.problems.count == 1)
        #expect(catalog.problems.first?.contains(reason) == true, "\(catalog.problems)")
    }

    @Test func aTeamThatDiffersFromTheBundlesIsReported() throws {
        try home.install(SampleTeam.notes.sign(SampleBundle().write("Notes.app", in: home)))
        var entry = SampleEntry()
        entry.more = ["X-Handoff-TeamID=OTHER12345"]
        let path = try entry.write(in: home)
        #expect(
            home.catalogWithEntries().problems == [
                "X-Handoff-TeamID=OTHER12345 in \(path): the bundle is signed by team NOTES12345"
            ])
    }
}
