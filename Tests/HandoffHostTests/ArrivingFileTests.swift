// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffSystem
import TestPrograms
import Testing

// The output file of `activity continue --stream-to FILE`: complete, or absent.
@Suite struct ArrivingFileTests {
    let home = TemporaryDirectory()

    private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: home.path).sorted() }

    private func write(_ bytes: [UInt8], to file: ArrivingFile) throws {
        try bytes.withUnsafeBytes { try file.write($0) }
    }

    private func kind(_ body: () throws -> Void) -> ArrivingFile.Refusal.Kind? {
        do {
            try body()
            return nil
        } catch {
            return (error as? ArrivingFile.Refusal)?.kind
        }
    }

    /// With unnamed files, and without.
    private static let ways = [false, true]

    @Test(arguments: ways) func hasItsNameWhenAllIsThere(named: Bool) throws {
        let file = try ArrivingFile(at: home.path("photo"), replacing: false, named: named)
        try file.reserve(6)
        try write([1, 2, 3], to: file)
        #expect(!home.exists("photo"))
        if named { #expect(try names().count == 1) }
        try write([4, 5, 6], to: file)
        try file.finish()
        #expect(try Data(contentsOf: URL(fileURLWithPath: home.path("photo"))) == Data([1, 2, 3, 4, 5, 6]))
        #expect(try names() == ["photo"])
        file.discard()
        #expect(try names() == ["photo"])
    }

    /// So nothing is left if the program is killed or the power fails.
    @Test func hasNoNameBefore() throws {
        let memory = TemporaryDirectory(in: "/dev/shm")
        for replacing in [false, true] {
            let file = try ArrivingFile(at: memory.path("photo"), replacing: replacing)
            try write([1, 2, 3], to: file)
            #expect(try FileManager.default.contentsOfDirectory(atPath: memory.path) == (replacing ? ["photo"] : []))
            try file.finish()
            #expect(try FileManager.default.contentsOfDirectory(atPath: memory.path) == ["photo"])
            #expect(try Data(contentsOf: URL(fileURLWithPath: memory.path("photo"))) == Data([1, 2, 3]))
        }
    }

    @Test(arguments: ways) func leavesNothingWhenItIsGivenUp(named: Bool) throws {
        let file = try ArrivingFile(at: home.path("photo"), replacing: false, named: named)
        try write([1, 2, 3], to: file)
        file.discard()
        #expect(try names() == [])
        do {
            let forgotten = try ArrivingFile(at: home.path("photo"), replacing: false, named: named)
            try write([1, 2, 3], to: forgotten)
        }
        #expect(try names() == [])
    }

    @Test func existingFileIsNotReplaced() throws {
        try home.file("photo", "old")
        #expect(kind { try ArrivingFile.check(at: home.path("photo"), replacing: false) } == .exists)
        #expect(kind { _ = try ArrivingFile(at: home.path("photo"), replacing: false) } == .exists)
        #expect(try names() == ["photo"])
    }

    @Test(arguments: ways) func fileCreatedDuringTheTransferIsNotReplaced(named: Bool) throws {
        let file = try ArrivingFile(at: home.path("photo"), replacing: false, named: named)
        try write([1], to: file)
        try home.file("photo", "somebody else's")
        #expect(kind { try file.finish() } == .exists)
        #expect(try String(contentsOfFile: home.path("photo"), encoding: .utf8) == "somebody else's")
        #expect(try names() == ["photo"])
    }

    @Test(arguments: ways) func replacingKeepsTheOldFileUntilTheEndAndItsMode(named: Bool) throws {
        try home.file("photo", "old", mode: 0o640)
        let file = try ArrivingFile(at: home.path("photo"), replacing: true, named: named)
        try write(Array("new".utf8), to: file)
        #expect(try String(contentsOfFile: home.path("photo"), encoding: .utf8) == "old")
        try file.finish()
        #expect(try String(contentsOfFile: home.path("photo"), encoding: .utf8) == "new")
        let mode = try FileManager.default.attributesOfItem(atPath: home.path("photo"))[.posixPermissions] as? Int
        #expect(mode == 0o640)
        #expect(try names() == ["photo"])
    }

    @Test func behindALinkTheFileIsReplacedAndNotTheLink() throws {
        try home.file("album/photo", "old")
        try home.link("photo", to: home.path("album/photo"))
        let file = try ArrivingFile(at: home.path("photo"), replacing: true)
        try write(Array("new".utf8), to: file)
        try file.finish()
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: home.path("photo")) == home.path("album/photo"))
        #expect(try String(contentsOfFile: home.path("album/photo"), encoding: .utf8) == "new")
        // A broken link occupies its name.
        try home.link("nowhere", to: home.path("missing"))
        #expect(kind { _ = try ArrivingFile(at: home.path("nowhere"), replacing: false) } == .exists)
    }

    @Test func onlyRegularFilesAreReplaced() throws {
        try home.folder("album")
        mkfifo(home.path("pipe"), 0o600)
        for path in [
            "", home.path("album"), home.path("album/"), home.path("pipe"), "/dev/null", home.path("no/photo"),
        ] {
            let checked = kind { try ArrivingFile.check(at: path, replacing: true) }
            #expect(checked == .other)
            let opened = kind { _ = try ArrivingFile(at: path, replacing: true) }
            #expect(opened == .other)
        }
        #expect(try names() == ["album", "pipe"])
    }

    @Test(.enabled(if: geteuid() == 0, "a small file system can be mounted by root alone"))
    func aFullDiskIsReportedAndLeavesNothing() throws {
        let disk = try home.folder("disk")
        try #require(Program.run(["mount", "-t", "tmpfs", "-o", "size=256k,mode=700", "tmpfs", disk]) == 0)
        defer { Program.run(["umount", "-l", disk]) }
        let file = try ArrivingFile(at: disk + "/photo", replacing: false)
        #expect(kind { try file.reserve(1_000_000) } == .noRoom)
        #expect(kind { try write([UInt8](repeating: 7, count: 300_000), to: file) } == .noRoom)
        file.discard()
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk) == [])
        let smaller = try ArrivingFile(at: disk + "/photo", replacing: false)
        try smaller.reserve(100_000)
        try write([UInt8](repeating: 7, count: 100_000), to: smaller)
        try smaller.finish()
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk) == ["photo"])
    }
}
