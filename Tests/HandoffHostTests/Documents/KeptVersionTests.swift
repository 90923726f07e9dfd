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
    private let noon = DocumentDesk.noon

    private func content(_ version: KeptVersion) -> String? {
        try? String(contentsOfFile: version.file.text, encoding: .utf8)
    }

    @Test func theNewestIsFirst() throws {
        let desk = try DocumentDesk()
        for number in 0..<4 {
            try desk.receive(
                Array("version \(number)".utf8), as: "ann.txt", at: noon.advanced(by: .seconds(number)))
        }
        #expect(try desk.files.versions().map(content) == ["version 2", "version 1", "version 0"])
    }

    @Test(arguments: [true, false]) func aVersionIsPutBackAndWhatWasThereIsKept(isApart: Bool) throws {
        let desk = try DocumentDesk(apart: isApart)
        try desk.receive(Array("first".utf8), as: "letters/ann.txt")
        try desk.receive(Array("second".utf8), as: "letters/ann.txt")
        let version = try #require(try desk.files.versions().first)
        let kept = try #require(try desk.files.restore(version.id, at: noon.advanced(by: day)))
        #expect(desk.text("letters/ann.txt") == "first")
        #expect(try desk.found("letters/ann.txt")?.version.modified == version.modified)
        #expect(try desk.files.versions() == [kept])
        #expect(content(kept) == "second")
        #expect(kept.path == version.path)
        #expect(kept.kept == noon.advanced(by: day))
        #expect(desk.names() == ["letters/", "letters/ann.txt"])
        #expect(desk.leftovers() == [])
        // And back again.
        _ = try desk.files.restore(kept.id, at: noon)
        #expect(desk.text("letters/ann.txt") == "second")
        #expect(try desk.files.versions().map(content) == ["first"])
    }

    @Test func aVersionOfWhatWasRemovedIsPutBack() throws {
        let desk = try DocumentDesk()
        try desk.receive(Array("first".utf8), as: "letters/ann.txt")
        try desk.receive(Array("second".utf8), as: "letters/ann.txt")
        try FileManager.default.removeItem(atPath: desk.path("letters"))
        let version = try #require(try desk.files.versions().first)
        #expect(try desk.files.restore(version.id, at: noon) == nil)
        #expect(desk.text("letters/ann.txt") == "first")
        #expect(try desk.files.versions() == [])
        #expect(failure { _ = try desk.files.restore(version.id, at: noon) }?.code == .documentGone)
    }

    @Test(arguments: [true, false]) func aPackageIsPutBack(isApart: Bool) throws {
        let desk = try DocumentDesk(apart: isApart)
        try desk.write("one", to: "Book/pages/1")
        let manifest = try PackageManifest([.init(DocumentPath("empty"), .folder)])
        let before = try desk.found("Book", asPackage: true)
        let arrival = try desk.files.begin(.members(manifest), for: try desk.place("Book"), basis: [], left: nil)
        try desk.finish(arrival, as: "Book", asPackage: true)
        #expect(desk.names() == ["Book/", "Book/empty/"])
        let version = try #require(try desk.files.versions().first)
        let kept = try #require(try desk.files.restore(version.id, at: noon))
        #expect(kept.isPackage)
        #expect(desk.text("Book/pages/1") == "one")
        #expect(try desk.found("Book", asPackage: true)?.hash == before?.hash)
        #expect(desk.leftovers() == [])
    }

    /// A folder of the container was replaced with a link.
    @Test func aVersionIsNotPutOutOfItsFolder() throws {
        let desk = try DocumentDesk()
        try desk.receive(Array("first".utf8), as: "letters/ann.txt")
        try desk.receive(Array("second".utf8), as: "letters/ann.txt")
        try FileManager.default.removeItem(atPath: desk.path("letters"))
        try desk.home.folder("secret")
        try desk.home.link("Documents/letters", to: "../secret")
        let version = try #require(try desk.files.versions().first)
        #expect(failure { _ = try desk.files.restore(version.id, at: noon) }?.code == .notAllowed)
        #expect(desk.home.names("secret") == [])
        #expect(try desk.files.versions() == [version])
    }

    // MARK: Removal

    @Test func aVersionGoesAfterAWeek() throws {
        let desk = try DocumentDesk()
        for number in 0..<3 {
            try desk.receive(Array("version \(number)".utf8), as: "ann.txt", at: noon.advanced(by: day * number))
        }
        _ = desk.files.removeExpired(at: noon.advanced(by: day * 8))
        #expect(try desk.files.versions().count == 2)
        _ = desk.files.removeExpired(at: noon.advanced(by: day * 8 + .seconds(1)))
        #expect(try desk.files.versions().map(content) == ["version 1"])
        _ = desk.files.removeExpired(at: noon.advanced(by: day * 30))
        #expect(DocumentDesk.tree(desk.state + "/versions") == [])
        #expect(desk.text("ann.txt") == "version 2")
    }

    @Test func theOldestGoWhereAllAreTooMuch() throws {
        var limits = DocumentLimits()
        limits.versionBytes = 20
        let desk = try DocumentDesk(limits: limits)
        for number in 0..<5 {
            try desk.receive(Array("version \(number)".utf8), as: "ann.txt", at: noon.advanced(by: .seconds(number)))
        }
        _ = desk.files.removeExpired(at: noon.advanced(by: day))
        #expect(try desk.files.versions().map(content) == ["version 3", "version 2"])
    }

    @Test func versionWithoutARecordIsRemoved() throws {
        let desk = try DocumentDesk()
        try desk.receive([1], as: "ann.txt")
        try desk.receive([2], as: "ann.txt")
        let half = desk.state + "/versions/" + String(repeating: "ab", count: 16)
        try #require(mkdir(half, 0o700) == 0)
        try Data([1]).write(to: URL(fileURLWithPath: half + "/ann.txt"))
        #expect(try desk.files.versions().count == 1)
        _ = desk.files.removeExpired(at: noon)
        #expect(!FileManager.default.fileExists(atPath: half))
        #expect(try desk.files.versions().count == 1)
    }

    @Test func aDamagedRecordIsNamed() throws {
        let desk = try DocumentDesk()
        try desk.receive([1], as: "ann.txt")
        try desk.receive([2], as: "ann.txt")
        let version = try #require(try desk.files.versions().first)
        let record = "\(desk.state)/versions/\(version.id.hex)/record"
        try #require(truncate(record, 5) == 0)
        let failure = failure { _ = try desk.files.versions() }
        #expect(failure?.code == .malformed)
        #expect(failure?.reason.contains(record) == true)
    }

    @Test func aDamagedRecordHidesNoOtherVersion() throws {
        let desk = try DocumentDesk()
        for number: UInt8 in 1...3 {
            try desk.receive([number], as: "ann.txt", at: noon.advanced(by: .seconds(Int(number))))
        }
        let versions = try desk.files.versions()
        try #require(versions.count == 2)
        try #require(truncate("\(desk.state)/versions/\(versions[0].id.hex)/record", 5) == 0)
        #expect(try desk.files.versions().map(\.id) == [versions[1].id])
        _ = try desk.files.restore(versions[1].id, at: noon.advanced(by: .seconds(9)))
        #expect(desk.text("ann.txt") == "\u{1}")
    }

    // MARK: Copies of documents outside containers

    private func receive(_ desk: DocumentDesk, _ number: UInt8) throws -> String {
        let continuation = ContinuationID(uncheckedBytes: [UInt8](repeating: number, count: 16))
        let place = DocumentLocation.received(continuation, name: try DocumentPath("ann.txt"))
        let arrival = try desk.files.begin(.whole(size: 0), for: place, basis: [], left: nil)
        _ = try arrival.hash()
        try arrival.sync(modified: FileTime(nanoseconds: 0), mode: 0o644)
        var order = try desk.order("ann.txt")
        order.place = place
        guard case .placed(let path, _) = try arrival.place(order) else { throw Failure(.internal, "it is not there") }
        return path.text
    }

    @Test func aCopyGoesAMonthAfterItWasChangedLast() throws {
        let desk = try DocumentDesk()
        let path = try receive(desk, 1)
        let now = desk.clock.now
        _ = desk.files.removeExpired(at: now.advanced(by: day * 30 - .seconds(60)))
        #expect(FileManager.default.fileExists(atPath: path))
        try Data([1]).write(to: URL(fileURLWithPath: desk.received + "/mine.txt"))
        _ = desk.files.removeExpired(at: now.advanced(by: day * 30 + .seconds(60)))
        #expect(DocumentDesk.tree(desk.received) == ["mine.txt"])
    }
}
