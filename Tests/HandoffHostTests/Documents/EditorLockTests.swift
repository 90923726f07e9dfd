// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffSystem
import HandoffWire
import TestPrograms
import Testing

@testable import HandoffHost

/// A document that a program which knows nothing of Handoff has open. Shows Q09.
@Suite struct EditorLockTests {
    private let fixture: DiskFixture

    init() throws {
        fixture = try DiskFixture()
        try fixture.write("old\n", to: "letter.txt")
    }

    private static var host: String { ProcessInfo.processInfo.hostName }

    private func office(host: String = host) -> String {
        ",anna,\(host),25.11.2026 18:40,file:///home/anna/.config/libreoffice/4;"
    }

    private func hold() throws -> DocumentHold? {
        fixture.files.hold(at: try fixture.place("letter.txt"), asPackage: false)
    }

    /// The text that the editor has must not replace the new one unseen, so the new one is not placed under it.
    private func checkHeld(_ program: String) throws {
        #expect(try hold() == .editor(program))
        #expect(try fixture.receive(Array("new".utf8), as: "letter.txt") == .changedMeanwhile)
        #expect(fixture.text("letter.txt") == "old\n")
    }

    private func checkFree() throws {
        #expect(try hold() == nil)
        try fixture.receive(Array("new".utf8), as: "letter.txt")
        #expect(fixture.text("letter.txt") == "new")
    }

    private func path(of program: String) -> String? {
        ["/usr/bin/\(program)", "/bin/\(program)"].first { access($0, X_OK) == 0 }
    }

    private func openInVim() async throws -> Program {
        let program = try #require(path(of: "vim") ?? path(of: "vim.tiny"))
        let vim = try Program(
            [program, "-u", "NONE", "-e", "-s", fixture.path("letter.txt")], environment: ["HOME": fixture.home.path],
            takesInput: true)
        try vim.type("1print")
        try await vim.hear("old")
        return vim
    }

    // MARK: Real editors

    // Shows Q09.
    @Test(.enabled(if: access("/usr/bin/vim", X_OK) == 0 || access("/usr/bin/vim.tiny", X_OK) == 0, "needs Vim"))
    func documentThatIsOpenInVimIsNotReplaced() async throws {
        let vim = try await openInVim()
        try checkHeld("Vim")
        try vim.type("quit!")
        _ = await vim.end()
        try checkFree()
    }

    // Shows Q09.
    @Test(.enabled(if: access("/usr/bin/vim", X_OK) == 0 || access("/usr/bin/vim.tiny", X_OK) == 0, "needs Vim"))
    func lockThatACrashOfVimLeftDoesNotCount() async throws {
        let vim = try await openInVim()
        vim.send(SIGKILL)
        _ = await vim.end()
        #expect(FileManager.default.fileExists(atPath: fixture.path(".letter.txt.swp")))
        try checkFree()
    }

    // Shows Q09.
    @Test(.enabled(if: access("/usr/bin/emacs", X_OK) == 0, "needs Emacs"), arguments: [false, true])
    func documentThatEmacsHasChangedIsNotReplaced(crashes: Bool) async throws {
        let lisp = """
            (progn (find-file "\(fixture.path("letter.txt"))") (insert "mine") (princ "changed\n") (read-from-minibuffer ""))
            """
        let emacs = try Program(
            ["/usr/bin/emacs", "--batch", "--quick", "--eval", lisp],
            environment: ["HOME": fixture.home.path, "PATH": "/usr/bin:/bin"], takesInput: true)
        try await emacs.hear("changed")
        try checkHeld("Emacs")
        if crashes { emacs.send(SIGKILL) } else { try emacs.type("end") }
        _ = await emacs.end()
        try checkFree()
    }

    // Shows Q09.
    @Test(.enabled(if: access("/usr/bin/soffice", X_OK) == 0, "needs LibreOffice"))
    func documentThatIsOpenInLibreOfficeIsNotReplaced() async throws {
        let watch = FolderWatch(folder: fixture.folder.text, for: .changes)
        // It starts other processes, and passes its signal on to them.
        let office = try Program(
            ["/usr/bin/timeout", "300", "/usr/bin/soffice", "--headless", "--norestore", fixture.path("letter.txt")],
            environment: ["HOME": fixture.home.path, "PATH": "/usr/bin:/bin"])
        let lock = fixture.path(".~lock.letter.txt#")
        let isOpen = await withCheckedContinuation { done in
            DetachedThread.start { done.resume(returning: watch.waits(forTextIn: lock, milliseconds: 120_000)) }
        }
        #expect(isOpen, "\(office.errors)")
        try checkHeld("LibreOffice")
        office.send(SIGTERM)
        _ = await office.end()
    }

    // MARK: Lock files

    // Shows Q09.
    @Test func lockOfAnotherMachineHoldsForADay() throws {
        try fixture.write(office(host: "another"), to: ".~lock.letter.txt#")
        try checkHeld("LibreOffice")
        fixture.clock.advance(EditorLock.remoteAge + .seconds(60))
        try checkFree()
    }

    // Shows Q09.
    @Test func lockOfLibreOfficeHoldsWhileItRuns() async throws {
        let office = try fixture.home.file("soffice.bin", "")
        try FileManager.default.removeItem(atPath: office)
        try FileManager.default.copyItem(atPath: try #require(path(of: "sleep")), toPath: office)
        let program = try Program([office, "600"], environment: [:])
        defer { program.send(SIGKILL) }
        try fixture.write(self.office(), to: ".~lock.letter.txt#")
        try checkHeld("LibreOffice")
    }

    @Test func documentBesideALockOfAnotherIsFree() throws {
        try fixture.write(office(host: "another"), to: ".~lock.letter2.txt#")
        try checkFree()
    }

    @Test(arguments: [".~lock.letter.txt#", ".#letter.txt", ".letter.txt.swp"])
    func damagedLockHoldsNothing(name: String) throws {
        try fixture.write("b0", to: name)
        try checkFree()
    }

    // Shows Q09.
    @Test func versionIsNotRestoredUnderAnEditor() throws {
        try fixture.receive(Array("new".utf8), as: "letter.txt")
        let version = try #require(try fixture.files.versions().first)
        try fixture.write(office(host: "another"), to: ".~lock.letter.txt#")
        let failure = failure { _ = try fixture.files.restore(version.id, at: DiskFixture.noon) }
        #expect(failure?.code == .documentNotPlaced)
        #expect(failure?.reason.contains("is open in LibreOffice") == true)
        #expect(fixture.text("letter.txt") == "new")
    }

    // MARK: "Save Anyway"

    /// As the daemon delivers it while the document is open.
    private func receiveBeside() throws {
        var order = try fixture.order("letter (laptop).txt")
        order.versionOf = try DocumentPath("letter.txt")
        let arrival = try fixture.files.begin(.whole(size: 3), for: order.place, basis: [], left: nil)
        try arrival.append(Array("new".utf8))
        _ = try arrival.hash()
        try arrival.sync(modified: FileTime(nanoseconds: 0), mode: 0o600)
        guard case .placed = try arrival.place(order) else { return #expect(Bool(false), "it is not there") }
    }

    /// The person may also change the file beside it.
    private func checkThatTheVersionIsKept() throws {
        try fixture.write("changed", to: "letter (laptop).txt")
        let version = try #require(try fixture.files.versions().first)
        #expect(version.path.text == fixture.path("letter.txt"))
        #expect(try Data(contentsOf: URL(filePath: version.file.text)) == Data("new".utf8))
        try? FileManager.default.removeItem(atPath: fixture.path(".~lock.letter.txt#"))
        _ = try fixture.files.restore(version.id, at: DiskFixture.noon)
        #expect(fixture.text("letter.txt") == "new")
    }

    // Shows Q09.
    @Test func versionBesideAnOpenDocumentIsKept() throws {
        try fixture.write(office(host: "another"), to: ".~lock.letter.txt#")
        try receiveBeside()
        try fixture.write("mine", to: "letter.txt")
        try checkThatTheVersionIsKept()
    }

    /// LibreOffice asks because a sync tool has replaced the document in the meantime.
    // Shows Q09.
    @Test(
        .enabled(
            if: ["soffice", "Xvfb", "xdotool"].allSatisfy { access("/usr/bin/\($0)", X_OK) == 0 },
            "needs LibreOffice and Xvfb"))
    func versionIsKeptWhenLibreOfficeSavesAnyway() async throws {
        let screen = try await Screen()
        let office = try screen.start(
            ["/usr/bin/timeout", "300", "/usr/bin/soffice", "--norestore", "--nologo", fixture.path("letter.txt")],
            home: fixture.home.path)
        try await screen.type("X", intoWindow: "letter.txt")
        try checkHeld("LibreOffice")
        try receiveBeside()
        try fixture.write("synced", to: "letter.txt")
        let watch = FolderWatch(folder: fixture.folder.text, for: .changes)
        try await screen.press(["ctrl+s"], inWindow: "letter.txt")
        try await screen.press(["Return"], inWindow: "Confirm File Format")
        try await screen.press(["Return"], inWindow: "Document Has Been Changed")
        let path = fixture.path("letter.txt")
        let isSaved = await withCheckedContinuation { done in
            DetachedThread.start {
                let isSaved = watch.waits(milliseconds: 60_000) {
                    (try? String(contentsOfFile: path, encoding: .utf8))?.contains("Xold") == true
                }
                done.resume(returning: isSaved)
            }
        }
        #expect(isSaved, "\(office.errors)")
        office.send(SIGTERM)
        _ = await office.end()
        try checkThatTheVersionIsKept()
    }
}

extension FolderWatch {
    /// A program makes its lock file first, and then writes its text.
    func waits(forTextIn path: String, milliseconds: CInt) -> Bool {
        waits(milliseconds: milliseconds) { (try? Data(contentsOf: URL(filePath: path)))?.isEmpty == false }
    }

    /// False if nothing happens for so long.
    func waits(milliseconds: CInt, until condition: () -> Bool) -> Bool {
        var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while !condition() {
            guard poll(&poller, 1, milliseconds) > 0, takeChanges() else { return false }
        }
        return true
    }
}

/// The content of lock files. Shows Q09.
@Suite struct EditorLockFormatTests {
    @Test func libreOfficeNamesItsHostThird() throws {
        let lock = try #require(
            EditorLock(libreOffice: Array("Anna\\, B.,anna,desk.example,25.11.2026 18:40,file:///home/anna/x;".utf8))
        )
        #expect(lock.host == "desk.example" && lock.process == nil && lock.program == "LibreOffice")
    }

    @Test(
        arguments: [
            ("anna@desk.388", "desk", 388), ("anna@desk.example.org.388:1795620434", "desk.example.org", 388),
            ("a.b@c@desk.1", "desk", 1),
        ] as [(String, String, Int32)])
    func emacsNamesUserHostProcessAndBoot(text: String, host: String, process: Int32) throws {
        let lock = try #require(EditorLock(emacs: Array(text.utf8)))
        #expect(lock.host == host && lock.process == process)
    }

    @Test(arguments: ["", "anna", "anna@desk", "anna@desk.x", "anna.1@desk", "@."])
    func otherLinksAreNotLocks(text: String) { #expect(EditorLock(emacs: Array(text.utf8)) == nil) }

    @Test(arguments: ["", ";", "a,b,c", "a,b;c,d,e"])
    func otherFilesAreNotLocks(text: String) { #expect(EditorLock(libreOffice: Array(text.utf8)) == nil) }
}
