// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffHistory
import HandoffSystem
import HandoffWire
import TestPrograms
import Testing

@testable import HandoffHost

/// Shows W05: the index in its own program.
@Suite struct HistoryProgramTests {
    private let folder = HistoryFolder()
    private let app: BundleID
    private let now = WallTime(milliseconds: 1_800_000_000_000)

    init() throws {
        app = try BundleID("com.example.notes")
        // As in handoffd.
        signal(SIGPIPE, SIG_IGN)
    }

    private func entry(_ title: String) throws -> HistoryEntry {
        let state = ActivityState(
            type: try ActivityType("com.example.reading"), title: title, persistentIdentifier: title,
            isEligibleForSearch: true)
        return try #require(try HistoryEntry(of: state, by: app))
    }

    private static let built = Program.built + "/handoff-history"

    private func program(at path: String? = nil) -> IndexProgram {
        IndexProgram(
            path: path ?? Self.built, file: folder.file, patience: .seconds(60)
        ) { Issue.record("\($0)") }
    }

    /// Runs the program until it has read `input` and ended.
    private func run(_ input: [UInt8]) throws -> [UInt8] {
        let (to, from) = (try ProgramPipe(), try ProgramPipe())
        let process = try SpawnedProcess(
            executable: Self.built, arguments: [Self.built, folder.file], environment: [:], directory: "/",
            input: to.reading, output: from.writing, errors: nil)
        to.closeReading()
        from.closeWriting()
        _ = to.write(input)
        to.closeWriting()
        let answer = try #require(from.readAll(limit: 1 << 20, until: .now + .seconds(60)))
        #expect(process.waitForStatus() == 0)
        return answer
    }

    @Test func requestsAreAnswered() throws {
        let index = program()
        try index.keep(entry("Eggs"), usedAt: now)
        try index.keep(entry("Milk"), usedAt: now)
        let found = try index.found(by: HistoryQuery("egg"), limit: 10, at: now)
        #expect(found.map(\.entry.title) == ["Eggs"] && found.first?.lastUse == now)
        #expect(try index.entry(try #require(found.first?.number))?.title == "Eggs")
        #expect(try index.entry(99) == nil)
        #expect(try index.remove(.persistent(["Eggs"], of: app)) == 1)
        let transfer = ActivityTransfer(
            .sent, at: now, device: nil, deviceName: DisplayText(cleaning: "phone"), type: .browsingWeb,
            title: DisplayText(cleaning: "Eggs"), app: app, appName: DisplayText(cleaning: "Notes"))
        try index.add(transfer)
        #expect(try index.transfers() == [transfer])
        #expect(try index.removeExpired(at: now, unusedFor: .seconds(1)) == 0)
        #expect(try index.found(by: HistoryQuery(""), limit: 10, at: now).map(\.entry.title) == ["Milk"])
    }

    private static func process(for file: String) throws -> pid_t? {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap(pid_t.init).first { process in
            let arguments = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
            return arguments == "\(built)\0\(file)\0"
        }
    }

    @Test func programThatWasKilledIsStartedAgain() throws {
        let index = program()
        try index.keep(entry("Eggs"), usedAt: now)
        let process = try #require(try Self.process(for: folder.file))
        kill(process, SIGKILL)
        #expect(try index.found(by: HistoryQuery("egg"), limit: 10, at: now).count == 1)
    }

    // Shows A35, A36.
    @Test func deletedWordLeavesTheFileWhenTheDaemonStops() throws {
        let index = try SQLiteActivityIndex(path: folder.file)
        try index.keep(entry("Zanzibarweh"), usedAt: now)
        index.close()
        let removal = try IndexRequest.remove(.everything).encoded()
        let answer = try run(FrameHeader.bytes(length: removal.count) + removal)
        #expect(try IndexAnswer(encoded: answer.dropFirst(FrameHeader.byteCount)) == IndexAnswer(.done(1)))
        #expect(try !folder.contains("anzibarweh"))
    }

    @Test func deletedWordLeavesTheFileAfterACrash() throws {
        let crashed = HistoryFolder()
        let index = try SQLiteActivityIndex(path: crashed.file)
        try index.keep(entry("Zanzibarweh"), usedAt: now)
        try index.remove(.everything)
        // As the files are if the program ends now.
        for suffix in ["", "-wal", "-shm"] {
            try FileManager.default.copyItem(atPath: crashed.file + suffix, toPath: folder.file + suffix)
        }
        #expect(try folder.contains("anzibarweh"))
        #expect(program().hasUnfinishedWork)
        #expect(try run([]) == [])
        #expect(try !folder.contains("anzibarweh"))
        #expect(!program().hasUnfinishedWork)
    }

    @Test(arguments: [[], [0, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF, 1], [0, 0, 0, 9, 1]] as [[UInt8]])
    func malformedInputEndsTheProgram(input: [UInt8]) throws {
        #expect(try run(input) == [])
    }

    @Test func unknownRequestIsAnsweredWithTheReason() throws {
        let answer = try run([0, 0, 0, 2, 8, 9])
        let content = try IndexAnswer(encoded: answer.dropFirst(FrameHeader.byteCount)).content
        guard case .failure(let reason) = content else { throw Failure(.internal, "\(content)") }
        #expect(reason.contains("another version"))
    }

    @Test(arguments: ["/bin/true", "/bin/cat", "/nowhere"])
    func anotherProgramInItsPlaceIsAnError(path: String) throws {
        #expect(throws: Failure(.stateNotWritable, "")) {
            try program(at: path).found(by: HistoryQuery("a"), limit: 1, at: now)
        }
    }

    // As the reports hishtory 119 and dupeguru 1263.
    /// With a library that says so, in place of a SQLite that was built without it.
    @Test(.enabled(if: access("/usr/bin/cc", X_OK) == 0, "needs a C compiler"))
    func sqliteThatCannotSearchIsAnErrorAndLeavesTheFile() throws {
        try program().keep(entry("Eggs"), usedAt: now)
        let (library, script) = (folder.path + "/without.so", folder.path + "/handoff-history")
        let source = """
            #include <string.h>
            int sqlite3_compileoption_used(const char *name) { return strstr(name, "FTS5") == 0; }
            """
        try source.write(toFile: folder.path + "/without.c", atomically: true, encoding: .utf8)
        let compiler = try SpawnedProcess(
            executable: "/usr/bin/cc",
            arguments: ["cc", "-shared", "-fPIC", "-o", library, folder.path + "/without.c"],
            environment: ["PATH": "/usr/bin:/bin"], directory: "/", input: nil, output: nil, errors: nil)
        #expect(compiler.waitForStatus() == 0)
        try Program.write("#!/bin/sh\nLD_PRELOAD='\(library)' exec '\(Self.built)' \"$@\"\n", to: script)
        let refusal = #expect(throws: Failure.self) {
            try program(at: script).found(by: HistoryQuery("egg"), limit: 9, at: now)
        }
        #expect(refusal?.code == .stateNotWritable && refusal?.reason.contains("it has no FTS5") == true)
        #expect(try program().found(by: HistoryQuery("egg"), limit: 9, at: now).map(\.entry.title) == ["Eggs"])
    }

    @Test func twoProgramsWithOneFileWaitForEachOther() throws {
        let (first, second) = (program(), program())
        for number in 0..<100 {
            try first.keep(entry("First \(number)"), usedAt: now)
            try second.keep(entry("Second \(number)"), usedAt: now)
        }
        #expect(try first.remove(.everything) == 200)
        #expect(try second.found(by: HistoryQuery("second"), limit: 10, at: now).isEmpty)
    }

    @Test func removedFileIsCreatedAgain() throws {
        let index = program()
        try index.keep(entry("Eggs"), usedAt: now)
        for suffix in ["", "-wal", "-shm"] { try FileManager.default.removeItem(atPath: folder.file + suffix) }
        #expect(try index.found(by: HistoryQuery("eggs"), limit: 10, at: now).isEmpty)
        try index.keep(entry("Milk"), usedAt: now)
        #expect(try index.found(by: HistoryQuery(""), limit: 10, at: now).map(\.entry.title) == ["Milk"])
        #expect(FileManager.default.fileExists(atPath: folder.file))
    }
}
