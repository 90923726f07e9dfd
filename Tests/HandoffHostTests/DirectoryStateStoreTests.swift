// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffTesting
import HandoffWire
import TestPrograms
import Testing

@testable import HandoffHost

@Suite struct DirectoryStateStoreTests {
    let home = TemporaryDirectory()

    @Test func keepsWhatWasWrittenForTheNextStart() throws {
        let first = try DirectoryStateStore(directory: home.path("new/state"))
        #expect(try first.read("roster") == nil)
        try first.write([1, 2, 3], to: "roster")
        try first.write([], to: "empty")

        let next = try DirectoryStateStore(directory: home.path("new/state"))
        #expect(try next.read("roster") == [1, 2, 3])
        #expect(try next.read("empty") == [])
        try next.remove("roster")
        try next.remove("roster")
        #expect(try next.read("roster") == nil)
    }

    @Test func onlyItsUserCanReadWhatItMakes() throws {
        let store = try DirectoryStateStore(directory: home.path("state"))
        try store.write([7], to: "device-key.pem")
        #expect(home.mode("state") == 0o700)
        #expect(home.mode("state/device-key.pem") == 0o600)
    }

    @Test func aCrashedWriteLosesNothingAndIsCleanedUp() throws {
        let store = try DirectoryStateStore(directory: home.path("state"))
        try store.write([1], to: "roster")
        try home.file("state/.roster.new", "half of a wri")

        let next = try DirectoryStateStore(directory: home.path("state"))
        #expect(try next.read("roster") == [1])
        #expect(home.names("state") == ["roster"])
    }

    @Test func aLeftoverOfTheSameProcessDoesNotStopTheNextWrite() throws {
        let store = try DirectoryStateStore(directory: home.path("state"))
        try home.file("state/.roster.new", "half", mode: 0o400)
        try store.write([2], to: "roster")
        #expect(try store.read("roster") == [2])
    }

    /// Also for the in-memory implementation.
    @Test(arguments: [true, false]) func namesAreThoseOfItsFilesAndOfNothingElse(isTwin: Bool) throws {
        let store: any StateStore = isTwin ? MemoryStateStore() : try DirectoryStateStore(directory: home.path("state"))
        #expect(try store.names() == [])
        for name in ["site-shop.example.com", "device.pem", "roster"] { try store.write([1], to: name) }
        try store.remove("roster")
        if !isTwin {
            try home.folder("state/logs")
            try home.file("state/.roster.new", "half")
            try home.file("state/a b", "nobody's")
            try home.link("state/link", to: home.path("state/device.pem"))
        }
        #expect(try store.names() == ["device.pem", "site-shop.example.com"])
    }

    @Test func refusesAFolderThatOthersCanEnter() throws {
        try home.folder("state", mode: 0o755)
        #expect(refusal { _ = try DirectoryStateStore(directory: home.path("state")) }?.contains("chmod 700") == true)
    }

    @Test func refusesAFileInTheFoldersPlace() throws {
        try home.file("state", "not a folder")
        #expect(
            refusal { _ = try DirectoryStateStore(directory: home.path("state")) }?.contains("not a folder") == true)
    }

    @Test func refusesALinkInTheFoldersPlace() throws {
        try home.folder("elsewhere")
        try home.link("state", to: home.path("elsewhere"))
        #expect(
            refusal { _ = try DirectoryStateStore(directory: home.path("state")) }?.contains("not a folder") == true)
    }

    @Test func refusesAFolderThatCannotBeMade() throws {
        try home.file("file", "")
        let reason = refusal { _ = try DirectoryStateStore(directory: home.path("file/state")) }
        #expect(reason?.contains(home.path("file")) == true)
        #expect(refusal { _ = try DirectoryStateStore(directory: "/proc/state") }?.contains("/proc/state") == true)
        #expect(refusal { _ = try DirectoryStateStore(directory: "state") }?.contains("absolute") == true)
    }

    @Test(arguments: [0o644, 0o640, 0o604]) func refusesAFileThatOthersCanRead(mode: Int) throws {
        let store = try DirectoryStateStore(directory: home.path("state"))
        try home.file("state/device-key.pem", "secret", mode: mode_t(mode))
        #expect(refusal { _ = try store.read("device-key.pem") }?.contains("chmod 600") == true)
        #expect(home.text("state/device-key.pem") == "secret")
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away")) func refusesWhatBelongsToAnother() throws {
        let store = try DirectoryStateStore(directory: home.path("state"))
        chown(try home.file("state/device-key.pem", "secret"), 65534, 65534)
        #expect(refusal { _ = try store.read("device-key.pem") }?.contains("belongs to user 65534") == true)
        chown(home.path("state"), 65534, 65534)
        #expect(
            refusal { _ = try DirectoryStateStore(directory: home.path("state")) }?.contains("belongs to user 65534")
                == true)
    }

    @Test func refusesLinksPipesAndFoldersInAFilesPlace() throws {
        let store = try DirectoryStateStore(directory: home.path("state"))
        try home.file("elsewhere", "secret")
        try home.link("state/link", to: home.path("elsewhere"))
        mkfifo(home.path("state/pipe"), 0o600)
        try home.folder("state/folder")
        for name in ["link", "pipe", "folder"] {
            #expect(refusal { _ = try store.read(name) }?.contains("state/\(name)") == true)
        }
        // A write replaces the link itself, not its target.
        try store.write([1], to: "link")
        #expect(home.text("elsewhere") == "secret")
    }

    @Test(arguments: ["", "..", ".hidden", "a/b", "/etc/passwd", "a b", "ü", String(repeating: "x", count: 129)])
    func refusesANameThatIsNotPlain(name: String) throws {
        let store = try DirectoryStateStore(directory: home.path("state"))
        #expect(throws: Failure(.internal, "")) { try store.write([1], to: name) }
        #expect(throws: Failure(.internal, "")) { _ = try store.read(name) }
        #expect(throws: Failure(.internal, "")) { try store.remove(name) }
    }

    @Test(.enabled(if: geteuid() == 0, "mounting needs root")) func aFullDiskLosesNothing() throws {
        try withSmallDisk { disk in
            let store = try DirectoryStateStore(directory: disk + "/state")
            try store.write([1, 2, 3], to: "roster")
            let reason = refusal { try store.write([UInt8](repeating: 9, count: 512 * 1024), to: "roster") }
            #expect(reason?.contains("No space left on device") == true)
            #expect(reason?.contains("nothing was lost") == true)
            #expect(try store.read("roster") == [1, 2, 3])
            try store.write([4], to: "roster")
            #expect(try store.read("roster") == [4])
        }
    }

    @Test(.enabled(if: geteuid() == 0, "mounting needs root")) func aReadOnlyDiskLosesNothing() throws {
        try withSmallDisk { disk in
            let store = try DirectoryStateStore(directory: disk + "/state")
            try store.write([1, 2, 3], to: "roster")
            #expect(Program.run(["mount", "-o", "remount,ro", disk]) == 0)
            #expect(refusal { try store.write([4], to: "roster") }?.contains("Read-only file system") == true)
            #expect(refusal { try store.remove("roster") }?.contains("Read-only file system") == true)
            #expect(try store.read("roster") == [1, 2, 3])
            // A daemon that starts with it can still read its identity.
            #expect(try DirectoryStateStore(directory: disk + "/state").read("roster") == [1, 2, 3])
            #expect(refusal { _ = try DirectoryStateStore(directory: disk + "/other") }?.contains("--root") == true)
        }
    }

    @Test(.enabled(if: geteuid() != 0, "root may write anywhere")) func aReadOnlyFolderLosesNothing() throws {
        let store = try DirectoryStateStore(directory: home.path("state"))
        try store.write([1], to: "roster")
        chmod(home.path("state"), 0o500)
        defer { chmod(home.path("state"), 0o700) }
        #expect(refusal { try store.write([2], to: "roster") }?.contains("Permission denied") == true)
        #expect(try store.read("roster") == [1])
    }

    private func withSmallDisk(_ body: (String) throws -> Void) throws {
        let disk = try home.folder("disk")
        try #require(Program.run(["mount", "-t", "tmpfs", "-o", "size=256k,mode=700", "tmpfs", disk]) == 0)
        defer { Program.run(["umount", "-l", disk]) }
        try body(disk)
    }
}

/// The reason of a `.stateNotWritable`, otherwise nil.
func refusal(_ body: () throws -> Void) -> String? {
    do {
        try body()
        return nil
    } catch let failure as Failure where failure.code == .stateNotWritable {
        return failure.reason
    } catch {
        return nil
    }
}
