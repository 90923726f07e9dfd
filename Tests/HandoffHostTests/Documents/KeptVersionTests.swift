// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffTrust
import HandoffWire
import Testing

@testable import HandoffHost

/// Replaced documents, kept for a week.
@Suite struct KeptVersionTests {
    private let day: Duration = .seconds(24 * 3600)
    private let noon = DiskFixture.noon

    private func content(_ version: KeptVersion) -> String? {
        try? String(contentsOfFile: version.file.text, encoding: .utf8)
    }

    @Test func theNewestIsFirst() throws {
        let fixture = try DiskFixture()
        for number in 0..<4 {
            try fixture.receive(
                Array("version \(number)".utf8), as: "ann.txt", at: noon.advanced(by: .seconds(number)))
        }
        #expect(try fixture.files.versions().map(content) == ["version 2", "version 1", "version 0"])
    }

    @Test(arguments: [true, false]) func aVersionIsPutBackAndWhatWasThereIsKept(isApart: Bool) throws {
        let fixture = try DiskFixture(apart: isApart)
        try fixture.receive(Array("first".utf8), as: "letters/ann.txt")
        try fixture.receive(Array("second".utf8), as: "letters/ann.txt")
        let version = try #require(try fixture.files.versions().first)
        let kept = try #require(try fixture.files.restore(version.id, at: noon.advanced(by: day)))
        #expect(fixture.text("letters/ann.txt") == "first")
        #expect(try fixture.found("letters/ann.txt")?.version.modified == version.modified)
        #expect(try fixture.files.versions() == [kept])
        #expect(content(kept) == "second")
        #expect(kept.path == version.path)
        #expect(kept.kept == noon.advanced(by: day))
        #expect(fixture.names() == ["letters/", "letters/ann.txt"])
        #expect(fixture.leftovers() == [])
        // And back again.
        _ = try fixture.files.restore(kept.id, at: noon)
        #expect(fixture.text("letters/ann.txt") == "second")
        #expect(try fixture.files.versions().map(content) == ["first"])
    }

    @Test func aVersionOfWhatWasRemovedIsPutBack() throws {
        let fixture = try DiskFixture()
        try fixture.receive(Array("first".utf8), as: "letters/ann.txt")
        try fixture.receive(Array("second".utf8), as: "letters/ann.txt")
        try FileManager.default.removeItem(atPath: fixture.path("letters"))
        let version = try #require(try fixture.files.versions().first)
        #expect(try fixture.files.restore(version.id, at: noon) == nil)
        #expect(fixture.text("letters/ann.txt") == "first")
        #expect(try fixture.files.versions() == [])
        #expect(failure { _ = try fixture.files.restore(version.id, at: noon) }?.code == .documentGone)
    }

    @Test(arguments: [true, false]) func aPackageIsPutBack(isApart: Bool) throws {
        let fixture = try DiskFixture(apart: isApart)
        try fixture.write("one", to: "Book/pages/1")
        let manifest = try PackageManifest([.init(DocumentPath("empty"), .folder)])
        let before = try fixture.found("Book", asPackage: true)
        let arrival = try fixture.files.begin(.members(manifest), for: try fixture.place("Book"), basis: [], left: nil)
        try fixture.finish(arrival, as: "Book", asPackage: true)
        #expect(fixture.names() == ["Book/", "Book/empty/"])
        let version = try #require(try fixture.files.versions().first)
        let kept = try #require(try fixture.files.restore(version.id, at: noon))
        #expect(kept.isPackage)
        #expect(fixture.text("Book/pages/1") == "one")
        #expect(try fixture.found("Book", asPackage: true)?.hash == before?.hash)
        #expect(fixture.leftovers() == [])
    }

    /// A folder of the container was replaced with a link.
    @Test func aVersionIsNotPutOutOfItsFolder() throws {
        let fixture = try DiskFixture()
        try fixture.receive(Array("first".utf8), as: "letters/ann.txt")
        try fixture.receive(Array("second".utf8), as: "letters/ann.txt")
        try FileManager.default.removeItem(atPath: fixture.path("letters"))
        try fixture.home.folder("secret")
        try fixture.home.link("Documents/letters", to: "../secret")
        let version = try #require(try fixture.files.versions().first)
        #expect(failure { _ = try fixture.files.restore(version.id, at: noon) }?.code == .notAllowed)
        #expect(fixture.home.names("secret") == [])
        #expect(try fixture.files.versions() == [version])
    }

    // MARK: Removal

    @Test func aVersionGoesAfterAWeek() throws {
        let fixture = try DiskFixture()
        for number in 0..<3 {
            try fixture.receive(Array("version \(number)".utf8), as: "ann.txt", at: noon.advanced(by: day * number))
        }
        _ = fixture.files.removeExpired(at: noon.advanced(by: day * 8))
        #expect(try fixture.files.versions().count == 2)
        _ = fixture.files.removeExpired(at: noon.advanced(by: day * 8 + .seconds(1)))
        #expect(try fixture.files.versions().map(content) == ["version 1"])
        _ = fixture.files.removeExpired(at: noon.advanced(by: day * 30))
        #expect(DiskFixture.tree(fixture.state + "/versions") == [])
        #expect(fixture.text("ann.txt") == "version 2")
    }

    @Test func theOldestGoWhereAllAreTooMuch() throws {
        var limits = DocumentLimits()
        limits.versionBytes = 20
        let fixture = try DiskFixture(limits: limits)
        for number in 0..<5 {
            try fixture.receive(Array("version \(number)".utf8), as: "ann.txt", at: noon.advanced(by: .seconds(number)))
        }
        _ = fixture.files.removeExpired(at: noon.advanced(by: day))
        #expect(try fixture.files.versions().map(content) == ["version 3", "version 2"])
    }

    @Test func versionWithoutARecordIsRemoved() throws {
        let fixture = try DiskFixture()
        try fixture.receive([1], as: "ann.txt")
        try fixture.receive([2], as: "ann.txt")
        let half = fixture.state + "/versions/" + String(repeating: "ab", count: 16)
        try #require(mkdir(half, 0o700) == 0)
        try Data([1]).write(to: URL(fileURLWithPath: half + "/ann.txt"))
        #expect(try fixture.files.versions().count == 1)
        _ = fixture.files.removeExpired(at: noon)
        #expect(!FileManager.default.fileExists(atPath: half))
        #expect(try fixture.files.versions().count == 1)
    }

    @Test func aDamagedRecordIsNamed() throws {
        let fixture = try DiskFixture()
        try fixture.receive([1], as: "ann.txt")
        try fixture.receive([2], as: "ann.txt")
        let version = try #require(try fixture.files.versions().first)
        let record = "\(fixture.state)/versions/\(version.id.hex)/record"
        try #require(truncate(record, 5) == 0)
        let failure = failure { _ = try fixture.files.versions() }
        #expect(failure?.code == .malformed)
        #expect(failure?.reason.contains(record) == true)
    }

    @Test func aDamagedRecordHidesNoOtherVersion() throws {
        let fixture = try DiskFixture()
        for number: UInt8 in 1...3 {
            try fixture.receive([number], as: "ann.txt", at: noon.advanced(by: .seconds(Int(number))))
        }
        let versions = try fixture.files.versions()
        try #require(versions.count == 2)
        try #require(truncate("\(fixture.state)/versions/\(versions[0].id.hex)/record", 5) == 0)
        #expect(try fixture.files.versions().map(\.id) == [versions[1].id])
        _ = try fixture.files.restore(versions[1].id, at: noon.advanced(by: .seconds(9)))
        #expect(fixture.text("ann.txt") == "\u{1}")
    }

    // MARK: Copies of documents outside containers

    private func receive(_ fixture: DiskFixture, _ number: UInt8) throws -> String {
        let continuation = ContinuationID(uncheckedBytes: [UInt8](repeating: number, count: 16))
        let place = DocumentLocation.received(continuation, name: try DocumentPath("ann.txt"))
        let arrival = try fixture.files.begin(.whole(size: 0), for: place, basis: [], left: nil)
        _ = try arrival.hash()
        try arrival.sync(modified: FileTime(nanoseconds: 0), mode: 0o644)
        var order = try fixture.order("ann.txt")
        order.place = place
        guard case .placed(let path, _) = try arrival.place(order) else { throw Failure(.internal, "it is not there") }
        return path.text
    }

    @Test func aCopyGoesAMonthAfterItWasChangedLast() throws {
        let fixture = try DiskFixture()
        let path = try receive(fixture, 1)
        let now = fixture.clock.now
        _ = fixture.files.removeExpired(at: now.advanced(by: day * 30 - .seconds(60)))
        #expect(FileManager.default.fileExists(atPath: path))
        try Data([1]).write(to: URL(fileURLWithPath: fixture.received + "/mine.txt"))
        _ = fixture.files.removeExpired(at: now.advanced(by: day * 30 + .seconds(60)))
        #expect(DiskFixture.tree(fixture.received) == ["mine.txt"])
    }
}
