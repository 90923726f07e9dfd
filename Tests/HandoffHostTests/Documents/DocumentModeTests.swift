// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffTrust
import HandoffWire
import Testing

@testable import HandoffHost

/// Permission bits sent by another device, and those of the user's own packages.
@Suite struct DocumentModeTests {
    private func receive(_ desk: DocumentDesk, _ path: String, mode: SentMode) throws {
        let arrival = try desk.files.begin(.whole(size: 1), for: try desk.place(path), basis: [], left: nil)
        try arrival.append([7])
        try place(arrival, in: desk, as: path, mode: mode)
    }

    private func receivePackage(_ desk: DocumentDesk, mode: SentMode) throws {
        let run = PackageManifest.Content.file(size: 1, hash: FileDigest(of: [7]), isExecutable: true)
        let page = PackageManifest.Content.file(size: 2, hash: FileDigest(of: [7, 7]), isExecutable: false)
        let manifest = try PackageManifest([
            .init(DocumentPath("pages"), .folder), .init(DocumentPath("pages/1"), page),
            .init(DocumentPath("run"), run),
        ])
        let arrival = try desk.files.begin(.members(manifest), for: try desk.place("Book"), basis: [], left: nil)
        try arrival.append([7, 7, 7])
        try place(arrival, in: desk, as: "Book", mode: mode)
    }

    private func place(
        _ arrival: any DocumentArrival, in desk: DocumentDesk, as path: String, mode: SentMode
    ) throws {
        _ = try arrival.hash()
        try arrival.sync(modified: FileTime(nanoseconds: 0), mode: mode)
        let replaces = try desk.found(path, asPackage: true)?.version
        guard case .placed = try arrival.place(try desk.order(path, replaces: replaces)) else {
            return #expect(Bool(false), "it is not there")
        }
    }

    @Test func aNewFileIsNotExecutableAndOnlyItsOwnersToWrite() throws {
        let desk = try DocumentDesk()
        try receive(desk, "Letter.desktop", mode: 0o777)
        #expect(desk.home.mode("Documents/Letter.desktop") == 0o644)
    }

    // Shows Q08.
    @Test(arguments: [0o600, 0o660, 0o644, 0o750, 0o444] as [mode_t], [0o777, 0o600] as [SentMode])
    func aFileKeepsTheModeOfTheOneThatItReplaces(mode: mode_t, sent: SentMode) throws {
        let desk = try DocumentDesk()
        try desk.write("old", to: "run")
        chmod(desk.path("run"), mode)
        try receive(desk, "run", mode: sent)
        #expect(desk.home.mode("Documents/run") == mode)
        #expect(desk.bytes("run") == [7])
    }

    // Shows Q08.
    @Test(arguments: [(0o077, 0o600), (0o027, 0o640), (0o022, 0o644)] as [(mode_t, mode_t)])
    func aNewFileHasNoBitThatTheUmaskTakes(mask: mode_t, mode: mode_t) throws {
        let desk = try DocumentDesk()
        try Umask.run(mask) { try receive(desk, "ann.txt", mode: 0o777) }
        #expect(desk.home.mode("Documents/ann.txt") == mode)
        try Umask.run(mask) { try receivePackage(desk, mode: 0o777) }
        #expect(desk.home.mode("Documents/Book") == 0o777 & ~mask & ~0o022)
    }

    @Test(arguments: [0, 0o200, 0o644, 0o500] as [SentMode]) func aFileThatItsOwnerCouldNotOpenIsOpenedAgain(
        mode: SentMode
    ) throws {
        try PlainUser.run {
            let desk = try DocumentDesk()
            for _ in 0..<2 {
                try receive(desk, "ann.txt", mode: mode)
                try receivePackage(desk, mode: mode)
            }
            #expect(desk.bytes("ann.txt") == [7])
            #expect(desk.bytes("Book/pages/1") == [7, 7])
            #expect(access(desk.path("Book/run"), X_OK) == 0)
            #expect(desk.leftovers() == [])
        }
    }

    @Test func membersOfAPackageAreOnlyTheirOwnersToWrite() throws {
        let desk = try DocumentDesk()
        try receivePackage(desk, mode: 0o777)
        for (name, mode) in [("", 0o755), ("/pages", 0o755), ("/pages/1", 0o644), ("/run", 0o755)] as [(String, mode_t)]
        {
            #expect(desk.home.mode("Documents/Book\(name)") & ~mode == 0)
            #expect(desk.home.mode("Documents/Book\(name)") & 0o700 == mode & 0o700)
        }
    }

    @Test func newFoldersAreOnlyTheirOwnersToWrite() throws {
        let desk = try DocumentDesk()
        try Umask.run(0) { try receive(desk, "letters/new/ann.txt", mode: 0o777) }
        #expect(desk.home.mode("Documents/letters") == 0o755)
        #expect(desk.home.mode("Documents/letters/new") == 0o755)
    }

    @Test(arguments: [(0o600, 0o700), (0o640, 0o750), (0o604, 0o705), (0o644, 0o755)] as [(mode_t, mode_t)])
    func aPackageIsNoMoreOpenThanTheClosestFileOfTheOneThatItReplaces(member: mode_t, package: mode_t) throws {
        let desk = try DocumentDesk()
        for name in ["1", "2", "3"] { try desk.write(name, to: "Book/pages/\(name)") }
        for name in ["", "/pages"] { try #require(chmod(desk.path("Book\(name)"), 0o755) == 0) }
        for name in ["1", "3"] { try #require(chmod(desk.path("Book/pages/\(name)"), 0o644) == 0) }
        try #require(chmod(desk.path("Book/pages/2"), member) == 0)
        try receivePackage(desk, mode: 0o777)
        #expect(desk.home.mode("Documents/Book") == package)
        #expect(desk.bytes("Book/pages/1") == [7, 7])
    }

    /// Also from another file system, where the package is copied.
    @Test(arguments: [true, false]) func aReadOnlyPackageIsPutBackWithItsMode(isApart: Bool) throws {
        try PlainUser.run {
            let desk = try DocumentDesk(apart: isApart)
            try desk.write("1", to: "Book/pages/1")
            chmod(desk.path("Book/pages"), 0o500)
            // A read-only document would not be replaced.
            chmod(desk.path("Book"), 0o750)
            try receivePackage(desk, mode: 0o700)
            let version = try #require(try desk.files.versions().first)
            try FileManager.default.removeItem(atPath: desk.path("Book"))
            _ = try desk.files.restore(version.id, at: DocumentDesk.noon)
            #expect(desk.home.mode("Documents/Book") == 0o750)
            #expect(try desk.files.versions() == [])
            #expect(DocumentDesk.tree(desk.state + "/versions") == [])
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
