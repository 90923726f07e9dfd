// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffTrust
import HandoffWire
import Testing

@testable import HandoffHost

/// Placing documents on a real disk. Shows B17.
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

        func fixture() throws -> DiskFixture { try DiskFixture(apart: isApart, abilities: abilities) }
    }

    private func kept(_ fixture: DiskFixture) throws -> [[UInt8]?] {
        try fixture.files.versions().map { version in
            (try? Data(contentsOf: URL(fileURLWithPath: version.file.text))).map(Array.init)
        }
    }

    @Test(arguments: Ground.all) func aFileReplacesAnotherWhichIsKept(ground: Ground) throws {
        let fixture = try ground.fixture()
        try fixture.write("old", to: "letters/ann.txt")
        let before = try #require(try fixture.found("letters/ann.txt"))
        let outcome = try fixture.receive(Array("new".utf8), as: "letters/ann.txt")
        #expect(fixture.text("letters/ann.txt") == "new")
        guard case .placed(_, let found) = outcome else { return #expect(Bool(false), "it is there") }
        #expect(found == (try fixture.found("letters/ann.txt")))
        #expect(fixture.names() == ["letters/", "letters/ann.txt"])
        #expect(fixture.leftovers() == [])
        let version = try #require(try fixture.files.versions().first)
        #expect(try kept(fixture) == [Array("old".utf8)])
        #expect(version.path == (try AbsolutePath(fixture.path("letters/ann.txt"))))
        #expect(version.file.bytes.suffix(8) == Array("/ann.txt".utf8)[...])
        #expect(version.size == 3)
        #expect(version.modified == before.version.modified)
        #expect(version.kept == DiskFixture.noon)
        #expect(version.deviceName.text == "laptop")
        #expect(!version.isPackage)
        #expect(fixture.home.mode("state/versions") == (ground.isApart ? 0 : 0o700))
    }

    @Test(arguments: Ground.all) func inAConflictWhatWasThereIsKeptBesideIt(ground: Ground) throws {
        let fixture = try ground.fixture()
        try fixture.write("ours", to: "ann.txt")
        try fixture.receive(Array("theirs".utf8), as: "ann.txt", conflictCopy: "ann (laptop).txt")
        #expect(fixture.text("ann.txt") == "theirs")
        #expect(fixture.text("ann (laptop).txt") == "ours")
        #expect(fixture.names() == ["ann (laptop).txt", "ann.txt"])
        #expect(fixture.leftovers() == [])
        // Changes to the copy do not affect the kept version.
        let handle = try #require(FileHandle(forWritingAtPath: fixture.path("ann (laptop).txt")))
        try handle.write(contentsOf: Data("edit".utf8))
        #expect(try kept(fixture) == [Array("ours".utf8)])
    }

    @Test func theConflictCopyIsTheFileThatWasThere() throws {
        let fixture = try DiskFixture()
        try fixture.write("ours", to: "ann.txt")
        let before = try fixture.found("ann.txt")?.version
        try fixture.receive([], as: "ann.txt", conflictCopy: "ann (laptop).txt")
        let copy = try fixture.found("ann (laptop).txt")?.version
        #expect(copy?.file == before?.file)
        #expect(copy?.modified == before?.modified)
    }

    @Test(arguments: Ground.all) func documentChangedDuringTheTransferIsNotReplaced(ground: Ground) throws {
        let fixture = try ground.fixture()
        try fixture.write("old", to: "ann.txt")
        let seen = try fixture.found("ann.txt")?.version
        let arrival = try fixture.files.begin(.whole(size: 3), for: try fixture.place("ann.txt"), basis: [], left: nil)
        try arrival.append(Array("new".utf8))
        _ = try arrival.hash()
        try arrival.sync(modified: FileTime(nanoseconds: 0), mode: 0o644)
        func names() -> [String] { fixture.names().filter { !$0.hasPrefix(".handoff-") } }
        // Edited in place, replaced by a new file, replaced by one with the same content, then removed.
        try fixture.write("one", to: "ann.txt")
        for round in 0..<3 {
            #expect(
                try arrival.place(try fixture.order("ann.txt", replaces: seen, conflictCopy: "copy"))
                    == .changedMeanwhile)
            #expect(names() == ["ann.txt"])
            rename(fixture.path("ann.txt"), fixture.home.path("moved \(round)"))
            try fixture.write("old", to: "ann.txt")
        }
        #expect(try arrival.place(try fixture.order("ann.txt")) == .changedMeanwhile)
        unlink(fixture.path("ann.txt"))
        #expect(try arrival.place(try fixture.order("ann.txt", replaces: seen)) == .changedMeanwhile)
        #expect(names() == [])
        #expect(try fixture.files.versions() == [])
        // It can still take its place.
        guard case .placed = try arrival.place(try fixture.order("ann.txt")) else {
            return #expect(Bool(false), "it is not there")
        }
        #expect(fixture.text("ann.txt") == "new")
        #expect(fixture.leftovers() == [])
    }

    @Test(arguments: Ground.all) func aCopyThatCannotHaveItsNameIsDecidedAboutAgain(ground: Ground) throws {
        let fixture = try ground.fixture()
        try fixture.write("ours", to: "ann.txt")
        try fixture.write("other", to: "ann (laptop).txt")
        #expect(try fixture.receive([], as: "ann.txt", conflictCopy: "ann (laptop).txt") == .changedMeanwhile)
        #expect(fixture.text("ann.txt") == "ours")
        #expect(fixture.text("ann (laptop).txt") == "other")
        #expect(fixture.names().count == 2)
        #expect(fixture.leftovers() == [])
        #expect(try fixture.files.versions() == [])
    }

    @Test func foldersMadeForADocumentThatIsNotPlacedGo() throws {
        let fixture = try DiskFixture()
        let arrival = try fixture.files.begin(.whole(size: 0), for: try fixture.place("a/b/c"), basis: [], left: nil)
        _ = try arrival.hash()
        try arrival.sync(modified: FileTime(nanoseconds: 0), mode: 0o644)
        let never = FileVersion(
            file: FileNumber(device: 0, inode: 0), size: 0, modified: FileTime(nanoseconds: 0),
            changed: FileTime(nanoseconds: 0), mode: 0)
        #expect(try arrival.place(try fixture.order("a/b/c", replaces: never)) == .changedMeanwhile)
        #expect(fixture.names() == [])
    }

    /// A program with the old file open continues to write to it, and its changes are kept.
    @Test func writesToTheReplacedFileAreKept() throws {
        let fixture = try DiskFixture()
        try fixture.write("old", to: "ann.txt")
        let handle = try #require(FileHandle(forWritingAtPath: fixture.path("ann.txt")))
        try fixture.receive(Array("new".utf8), as: "ann.txt")
        try handle.write(contentsOf: Data("late".utf8))
        #expect(fixture.text("ann.txt") == "new")
        #expect(try kept(fixture) == [Array("late".utf8)])
    }

    // MARK: Leftovers of crashes

    /// As after a crash: a new instance for the same state that knows of no documents in transfer.
    private func next(after fixture: DiskFixture, _ abilities: DiskAbilities) throws -> DirectoryDocumentFiles {
        let clock = fixture.clock
        return try DirectoryDocumentFiles(
            state: fixture.state, received: fixture.received, abilities: abilities, now: { clock.now },
            openFile: { _ throws(Failure) in throw Failure(.documentGone, "") })
    }

    @Test(arguments: [true, false]) func leftoversOfACrashAreRemovedAfterAMinute(isApart: Bool) throws {
        var abilities = DiskAbilities()
        abilities.hasUnnamedFiles = false
        let fixture = try DiskFixture(apart: isApart, abilities: abilities)
        let file = try fixture.files.begin(.whole(size: 1), for: try fixture.place("ann.txt"), basis: [], left: nil)
        let manifest = try PackageManifest([.init(DocumentPath("pages"), .folder)])
        let package = try fixture.files.begin(.members(manifest), for: try fixture.place("Book"), basis: [], left: nil)
        #expect(fixture.leftovers().count == 3)
        // Another program of ours may still use them.
        let files = try next(after: fixture, abilities)
        _ = files.removeExpired(at: DiskFixture.noon)
        #expect(fixture.leftovers().count == 3)
        fixture.clock.advance(.seconds(61))
        try files.begin(.whole(size: 0), for: try fixture.place("bob.txt"), basis: [], left: nil).discard()
        #expect(fixture.leftovers() == [])
        #expect(DiskFixture.tree(fixture.state + "/hidden") == [])
        file.discard()
        package.discard()
    }

    /// In any folder, even if nothing is received there again.
    @Test func leftoversBesideDocumentsAreRemovedByTheCleaning() throws {
        var abilities = DiskAbilities()
        abilities.hasUnnamedFiles = false
        let fixture = try DiskFixture(apart: true, abilities: abilities)
        try fixture.write("letter", to: "letters/ann.txt")
        let file = try fixture.files.begin(.whole(size: 1), for: try fixture.place("letters/bob"), basis: [], left: nil)
        fixture.clock.advance(.seconds(61))
        #expect(try next(after: fixture, abilities).removeExpired(at: DiskFixture.noon).isEmpty)
        #expect(fixture.names() == ["letters/", "letters/ann.txt"])
        #expect(DiskFixture.tree(fixture.state + "/hidden") == [])
        file.discard()
    }

    /// Also names that resemble the daemon's, because the daemon recorded the names that it used.
    @Test(arguments: [true, false]) func theUsersOwnNamesAreNeverRemoved(isApart: Bool) throws {
        let fixture = try DiskFixture(apart: isApart)
        let digits = String(repeating: "0123456789abcdef", count: 2)
        let own = [
            ".handoff-", ".handoff-\(digits)", ".handoff-\(digits)-aside", ".handoff-\(digits)0",
            ".handoff-\(digits.uppercased())", ".handoff-notes/important.txt", ".handoff-todo.txt",
        ]
        for name in own { try fixture.write("mine", to: name) }
        let before = fixture.names()
        fixture.clock.advance(.seconds(3600))
        try fixture.receive([], as: "ann.txt")
        #expect(fixture.files.removeExpired(at: DiskFixture.noon).isEmpty)
        #expect(fixture.names() == before + ["ann.txt"])
    }

    /// Other programs' files in the daemon's own folder are not leftovers.
    @Test func onlyHiddenNamesAreRemovedFromTheFolderOfTheDaemon() throws {
        let fixture = try DiskFixture()
        try fixture.receive([], as: "ann.txt")
        let digits = String(repeating: "0f", count: 16)
        for name in [digits, ".handoff-\(digits)", ".handoff-\(digits)0"] {
            try Data([1]).write(to: URL(fileURLWithPath: "\(fixture.state)/arriving/\(name)"))
        }
        fixture.clock.advance(.seconds(61))
        try fixture.receive([], as: "ann.txt")
        #expect(DiskFixture.tree(fixture.state + "/arriving") == [".handoff-\(digits)0", digits])
    }

    @Test func arrivalInProgressIsNotRemovedAsALeftover() throws {
        var abilities = DiskAbilities()
        abilities.hasUnnamedFiles = false
        let fixture = try DiskFixture(abilities: abilities)
        let arrival = try fixture.files.begin(.whole(size: 1), for: try fixture.place("ann.txt"), basis: [], left: nil)
        fixture.clock.advance(.seconds(3600))
        try fixture.receive([], as: "bob.txt")
        try arrival.append([7])
        try fixture.finish(arrival, as: "ann.txt")
        #expect(fixture.bytes("ann.txt") == [7])
    }

    /// The power failed between two renames, on a disk that cannot swap names.
    @Test func aPackageThatWasMovedAsideGetsItsNameAgain() throws {
        let fixture = try DiskFixture()
        try fixture.write("1", to: "Book/index")
        try fixture.write("old", to: "ann.txt")
        try fixture.receive([], as: "ann.txt")
        let version = try #require(try fixture.files.versions().first)
        // Reproduces that state.
        rename(fixture.path("ann.txt"), fixture.home.path("moved"))
        rename(fixture.path("Book"), fixture.path(".handoff-\(version.id.hex)-aside"))
        try fixture.home.file("state/hidden/\(version.id.hex)-aside", fixture.folder.text)
        fixture.clock.advance(.seconds(3600))
        try fixture.receive([], as: "bob.txt")
        #expect(fixture.names() == ["ann.txt/", "ann.txt/index", "bob.txt"])
    }

    // MARK: File systems

    @Test(.needs(.tmpfs)) func takesItsPlaceOnTmpfs() throws { try check(.tmpfs) }
    @Test(.needs(.ext4)) func takesItsPlaceOnExt4() throws { try check(.ext4) }
    @Test(.needs(.vfat)) func takesItsPlaceOnVfat() throws { try check(.vfat) }
    @Test(.needs(.xfs)) func takesItsPlaceOnXfs() throws { try check(.xfs) }
    @Test(.needs(.btrfs)) func takesItsPlaceOnBtrfs() throws { try check(.btrfs) }

    private func check(_ kind: SmallDisk.Kind) throws {
        let disk = try #require(SmallDisk(kind))
        let fixture = try DiskFixture(folder: disk.path)
        try fixture.write("old", to: "ann.txt")
        try fixture.receive(Array("new".utf8), as: "ann.txt", conflictCopy: "ann (laptop).txt")
        #expect(fixture.text("ann.txt") == "new")
        #expect(fixture.text("ann (laptop).txt") == "old")
        #expect(fixture.names().filter { $0 != "lost+found/" } == ["ann (laptop).txt", "ann.txt"])
        #expect(try kept(fixture) == [Array("old".utf8)])
        #expect(try fixture.files.storage(of: fixture.folder, creating: true) == DocumentStorage(name: kind.rawValue))
    }
}
