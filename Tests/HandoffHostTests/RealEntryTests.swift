// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import TestPrograms
import Testing

@testable import HandoffHost

/// Entries of distributions, and the verdict of the desktop's own tool on ours.
// Shows L02.
@Suite(.timeLimit(.minutes(1))) struct RealEntryTests {
    /// `Exec` in packages of Debian 12, whether the program alone is started, and its arguments.
    @Test(arguments: [
        ("env GDK_BACKEND=x11 audacity %F", false, ["GDK_BACKEND=x11", "audacity"]), ("uxterm", true, []),
        ("/usr/bin/emacs -nw %F", false, ["-nw"]), ("/usr/bin/emacs %F", true, []), ("gimp-2.10 %U", true, []),
        ("libreoffice --writer %U", false, ["--writer"]), ("evince %U", true, []),
        ("mpv --player-operation-mode=pseudo-gui -- %U", false, ["--player-operation-mode=pseudo-gui", "--"]),
        ("gapplication launch org.gnome.Maps %U", false, ["launch", "org.gnome.Maps"]),
        ("nautilus --new-window %U", false, ["--new-window"]), ("/usr/bin/thunderbird %u", true, []),
        ("/usr/bin/vlc --started-from-file bluray://%f", false, ["--started-from-file", "bluray://"]),
    ])
    func commandsOfDebianAreRead(exec: String, isAlone: Bool, arguments: [String]) throws {
        let command = try DesktopCommand(exec, fields: .init(name: "App", icon: "app", file: "/app.desktop"))
        #expect(command.program == String(exec.prefix { $0 != " " }))
        #expect(command.arguments == arguments)
        #expect(command.isProgramAlone == isAlone)
    }

    /// Works with any programs on this machine.
    @Test func entriesOfThisMachineAreRead() throws {
        let folder = URL(filePath: "/usr/share/applications")
        let files = ((try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? [])
            .filter { $0.pathExtension == "desktop" }
        for file in files {
            let entry = try DesktopEntry([UInt8](Data(contentsOf: file)))
            #expect(try entry.text(.name)?.isEmpty == false, "\(file.path)")
            // Others are links, and services of KDE.
            guard try entry.text(.type) == "Application" else { continue }
            guard let exec = try entry.text(.exec) else { continue }
            let fields = DesktopCommand.Fields(name: "", icon: try entry.text(.icon) ?? "", file: file.path)
            let command = try DesktopCommand(exec, fields: fields)
            #expect(DesktopCommand.program(of: exec) == command.program, "\(file.path)")
        }
    }

    @Test func theDesktopsOwnToolAcceptsOurEntries() async throws {
        let home = TemporaryDirectory()
        var entry = SampleEntry()
        entry.more = ["X-Handoff-TeamID=NOTES12345", "DBusActivatable=true"]
        let path = try entry.write(in: home)
        let tool = try Program(["/usr/bin/desktop-file-validate", path], environment: [:])
        #expect(await tool.end() == 0)
        #expect(tool.output + tool.errors == "")
    }
}
