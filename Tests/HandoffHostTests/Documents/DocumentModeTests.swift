// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffTrust
import HandoffWire
import Testing

@testable import HandoffHost

/// Permission bits sent by another device, and those of the user's own packages.
@Suite struct DocumentModeTests {
    private func receive(_ fixture: DiskFixture, _ path: String, mode: SentMode) throws {
        let arrival = try fixture.files.begin(.whole(size: 1), for: try fixture.place(path), basis: [], left: nil)
        try arrival.append([7])
        try place(arrival, in: fixture, as: path, mode: mode)
    }

    private func receivePackage(_ fixture: DiskFixture, mode: SentMode) throws {
        let run = PackageManifest.Content.file(size: 1, hash: FileDigest(of: [7]), isExecutable: true)
        let page = PackageManifest.Content.file(size: 2, hash: FileDigest(of: [7, 7]), isExecutable: false)
        let manifest = try PackageManifest([
            .init(DocumentPath("pages"), .folder), .init(DocumentPath("pages/1"), page),
            .init(DocumentPath("run"), run),
        ])
        let arrival = try fixture.files.begin(.members(manifest), for: try fixture.place("Book"), basis: [], left: nil)
        try arrival.append([7, 7, 7])
        try place(arrival, in: fixture, as: "Book", mode: mode)
    }

    private func place(
        _ arrival: any DocumentArrival, in fixture: DiskFixture, as path: String, mode: SentMode
    ) throws {
        _ = try arrival.hash()
        try arrival.sync(modified: FileTime(nanoseconds: 0), mode: mode)
        let replaces = try fixture.found(path, asPackage: true)?.version
        guard case .placed = try arrival.place(try fixture.order(path, replaces: replaces)) else {
            return #expect(Bool(false), "it is not there")
        }
    }

    @Test func aNewFileIsNotExecutableAndOnlyItsOwnersToWrite() throws {
        let fixture = try DiskFixture()
        try receive(fixture, "Letter.desktop", mode: 0o777)
        #expect(fixture.home.mode("Documents/Letter.desktop") == 0o644)
    }

    // Shows Q08.
    @Test(arguments: [0o600, 0o660, 0o644, 0o750, 0o444] as [mode_t], [0o777, 0o600] as [SentMode])
    func aFileKeepsTheModeOfTheReplacedFile(mode: mode_t, sent: SentMode) throws {
        let fixture = try DiskFixture()
        try fixture.write("old", to: "run")
        chmod(fixture.path("run"), mode)
        try receive(fixture, "run", mode: sent)
        #expect(fixture.home.mode("Documents/run") == mode)
        #expect(fixture.bytes("run") == [7])
    }

    // Shows Q08.
    @Test(arguments: [(0o077, 0o600), (0o027, 0o640), (0o022, 0o644)] as [(mode_t, mode_t)])
    func aNewFileHasNoBitThatTheUmaskTakes(mask: mode_t, mode: mode_t) throws {
        let fixture = try DiskFixture()
        try Umask.run(mask) { try receive(fixture, "ann.txt", mode: 0o777) }
        #expect(fixture.home.mode("Documents/ann.txt") == mode)
        try Umask.run(mask) { try receivePackage(fixture, mode: 0o777) }
        #expect(fixture.home.mode("Documents/Book") == 0o777 & ~mask & ~0o022)
    }

    @Test(arguments: [0, 0o200, 0o644, 0o500] as [SentMode]) func aFileThatItsOwnerCouldNotOpenIsOpenedAgain(
        mode: SentMode
    ) throws {
        try PlainUser.run {
            let fixture = try DiskFixture()
            for _ in 0..<2 {
                try receive(fixture, "ann.txt", mode: mode)
                try receivePackage(fixture, mode: mode)
            }
            #expect(fixture.bytes("ann.txt") == [7])
            #expect(fixture.bytes("Book/pages/1") == [7, 7])
            #expect(access(fixture.path("Book/run"), X_OK) == 0)
            #expect(fixture.leftovers() == [])
        }
    }

    @Test func membersOfAPackageAreOnlyTheirOwnersToWrite() throws {
        let fixture = try DiskFixture()
        try receivePackage(fixture, mode: 0o777)
        for (name, mode) in [("", 0o755), ("/pages", 0o755), ("/pages/1", 0o644), ("/run", 0o755)] as [(String, mode_t)]
        {
            #expect(fixture.home.mode("Documents/Book\(name)") & ~mode == 0)
            #expect(fixture.home.mode("Documents/Book\(name)") & 0o700 == mode & 0o700)
        }
    }

    @Test func newFoldersAreOnlyTheirOwnersToWrite() throws {
        let fixture = try DiskFixture()
        try Umask.run(0) { try receive(fixture, "letters/new/ann.txt", mode: 0o777) }
        #expect(fixture.home.mode("Documents/letters") == 0o755)
        #expect(fixture.home.mode("Documents/letters/new") == 0o755)
    }

    @Test(arguments: [(0o600, 0o700), (0o640, 0o750), (0o604, 0o705), (0o644, 0o755)] as [(mode_t, mode_t)])
    func aPackageIsNoMoreOpenThanTheStrictestReplacedFile(member: mode_t, package: mode_t) throws {
        let fixture = try DiskFixture()
        for name in ["1", "2", "3"] { try fixture.write(name, to: "Book/pages/\(name)") }
        for name in ["", "/pages"] { try #require(chmod(fixture.path("Book\(name)"), 0o755) == 0) }
        for name in ["1", "3"] { try #require(chmod(fixture.path("Book/pages/\(name)"), 0o644) == 0) }
        try #require(chmod(fixture.path("Book/pages/2"), member) == 0)
        try receivePackage(fixture, mode: 0o777)
        #expect(fixture.home.mode("Documents/Book") == package)
        #expect(fixture.bytes("Book/pages/1") == [7, 7])
    }

    /// Also from another file system, where the package is copied.
    @Test(arguments: [true, false]) func aReadOnlyPackageIsPutBackWithItsMode(isApart: Bool) throws {
        try PlainUser.run {
            let fixture = try DiskFixture(apart: isApart)
            try fixture.write("1", to: "Book/pages/1")
            chmod(fixture.path("Book/pages"), 0o500)
            // A read-only document would not be replaced.
            chmod(fixture.path("Book"), 0o750)
            try receivePackage(fixture, mode: 0o700)
            let version = try #require(try fixture.files.versions().first)
            try FileManager.default.removeItem(atPath: fixture.path("Book"))
            _ = try fixture.files.restore(version.id, at: DiskFixture.noon)
            #expect(fixture.home.mode("Documents/Book") == 0o750)
            #expect(try fixture.files.versions() == [])
            #expect(DiskFixture.tree(fixture.state + "/versions") == [])
        }
    }
}

enum Umask {
    private typealias Unshare = @convention(c) (CInt) -> CInt

    /// Runs `body` with that umask, on this thread only. `body` must stay on its thread.
    static func run(_ mask: mode_t, _ body: () throws -> Void) throws {
        // Glibc's header does not export it to Swift.
        let unshare = unsafeBitCast(try #require(dlsym(nil, "unshare")), to: Unshare.self)
        let fileSystem: CInt = 0x200
        try #require(unshare(fileSystem) == 0)
        let before = umask(mask)
        defer { umask(before) }
        try body()
    }
}
