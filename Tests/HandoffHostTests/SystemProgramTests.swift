// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HandoffCore
import HandoffSystem
import HandoffWire
import Logging
import Testing

@testable import HandoffHost

/// Which desktop entries make a program a system program. Needs root, whose folders no other user can change.
@Suite(.enabled(if: geteuid() == 0)) final class SystemProgramTests {
    /// Not below a folder for temporary files, where anyone may write.
    private let root: String
    private static let other: uid_t = 54321

    init() throws {
        var template = Array("/var/lib/handoff-test-XXXXXX".utf8CString)
        root = try #require(mkdtemp(&template).map { String(cString: $0) })
        chmod(root, 0o755)
        for folder in ["system/applications", "own/applications", "empty", "system/handoff/programs"] {
            try FileManager.default.createDirectory(atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    @discardableResult
    private func write(_ name: String = "mpv", in folder: String = "system", _ more: String = "") throws -> String {
        let path = "\(root)/\(folder)/applications/\(name).desktop"
        try Data("[Desktop Entry]\nType=Application\nName=Player\nExec=mpv\n\(more)".utf8).write(
            to: URL(filePath: path))
        return path
    }

    private func catalog() -> BundleCatalog {
        let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let environment = ["XDG_DATA_HOME": "\(root)/own", "XDG_DATA_DIRS": "\(root)/system"]
        let catalog = BundleCatalog(
            directory: "\(root)/apps", installs: "\(root)/installs",
            entries: EntryFolders(environment: environment, adapters: "/usr/libexec/handoff/handoff-adapters"),
            log: quiet)
        catalog.reload()
        return catalog
    }

    private var programs: [String] { catalog().apps.map(\.bundle.name) }

    // Shows M01.
    @Test func entryThatOnlyRootCanChangeIsASystemProgram() throws {
        let path = try write()
        let app = try #require(catalog().apps.first)
        #expect(app.bundle.name == "system:mpv")
        #expect(app.signer == .system)
        #expect(app.name.text == "Player")
        #expect(app.activityTypes == [.playingMedia])
        #expect(app.path == path)
        let command = AppCommand(
            executable: "/usr/libexec/handoff/handoff-adapters", arguments: ["--open", "mpv", "/usr/bin/mpv"])
        #expect(app.entry?.way == .command(command))
    }

    // Shows M01.
    @Test func entryThatAnotherUserCanChangeIsIgnored() throws {
        let path = try write()
        try #require(programs == ["system:mpv"])
        chown(path, Self.other, 0)
        #expect(programs.isEmpty)
        chown(path, 0, 0)
        chmod(path, 0o666)
        #expect(programs.isEmpty)
        chmod(path, 0o644)
        chown("\(root)/system", Self.other, 0)
        #expect(programs.isEmpty)
        chown("\(root)/system", 0, Self.other)
        chmod("\(root)/system", 0o775)
        #expect(programs.isEmpty)
        chmod("\(root)/system", 0o755)
        #expect(programs == ["system:mpv"])
    }

    // Shows M01.
    @Test func usersOwnEntryIsIgnoredAndHidesTheSystemEntry() throws {
        try write()
        try write(in: "own")
        #expect(programs.isEmpty)
    }

    // Shows M01.
    @Test func linkCountsIfOnlyRootCanChangeEachStep() throws {
        let real = try write("real")
        let link = "\(root)/system/applications/mpv.desktop"
        symlink(real, link)
        #expect(programs == ["system:mpv"])
        unlink(link)
        // A step through a folder of another user.
        let step = "\(root)/empty/step.desktop"
        symlink(real, step)
        symlink(step, link)
        #expect(programs == ["system:mpv"])
        chown("\(root)/empty", Self.other, 0)
        #expect(programs.isEmpty)
    }

    // Shows M01.
    @Test func desktopsProgramForItsContentIsTheDefault() throws {
        for name in ["mpv", "vlc"] { try write(name) }
        try write("hidden", "Hidden=true\n")
        try Data("[Default Applications]\nvideo/mp4=gone.desktop;hidden.desktop;vlc.desktop;mpv.desktop\n".utf8).write(
            to: URL(filePath: "\(root)/own/applications/mimeapps.list"))
        let apps = catalog().apps
        #expect(Set(apps.map(\.bundle.name)) == ["system:mpv", "system:vlc"])
        #expect(apps.filter(\.isDefault).map(\.bundle.name) == ["system:vlc"])
    }

    /// From reports about other programs: no default but an added program (File-MimeInfo 56), several lists
    /// (File-MimeInfo 37), an empty group (cosmic-files 1416), a type twice (xdg-prefs 5), escapes and a path for an
    /// identifier (deepin-image-viewer 13).
    // Shows M01.
    @Test(arguments: [
        ("[Added Associations]\nvideo/mp4=vlc.desktop;\n", ""),
        ("[Default Applications]\nvideo/mp4=vlc.desktop\n", "[Default Applications]\nvideo/mp4=mpv.desktop\n"),
        ("[Default Applications]\nvideo/mp4=vlc.desktop;\n\n[Removed Associations]\n", ""),
        ("[Default Applications]\nvideo/MP4=vlc.desktop\nvideo/mp4=mpv.desktop\n", ""),
        (
            "[Default%20Applications]\nvideo\\mp4=mpv.desktop\n",
            "[Default Applications]\nvideo/mp4=/usr/share//applications/mpv.desktop;vlc.desktop\n"
        ),
    ])
    func unusualListsHaveTheirDefault(_ own: String, _ system: String) throws {
        for name in ["mpv", "vlc"] { try write(name) }
        for (folder, text) in [("own", own), ("system", system)] {
            try Data(text.utf8).write(to: URL(filePath: "\(root)/\(folder)/applications/mimeapps.list"))
        }
        #expect(catalog().apps.filter(\.isDefault).map(\.bundle.name) == ["system:vlc"])
    }

    @Test func circularLinksAreIgnored() throws {
        let paths = ["\(root)/system/applications/mpv.desktop", "\(root)/empty/step.desktop"]
        symlink(paths[1], paths[0])
        symlink(paths[0], paths[1])
        #expect(programs.isEmpty)
        #expect(!paths[0].isChangedByRootAlone)
    }

    @Test func unknownProgramIsIgnored() throws {
        try write("unknown")
        #expect(programs.isEmpty)
    }

    // Shows M01.
    @Test func entryReplacedDuringUseIsReadAgain() throws {
        let path = try write()
        let catalog = catalog()
        let app = try #require(catalog.apps.first)
        var conditions: [AppCondition] = []
        let note: (Result<AppCondition, Failure>) -> Void = {
            if case .success(let found) = $0 { conditions.append(found) }
        }
        catalog.condition(of: app, then: note)
        chown(path, Self.other, 0)
        catalog.condition(of: app, then: note)
        chown(path, 0, 0)
        try write("mpv", in: "system", "Comment=changed\n")
        catalog.condition(of: app, then: note)
        #expect(conditions == [.asRead, .outdated, .outdated])
    }

    // MARK: Descriptions

    @discardableResult
    private func describe(_ entry: String = "org.example.Reader", executable: String = "cat") throws -> String {
        let path = "\(root)/system/handoff/programs/\(entry).json"
        let text = """
            {"type": "org.example.reading", "executable": "\(executable)", "arguments": ["--", "{target}"],
             "reads": "the page that it shows", "loses": "marks"}
            """
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    // Shows M06.
    @Test func describedProgramIsASystemProgram() throws {
        try write("org.example.Reader")
        #expect(programs.isEmpty)
        try describe()
        let app = try #require(catalog().apps.first)
        #expect(app.bundle.name == "system:org.example.Reader")
        #expect(app.activityTypes.map(\.name) == ["org.example.reading"])
        let command = AppCommand(
            executable: "/usr/libexec/handoff/handoff-adapters",
            arguments: ["--open", "org.example.Reader", "/usr/bin/cat", "--", "{target}"])
        #expect(app.entry?.way == .command(command))
    }

    // Shows M06.
    @Test func descriptionThatAnotherUserCanChangeIsIgnored() throws {
        try write("org.example.Reader")
        let path = try describe()
        chown(path, Self.other, 0)
        #expect(programs.isEmpty)
        #expect(catalog().problems == ["\(path) is ignored, because another user than root can change it"])
        chown(path, 0, 0)
        chmod("\(root)/system/handoff/programs", 0o777)
        #expect(programs.isEmpty)
    }

    // Shows M06.
    @Test func unusableDescriptionIsNamedAndCostsNothingElse() throws {
        try write()
        try write("org.example.Reader")
        try describe()
        let bad = "\(root)/system/handoff/programs/org.example.Bad.json"
        try Data("{}".utf8).write(to: URL(filePath: bad))
        let large = "\(root)/system/handoff/programs/org.example.Large.json"
        try Data(repeating: 32, count: ProgramDescription.fileBytes + 1).write(to: URL(filePath: large))
        mkfifo("\(root)/system/handoff/programs/org.example.Pipe.json", 0o600)
        #expect(Set(programs) == ["system:mpv", "system:org.example.Reader"])
        let problems = catalog().problems
        #expect(problems.contains("\(bad) has no text type"))
        #expect(problems.contains("\(large) has more than \(ProgramDescription.fileBytes) bytes"))
        #expect(problems.count == 3, "\(problems)")
    }

    @Test func programThatTheUserCouldReplaceIsNotStarted() throws {
        try write("org.example.Reader")
        try describe(executable: "/tmp/reader")
        #expect(programs.isEmpty)
    }

    @Test func temporaryFoldersAreNotRootsAlone() {
        #expect("/usr/bin/env".isChangedByRootAlone)
        #expect(!"/tmp".isChangedByRootAlone)
        #expect(!"/tmp/a".isChangedByRootAlone)
        #expect(!"usr".isChangedByRootAlone)
        #expect(!"/usr/bin/env/a".isChangedByRootAlone)
    }
}
