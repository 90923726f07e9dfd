// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffTrust
import HandoffWire
import Testing

@testable import HandoffHost

/// A package whose missing members are received.
@Suite struct PackageArrivalTests {
    let fixture: DiskFixture
    let origin: DiskFixture

    init() throws {
        (fixture, origin) = (try DiskFixture(), try DiskFixture())
        for fixture in [fixture, origin] {
            try fixture.write("index", to: "Book/index")
            try fixture.write(noise(100_000, seed: 1), to: "Book/pages/1")
            try fixture.write(noise(50_000, seed: 2), to: "Book/pages/2")
            try fixture.write("", to: "Book/pages/empty")
            try fixture.write("#!/bin/sh", to: "Book/run")
            chmod(fixture.path("Book/run"), 0o755)
            try fixture.home.link("Documents/Book/first", to: "pages/1")
            try fixture.home.folder("Documents/Book/notes")
        }
    }

    private func source(_ fixture: DiskFixture? = nil) throws -> any DocumentSource {
        let fixture = fixture ?? origin
        return try fixture.files.open(try fixture.place("Book"), asPackage: true)
    }

    private func begin(
        _ manifest: PackageManifest, basis: Bool = true, left: (any DocumentArrival)? = nil,
        in fixture: DiskFixture? = nil
    ) throws -> any DocumentArrival {
        let fixture = fixture ?? self.fixture
        return try fixture.files.begin(
            .members(manifest), for: try fixture.place("Book"), basis: basis ? [try fixture.place("Book")] : [],
            left: left)
    }

    private func wished(_ source: any DocumentSource, _ arrival: any DocumentArrival) throws -> [UInt8] {
        try source.select(arrival.wish)
        return try DiskFixture.drain(source)
    }

    private func finish(_ arrival: any DocumentArrival, in fixture: DiskFixture? = nil, copy: String? = nil) throws {
        let outcome = try (fixture ?? self.fixture).finish(arrival, as: "Book", conflictCopy: copy, asPackage: true)
        guard case .placed = outcome else { return #expect(Bool(false), "it is not there") }
    }

    @Test(arguments: PlacementTests.Ground.all) func onlyWhatIsNotHereComes(ground: PlacementTests.Ground) throws {
        let fixture = try DiskFixture(folder: fixture.folder.text, apart: ground.isApart, abilities: ground.abilities)
        try origin.write("chapter 2", to: "Book/pages/2")
        try origin.write("new", to: "Book/notes/today")
        unlink(origin.path("Book/first"))
        let old = try #require(try fixture.found("Book", asPackage: true))
        let source = try source()
        let arrival = try begin(try source.manifest(), in: fixture)
        let bytes = try wished(source, arrival)
        #expect(String(decoding: bytes, as: UTF8.self) == "newchapter 2")
        #expect(arrival.expected == 12)
        for byte in bytes { try arrival.append([byte]) }
        #expect(try arrival.hash() == (try source.hash()))
        // Nothing is visible before it is placed, if hidden files are possible.
        if ground.abilities.hasUnnamedFiles, !ground.isApart {
            #expect(!fixture.names().contains { $0.hasPrefix(".") })
        }
        try finish(arrival, in: fixture)
        #expect(try fixture.found("Book", asPackage: true)?.hash == (try source.hash()))
        #expect(fixture.names() == origin.names())
        #expect(fixture.leftovers() == [])
        #expect(fixture.text("Book/pages/2") == "chapter 2")
        #expect(access(fixture.path("Book/run"), X_OK) == 0)
        let version = try #require(try fixture.files.versions().first)
        #expect(version.isPackage)
        #expect(version.size == old.version.size)
        #expect(DiskFixture.tree(version.file.text).count == 8)
        #expect(
            try Data(contentsOf: URL(fileURLWithPath: version.file.text + "/pages/2")) == Data(noise(50_000, seed: 2)))
    }

    @Test func withoutABasisAllOfItComes() throws {
        try FileManager.default.removeItem(atPath: fixture.path("Book"))
        let source = try source()
        let arrival = try begin(try source.manifest())
        #expect(arrival.expected == (try source.manifest().size))
        try arrival.append(try wished(source, arrival))
        try finish(arrival)
        #expect(fixture.names() == origin.names())
        let found = try #require(try fixture.found("Book", asPackage: true))
        #expect(found.hash == (try source.hash()))
        // All members have the origin's time.
        #expect(found.version.modified == FileTime(seconds: 1_700_000_000, nanoseconds: 123_456_789))
        // Its owner can enter it, with any mode sent.
        #expect(found.version.mode == 0o740)
    }

    @Test func theSameContentComesOnce() throws {
        let bytes = noise(20_000, seed: 7)
        for name in ["a", "b", "c/d"] { try origin.write(bytes, to: "Book/copies/\(name)") }
        let source = try source()
        let arrival = try begin(try source.manifest())
        #expect(arrival.expected == 20_000)
        try arrival.append(try wished(source, arrival))
        try finish(arrival)
        #expect(fixture.bytes("Book/copies/c/d") == bytes)
        #expect(try fixture.found("Book", asPackage: true)?.hash == (try source.hash()))
    }

    @Test func aMemberThatWasRenamedDoesNotCome() throws {
        rename(origin.path("Book/pages/1"), origin.path("Book/pages/one"))
        chmod(origin.path("Book/run"), 0o644)
        let source = try source()
        let arrival = try begin(try source.manifest())
        #expect(arrival.expected == 0)
        try finish(arrival)
        #expect(fixture.bytes("Book/pages/one") == noise(100_000, seed: 1))
        #expect(try fixture.found("Book", asPackage: true)?.hash == (try source.hash()))
    }

    // MARK: Lies

    @Test func aMemberThatIsNotWhatTheListSaysIsRefusedByName() throws {
        try origin.write("chapter 2", to: "Book/pages/2")
        let source = try source()
        let arrival = try begin(try source.manifest())
        let failure = failure { try arrival.append(Array("Chapter 2".utf8)) }
        #expect(failure?.code == .malformed)
        #expect(failure?.reason == "pages/2 of a package does not match the package's list")
        #expect(fixture.bytes("Book/pages/2") == noise(50_000, seed: 2))
    }

    @Test func anEmptyMemberWithAnotherHashIsMissing() throws {
        let manifest = try PackageManifest([
            .init(DocumentPath("a"), .file(size: 0, hash: FileDigest(of: [1]), isExecutable: false)),
            .init(DocumentPath("b"), .file(size: 1, hash: FileDigest(of: [2]), isExecutable: false)),
        ])
        let arrival = try begin(manifest)
        let failure = failure { try arrival.append([2]) }
        #expect(failure?.code == .malformed)
        #expect(HandoffHostTests.failure { _ = try arrival.hash() }?.code == .malformed)
    }

    @Test func moreAndLessDataThanRequestedAreRefused() throws {
        try origin.write("chapter 2", to: "Book/pages/2")
        let source = try source()
        let arrival = try begin(try source.manifest())
        try arrival.append(Array("chapter".utf8))
        #expect(failure { _ = try arrival.hash() }?.code == .malformed)
        try arrival.append(Array(" 2".utf8))
        #expect(failure { try arrival.append([1]) }?.code == .malformed)
    }

    @Test func membersOfMoreThanIsFreeAreRefused() throws {
        let size = UInt64(Int64.max) / 2
        let manifest = try PackageManifest([
            .init(DocumentPath("a"), .file(size: size, hash: FileDigest(of: [1]), isExecutable: false)),
            .init(DocumentPath("b"), .file(size: size, hash: FileDigest(of: [2]), isExecutable: false)),
        ])
        #expect(failure { _ = try begin(manifest) }?.code == .documentNotPlaced)
        #expect(fixture.leftovers() == [])
    }

    /// Written after it was hashed.
    @Test func aMemberOfTheBasisThatChangedComes() throws {
        let source = try source()
        let manifest = try source.manifest()
        _ = try fixture.found("Book", asPackage: true)
        try fixture.write(noise(50_000, seed: 8), to: "Book/pages/2")
        let arrival = try begin(manifest)
        #expect(arrival.expected == 50_000)
        try arrival.append(try wished(source, arrival))
        try finish(arrival)
        #expect(fixture.bytes("Book/pages/2") == noise(50_000, seed: 2))
    }

    // MARK: Placing

    @Test(arguments: PlacementTests.Ground.all) func inAConflictWhatWasThereIsKeptBesideIt(
        ground: PlacementTests.Ground
    ) throws {
        let fixture = try DiskFixture(folder: fixture.folder.text, apart: ground.isApart, abilities: ground.abilities)
        try fixture.write("our index", to: "Book/index")
        let source = try source()
        let arrival = try begin(try source.manifest(), in: fixture)
        try arrival.append(try wished(source, arrival))
        try finish(arrival, in: fixture, copy: "Book (laptop)")
        #expect(fixture.text("Book/index") == "index")
        #expect(fixture.text("Book (laptop)/index") == "our index")
        #expect(fixture.names().count == 18)
        #expect(fixture.leftovers() == [])
        let handle = try #require(FileHandle(forWritingAtPath: fixture.path("Book (laptop)/index")))
        try handle.write(contentsOf: Data("edited!!!".utf8))
        let version = try #require(try fixture.files.versions().first)
        #expect(try String(contentsOfFile: version.file.text + "/index", encoding: .utf8) == "our index")
    }

    @Test func packageWithAChangedMemberIsNotReplaced() throws {
        let source = try source()
        let arrival = try begin(try source.manifest())
        _ = try arrival.hash()
        try arrival.sync(modified: FileTime(nanoseconds: 0), mode: 0o755)
        let seen = try fixture.found("Book", asPackage: true)?.version
        let handle = try #require(FileHandle(forWritingAtPath: fixture.path("Book/pages/1")))
        try handle.write(contentsOf: Data([0]))
        #expect(try arrival.place(try fixture.order("Book", replaces: seen)) == .changedMeanwhile)
        let now = try fixture.found("Book", asPackage: true)?.version
        #expect(seen?.size == now?.size)
        guard case .placed = try arrival.place(try fixture.order("Book", replaces: now)) else {
            return #expect(Bool(false), "it is not there")
        }
        #expect(fixture.leftovers() == [])
    }

    @Test(arguments: [true, false]) func aFileAndAPackageReplaceEachOther(swapsNames: Bool) throws {
        var abilities = DiskAbilities()
        abilities.swapsNames = swapsNames
        let fixture = try DiskFixture(abilities: abilities)
        try fixture.write("flat", to: "Book")
        let source = try source()
        let arrival = try begin(try source.manifest(), in: fixture)
        try arrival.append(try wished(source, arrival))
        try finish(arrival, in: fixture)
        #expect(fixture.text("Book/index") == "index")
        let file = try fixture.files.begin(.whole(size: 1), for: try fixture.place("Book"), basis: [], left: nil)
        try file.append([7])
        try finish(file, in: fixture)
        #expect(fixture.bytes("Book") == [7])
        #expect(Set(try fixture.files.versions().map(\.isPackage)) == [true, false])
        #expect(fixture.leftovers() == [])
    }

    // MARK: A later attempt

    @Test func membersThatCameBeforeTheLinkWasCutAreNotSentAgain() throws {
        let source = try source()
        let manifest = try source.manifest()
        let first = try begin(manifest, basis: false)
        let bytes = try wished(source, first)
        // The first page, and a part of the second.
        try first.append(Array(bytes[..<120_000]))
        let second = try begin(manifest, basis: false, left: first)
        #expect(second.expected == 50_000 + 9)
        try second.append(try wished(source, second))
        first.discard()
        try finish(second)
        #expect(try fixture.found("Book", asPackage: true)?.hash == (try source.hash()))
        #expect(fixture.leftovers() == [])
    }

    @Test func membersOfAnotherVersionThatCameAreABasis() throws {
        let first = try begin(try source().manifest(), basis: false)
        try first.append(Array(try wished(try source(), first)[..<105_005]))
        try origin.write("other", to: "Book/index")
        let source = try source()
        let second = try begin(try source.manifest(), basis: false, left: first)
        #expect(second.expected == 50_000 + 9 + 5)
        first.discard()
        try second.append(try wished(source, second))
        try finish(second)
        #expect(try fixture.found("Book", asPackage: true)?.hash == (try source.hash()))
        #expect(fixture.leftovers() == [])
    }

    // MARK: Large packages

    /// Existing content is neither read nor sent, and unchanged members are not hashed again.
    @Test func aMemberOfFiveThousandChanges() throws {
        let (fixture, origin) = (try DiskFixture(), try DiskFixture())
        for fixture in [fixture, origin] {
            for number in 0..<5000 {
                if number.isMultiple(of: 100) { try fixture.home.folder("Documents/Book/\(number / 100)") }
                let file = open(fixture.path("Book/\(number / 100)/\(number)"), O_WRONLY | O_CREAT, 0o600)
                defer { close(file) }
                let bytes = [UInt8]("member \(number)".utf8)
                try #require(write(file, bytes, bytes.count) == bytes.count)
            }
        }
        try origin.write("another", to: "Book/7/700")
        let source = try origin.files.open(try origin.place("Book"), asPackage: true)
        let manifest = try source.manifest()
        _ = try fixture.found("Book", asPackage: true)
        let arriving = try begin(manifest, in: fixture)
        #expect(arriving.expected == 7)
        try arriving.append(Array("another".utf8))
        _ = try arriving.hash()
        try arriving.sync(modified: FileTime(nanoseconds: 0), mode: 0o755)
        let replaces = try fixture.found("Book", asPackage: true)?.version
        guard case .placed = try arriving.place(try fixture.order("Book", replaces: replaces)) else {
            return #expect(Bool(false), "it is not there")
        }
        let opened = inotify_init1(CInt(IN_NONBLOCK))
        defer { close(opened) }
        for member in ["0/0", "7/701", "49/4999"] {
            try #require(inotify_add_watch(opened, fixture.path("Book/\(member)"), UInt32(IN_OPEN)) >= 0)
        }
        #expect(try fixture.found("Book", asPackage: true)?.hash == (try source.hash()))
        var events = [UInt8](repeating: 0, count: 1024)
        #expect(read(opened, &events, events.count) < 0 && errno == EAGAIN, "an unchanged member was opened")
        #expect(fixture.text("Book/7/700") == "another")
        #expect(fixture.leftovers() == [])
    }
}
