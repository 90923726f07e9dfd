// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffTrust
import HandoffWire
import Testing

@testable import HandoffHost

/// Placing documents on a real disk.
@Suite struct PlacementTests {
    /// Kinds of disks that differ here.
    struct Ground: Hashable, CustomTestStringConvertible {
        var abilities = DiskAbilities()
        /// Kept versions are on another file system.
        var isApart = false

        static let all: [Ground] = [true, false].flatMap { unnamed in
            [true, false].flatMap { links in
                [true, false].flatMap { swaps in
                    [true, false].map { apart in
                        var abilities = DiskAbilities()
                        (abilities.hasUnnamedFiles, abilities.hasLinks, abilities.swapsNames) = (unnamed, links, swaps)
                        return Ground(abilities: abilities, isApart: apart)
                    }
                }
            }
        }

        var testDescription: String {
            let missing = [
                abilities.hasUnnamedFiles ? nil : "unnamed files", abilities.hasLinks ? nil : "links",
                abilities.swapsNames ? nil : "swaps",
            ].compactMap(\.self)
            return (missing.isEmpty ? "all there is" : "without " + missing.joined(separator: ", "))
                + (isApart ? ", apart" : "")
        }

        func desk() throws -> DocumentDesk { try DocumentDesk(apart: isApart, abilities: abilities) }
    }

    private func kept(_ desk: DocumentDesk) throws -> [[UInt8]?] {
        try desk.files.versions().map { version in
            (try? Data(contentsOf: URL(fileURLWithPath: version.file.text))).map(Array.init)
        }
    }

    @Test(arguments: Ground.all) func aFileReplacesAnotherWhichIsKept(ground: Ground) throws {
        let desk = try ground.desk()
        try desk.write("old", to: "letters/ann.txt")
        let before = try #require(try desk.found("letters/ann.txt"))
        let outcome = try desk.receive(Array("new".utf8), as: "letters/ann.txt")
        #expect(desk.text("letters/ann.txt") == "new")
        guard case .placed(_, let found) = outcome else { return #expect(Bool(false), "it is there") }
        #expect(found == (try desk.found("letters/ann.txt")))
        #expect(desk.names() == ["letters/", "letters/ann.txt"])
        #expect(desk.leftovers() == [])
        let version = try #require(try desk.files.versions().first)
        #expect(try kept(desk) == [Array("old".utf8)])
        #expect(version.path == (try AbsolutePath(desk.path("letters/ann.txt"))))
        #expect(version.file.bytes.suffix(8) == Array("/ann.txt".utf8)[...])
        #expect(version.size == 3)
        #expect(version.modified == before.version.modified)
        #expect(version.kept == DocumentDesk.noon)
        #expect(version.deviceName.text == "laptop")
        #expect(!version.isPackage)
        #expect(desk.home.mode("state/versions") == (ground.isApart ? 0 : 0o700))
    }

    @Test(arguments: Ground.all) func inAConflictWhatWasThereIsKeptBesideIt(ground: Ground) throws {
        let desk = try ground.desk()
        try desk.write("ours", to: "ann.txt")
        try desk.receive(Array("theirs".utf8), as: "ann.txt", conflictCopy: "ann (laptop).txt")
        #expect(desk.text("ann.txt") == "theirs")
        #expect(desk.text("ann (laptop).txt") == "ours")
        #expect(desk.names() == ["ann (laptop).txt", "ann.txt"])
        #expect(desk.leftovers() == [])
        // Changes to the copy do not affect the kept version.
        let handle = try #require(FileHandle(forWritingAtPath: desk.path("ann (laptop).txt")))
        try handle.write(contentsOf: Data("edit".utf8))
        #expect(try kept(desk) == [Array("ours".utf8)])
    }

    @Test func theConflictCopyIsTheFileThatWasThere() throws {
        let desk = try DocumentDesk()
        try desk.write("ours", to: "ann.txt")
        let before = try desk.found("ann.txt")?.version
        try desk.receive([], as: "ann.txt", conflictCopy: "ann (laptop).txt")
        let copy = try desk.found("ann (laptop).txt")?.version
        #expect(copy?.file == before?.file)
        #expect(copy?.modified == before?.modified)
    }

    @Test(arguments: Ground.all) func documentChangedDuringTheTransferIsNotReplaced(ground: Ground) throws {
        let desk = try ground.desk()
        try desk.write("old", to: "ann.txt")
        let seen = try desk.found("ann.txt")?.version
        let arrival = try desk.files.begin(.whole(size: 3), for: try desk.place("ann.txt"), basis: [], left: nil)
        try arrival.append(Array("new".utf8))
        _ = try arrival.hash()
        try arrival.sync(modified: FileTime(nanoseconds: 0), mode: 0o644)
        func names() -> [String] { desk.names().filter { !$0.hasPrefix(".handoff-") } }
        // Edited in place, replaced by a new file, replaced by one with the same content, then removed.
        try desk.write("one", to: "ann.txt")
        for round in 0..<3 {
            #expect(
                try arrival.place(try desk.order("ann.txt", replaces: seen, conflictCopy: "copy")) == .changedMeanwhile)
            #expect(names() == ["ann.txt"])
            rename(desk.path("ann.txt"), desk.home.path("moved \(round)"))
            try desk.write("old", to: "ann.txt")
        }
        #expect(try arrival.place(try desk.order("ann.txt")) == .changedMeanwhile)
        unlink(desk.path("ann.txt"))
        #expect(try arrival.place(try desk.order("ann.txt", replaces: seen)) == .changedMeanwhile)
        #expect(names() == [])
        #expect(try desk.files.versions() == [])
        // It can still take its place.
        guard case .placed = try arrival.place(try desk.order("ann.txt")) else {
            return #expect(Bool(false), "it is not there")
        }
        #expect(desk.text("ann.txt") == "new")
        #expect(desk.leftovers() == [])
    }

    @Test(arguments: Ground.all) func aCopyThatCannotHaveItsNameIsDecidedAboutAgain(ground: Ground) throws {
        let desk = try ground.desk()
        try desk.write("ours", to: "ann.txt")
        try desk.write("other", to: "ann (laptop).txt")
        #expect(try desk.receive([], as: "ann.txt", conflictCopy: "ann (laptop).txt") == .changedMeanwhile)
        #expect(desk.text("ann.txt") == "ours")
        #expect(desk.text("ann (laptop).txt") == "other")
        #expect(desk.names().count == 2)
        #expect(desk.leftovers() == [])
        #expect(try desk.files.versions() == [])
    }

    @Test func foldersMadeForADocumentThatIsNotPlacedGo() throws {
        let desk = try DocumentDesk()
        let arrival = try desk.files.begin(.whole(size: 0), for: try desk.place("a/b/c"), basis: [], left: nil)
        _ = try arrival.hash()
        try arrival.sync(modified: FileTime(nanoseconds: 0), mode: 0o644)
        let never = FileVersion(
            file: FileNumber(device: 0, inode: 0), size: 0, modified: FileTime(nanoseconds: 0),
            changed: FileTime(nanoseconds: 0), mode: 0)
        #expect(try arrival.place(try desk.order("a/b/c", replaces: never)) == .changedMeanwhile)
        #expect(desk.names() == [])
    }

    /// A program with the old file open continues to write to it, and its changes are kept.
    @Test func writesToTheReplacedFileAreKept() throws {
        let desk = try DocumentDesk()
        try desk.write("old", to: "ann.txt")
        let handle = try #require(FileHandle(forWritingAtPath: desk.path("ann.txt")))
        try desk.receive(Array("new".utf8), as: "ann.txt")
        try handle.write(contentsOf: Data("late".utf8))
        #expect(desk.text("ann.txt") == "new")
        #expect(try kept(desk) == [Array("late".utf8)])
    }

    // MARK: Leftovers of crashes

    /// As after a crash: a new instance for the same state that knows of no documents in transfer.
    private func next(after desk: DocumentDesk, _ abilities: DiskAbilities) throws -> DirectoryDocumentFiles {
        let clock = desk.clock
        return try DirectoryDocumentFiles(
            state: desk.state, received: desk.received, abilities: abilities, now: { clock.now },
            openFile: { _ throws(Failure) in throw Failure(.documentGone, "") })
    }

    @Test(arguments: [true, false]) func leftoversOfACrashAreRemovedAfterAMinute(isApart: Bool) throws {
        var abilities = DiskAbilities()
        abilities.hasUnnamedFiles = false
        let desk = try DocumentDesk(apart: isApart, abilities: abilities)
        let file = try desk.files.begin(.whole(size: 1), for: try desk.place("ann.txt"), basis: [], left: nil)
        let manifest = try PackageManifest([.init(DocumentPath("pages"), .folder)])
        let package = try desk.files.begin(.members(manifest), for: try desk.place("Book"), basis: [], left: nil)
        #expect(desk.leftovers().count == 3)
        // Another program of ours may still use them.
        let files = try next(after: desk, abilities)
        _ = files.removeExpired(at: DocumentDesk.noon)
        #expect(desk.leftovers().count == 3)
        desk.clock.advance(.seconds(61))
        try files.begin(.whole(size: 0), for: try desk.place("bob.txt"), basis: [], left: nil).discard()
        #expect(desk.leftovers() == [])
        #expect(DocumentDesk.tree(desk.state + "/hidden") == [])
        file.discard()
        package.discard()
    }

    /// In any folder, even if nothing is received there again.
    @Test func leftoversBesideDocumentsAreRemovedByTheCleaning() throws {
        var abilities = DiskAbilities()
        abilities.hasUnnamedFiles = false
        let desk = try DocumentDesk(apart: true, abilities: abilities)
        try desk.write("letter", to: "letters/ann.txt")
        let file = try desk.files.begin(.whole(size: 1), for: try desk.place("letters/bob"), basis: [], left: nil)
        desk.clock.advance(.seconds(61))
        #expect(try next(after: desk, abilities).removeExpired(at: DocumentDesk.noon).isEmpty)
        #expect(desk.names() == ["letters/", "letters/ann.txt"])
        #expect(DocumentDesk.tree(desk.state + "/hidden") == [])
        file.discard()
    }

    /// Also names that resemble the daemon's, because the daemon recorded the names that it used.
    @Test(arguments: [true, false]) func theUsersOwnNamesAreNeverRemoved(isApart: Bool) throws {
        let desk = try DocumentDesk(apart: isApart)
        let digits = String(repeating: "0123456789abcdef", count: 2)
        let own = [
            ".handoff-", ".handoff-\(digits)", ".handoff-\(digits)-aside", ".handoff-\(digits)0",
            ".handoff-\(digits.uppercased())", ".handoff-notes/important.txt", ".handoff-todo.txt",
        ]
        for name in own { try desk.write("mine", to: name) }
        let before = desk.names()
        desk.clock.advance(.seconds(3600))
        try desk.receive([], as: "ann.txt")
        #expect(desk.files.removeExpired(at: DocumentDesk.noon).isEmpty)
        #expect(desk.names() == before + ["ann.txt"])
    }

    /// Other programs' files in the daemon's own folder are not leftovers.
    @Test func onlyHiddenNamesAreRemovedFromTheFolderOfTheDaemon() throws {
        let desk = try DocumentDesk()
        try desk.receive([], as: "ann.txt")
        let digits = String(repeating: "0f", count: 16)
        for name in [digits, ".handoff-\(digits)", ".handoff-\(digits)0"] {
            try Data([1]).write(to: URL(fileURLWithPath: "\(desk.state)/arriving/\(name)"))
        }
        desk.clock.advance(.seconds(61))
        try desk.receive([], as: "ann.txt")
        #expect(DocumentDesk.tree(desk.state + "/arriving") == [".handoff-\(digits)0", digits])
    }

    @Test func arrivalInProgressIsNotRemovedAsALeftover() throws {
        var abilities = DiskAbilities()
        abilities.hasUnnamedFiles = false
        let desk = try DocumentDesk(abilities: abilities)
        let arrival = try desk.files.begin(.whole(size: 1), for: try desk.place("ann.txt"), basis: [], left: nil)
        desk.clock.advance(.seconds(3600))
        try desk.receive([], as: "bob.txt")
        try arrival.append([7])
        try desk.finish(arrival, as: "ann.txt")
        #expect(desk.bytes("ann.txt") == [7])
    }

    /// The power failed between two renames, on a disk that cannot swap names.
    @Test func aPackageThatWasMovedAsideGetsItsNameAgain() throws {
        let desk = try DocumentDesk()
        try desk.write("1", to: "Book/index")
        try desk.write("old", to: "ann.txt")
        try desk.receive([], as: "ann.txt")
        let version = try #require(try desk.files.versions().first)
        // Reproduces that state.
        rename(desk.path("ann.txt"), desk.home.path("moved"))
        rename(desk.path("Book"), desk.path(".handoff-\(version.id.hex)-aside"))
        try desk.home.file("state/hidden/\(version.id.hex)-aside", desk.folder.text)
        desk.clock.advance(.seconds(3600))
        try desk.receive([], as: "bob.txt")
        #expect(desk.names() == ["ann.txt/", "ann.txt/index", "bob.txt"])
    }

    // MARK: File systems

    @Test(.needs(.tmpfs)) func takesItsPlaceOnTmpfs() throws { try check(.tmpfs) }
    @Test(.needs(.ext4)) func takesItsPlaceOnExt4() throws { try check(.ext4) }
    @Test(.needs(.vfat)) func takesItsPlaceOnVfat() throws { try check(.vfat) }
    @Test(.needs(.xfs)) func takesItsPlaceOnXfs() throws { try check(.xfs) }
    @Test(.needs(.btrfs)) func takesItsPlaceOnBtrfs() throws { try check(.btrfs) }

    private func check(_ kind: SmallDisk.Kind) throws {
        let disk = try #require(SmallDisk(kind))
        let desk = try DocumentDesk(folder: disk.path)
        try desk.write("old", to: "ann.txt")
        try desk.receive(Array("new".utf8), as: "ann.txt", conflictCopy: "ann (laptop).txt")
        #expect(desk.text("ann.txt") == "new")
        #expect(desk.text("ann (laptop).txt") == "old")
        #expect(desk.names().filter { $0 != "lost+found/" } == ["ann (laptop).txt", "ann.txt"])
        #expect(try kept(desk) == [Array("old".utf8)])
        #expect(try desk.files.storage(of: desk.folder) == DocumentStorage(name: kind.rawValue))
    }
}
