// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffSystem
import HandoffWire
import TestPrograms
import Testing

@testable import HandoffHost

/// Documents that a program without a lock file writes to, or has locked. Shows Q09.
@Suite(.timeLimit(.minutes(1))) struct FileUseTests {
    private let fixture: DiskFixture

    init() throws {
        fixture = try DiskFixture()
        try fixture.write("old", to: "letter.txt")
    }

    /// Says so once it has the document, and waits for a line.
    private func run(_ command: [String], as user: [String] = []) async throws -> Program {
        let program = try Program(
            user + command, environment: ["PATH": "/usr/bin:/bin"], folder: fixture.folder.text, takesInput: true)
        try await program.hear("ready")
        return program
    }

    private func shell(_ script: String) -> [String] { ["/bin/sh", "-c", "\(script); echo ready; read line"] }

    private func python(_ script: String) -> [String] {
        ["/usr/bin/python3", "-c", "import fcntl, sys\n\(script)\nprint('ready', flush=True)\nsys.stdin.readline()"]
    }

    private func hold(_ name: String = "letter.txt", asPackage: Bool = false) throws -> DocumentHold? {
        fixture.files.hold(at: try fixture.place(name), asPackage: asPackage)
    }

    private func check(_ name: String, until program: Program) async throws {
        #expect(try hold() == .process(name))
        #expect(try fixture.receive(Array("new".utf8), as: "letter.txt") == .changedMeanwhile)
        #expect(fixture.text("letter.txt") == "old")
        #expect(fixture.leftovers() == [])
        try program.type("end")
        _ = await program.end()
        #expect(try hold() == nil)
        try fixture.receive(Array("new".utf8), as: "letter.txt")
        #expect(fixture.text("letter.txt") == "new")
    }

    // Shows Q09.
    @Test(arguments: ["exec 3>>letter.txt", "exec 3<>letter.txt"])
    func documentThatAProgramHasOpenForWritingIsNotReplaced(script: String) async throws {
        try await check("sh", until: try await run(shell(script)))
    }

    // Shows Q09: the files of other programs are not asked for their attributes, which a lost mount would never give.
    @Test(.enabled(if: SilentFileSystem.isPossible)) func aProgramWithAFileOnADeadMountHoldsUpNoDocument() async throws
    {
        let mount = try SilentFileSystem(serving: "/bin/true")
        let program = try await run(shell("exec 3<>\(mount.program)"))
        mount.fallSilent()
        let (files, place) = (fixture.files, try fixture.place("letter.txt"))
        let hold = await withCheckedContinuation { done in
            DetachedThread.start { done.resume(returning: files.hold(at: place, asPackage: false)) }
        }
        #expect(hold == nil)
        mount.speakAgain()
        try program.type("end")
        _ = await program.end()
    }

    // Shows Q09.
    @Test func documentThatAProgramOnlyReadsIsReplaced() async throws {
        let reader = try await run(shell("exec 3<letter.txt"))
        #expect(try hold() == nil)
        try fixture.receive(Array("new".utf8), as: "letter.txt")
        #expect(fixture.text("letter.txt") == "new")
        reader.send(SIGKILL)
    }

    // Shows Q09.
    @Test(
        .enabled(if: access("/usr/bin/python3", X_OK) == 0, "needs Python"),
        arguments: [
            "fcntl.flock(file, fcntl.LOCK_EX)", "fcntl.flock(file, fcntl.LOCK_SH)", "fcntl.lockf(file, fcntl.LOCK_SH)",
            "fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)",
        ])
    func documentThatAProgramHasLockedIsNotReplaced(call: String) async throws {
        // A file that Python closes takes its lock with it.
        try await check("python3", until: try await run(python("file = open('letter.txt')\n\(call)")))
    }

    // Shows Q09.
    @Test func packageWithAMemberOpenForWritingIsNotReplaced() async throws {
        try fixture.write("page", to: "Book/pages/1")
        #expect(try hold("Book", asPackage: true) == nil)
        let writer = try await run(shell("exec 3>>Book/pages/1"))
        #expect(try hold("Book", asPackage: true) == .process("sh"))
        #expect(try hold("Book") == nil)
        writer.send(SIGKILL)
    }

    // Shows Q09.
    @Test func documentNextToAnOpenFileIsFree() async throws {
        let writer = try await run(shell("exec 3>>other.txt"))
        #expect(try hold() == nil)
        writer.send(SIGKILL)
    }

    /// The processes of others cannot be examined, but their locks are listed.
    // Shows Q09.
    @Test(.enabled(if: geteuid() == 0, "needs root, who starts programs as other users"))
    func plainUserSeesTheirOwnProgramsAndTheLocksOfAll() async throws {
        let files = fixture.files, place = try fixture.place("letter.txt")
        for path in [fixture.home.path, fixture.folder.text, fixture.path("letter.txt")] {
            try #require(chown(path, 65534, 65534) == 0)
        }
        func hold() throws -> DocumentHold? { try PlainUser.run { files.hold(at: place, asPackage: false) } }
        let writer = try await run(
            shell("exec 3>>letter.txt"),
            as: ["/usr/bin/setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"])
        #expect(try hold() == .process("sh"))
        try writer.type("end")
        _ = await writer.end()
        #expect(try hold() == nil)
        let locker = try await run(["/usr/bin/flock", "letter.txt"] + shell("true"))
        #expect(try hold() == .process("flock"))
        try locker.type("end")
        _ = await locker.end()
        #expect(try hold() == nil)
    }
}
