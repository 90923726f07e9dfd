// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffSystem
import HandoffTrust
import HandoffWire
import Testing

@testable import HandoffHost

/// The limits of versions, a week and a gigabyte, apply to versions of every kind.
@Suite struct CleaningTests {
    private let day: Duration = .seconds(24 * 3600)
    private let noon = DiskFixture.noon

    /// In sequence, a minute apart.
    private func replace(_ fixture: DiskFixture, times: Int) throws {
        for number in 0...times {
            try fixture.receive(
                Array("version \(number)".utf8), as: "ann.txt", at: noon.advanced(by: .seconds(60 * number)))
        }
    }

    private func versions(_ fixture: DiskFixture) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: fixture.state + "/versions")) ?? []).sorted()
    }

    @Test(arguments: 0..<3) func aVersionThatIsReadOnlyGoesAfterAWeek(position: Int) throws {
        try PlainUser.run {
            let fixture = try DiskFixture()
            try replace(fixture, times: 3)
            let folder = "\(fixture.state)/versions/\(versions(fixture)[position])"
            for path in [folder + "/document", folder] { chmod(path, 0o500) }
            #expect(fixture.files.removeExpired(at: noon.advanced(by: day * 8)).isEmpty)
            #expect(versions(fixture) == [])
        }
    }

    @Test(.enabled(if: geteuid() == 0, "needs another user's folder"), arguments: 0..<3)
    func aVersionThatCannotBeRemovedKeepsNoOther(position: Int) throws {
        let fixture = try PlainUser.run { () throws -> DiskFixture in
            let fixture = try DiskFixture()
            try replace(fixture, times: 3)
            return fixture
        }
        let stuck = versions(fixture)[position]
        let theirs = "\(fixture.state)/versions/\(stuck)/document/theirs"
        try #require(mkdir(theirs, 0o700) == 0)
        try Data([1]).write(to: URL(fileURLWithPath: theirs + "/1"))
        try PlainUser.run {
            // The failure is reported each time.
            for _ in 0..<2 {
                let left = fixture.files.removeExpired(at: noon.advanced(by: day * 8))
                #expect(left.map(\.code) == [.documentNotPlaced])
                #expect(versions(fixture) == [stuck])
            }
            try fixture.receive([], as: "bob.txt")
        }
        try FileManager.default.removeItem(atPath: theirs)
        try PlainUser.run { #expect(fixture.files.removeExpired(at: noon.advanced(by: day * 8)).isEmpty) }
        #expect(versions(fixture) == [])
    }

    @Test(arguments: 0..<3) func aDamagedRecordKeepsNoOtherAndGoesAfterAWeekToo(position: Int) throws {
        let fixture = try DiskFixture()
        try replace(fixture, times: 3)
        let damaged = versions(fixture)[position]
        try #require(truncate("\(fixture.state)/versions/\(damaged)/record", 5) == 0)
        let now = WallTime(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
        // The records have times of another day.
        let later = max(noon.advanced(by: day * 8), now.advanced(by: day * 6))
        #expect(fixture.files.removeExpired(at: now.advanced(by: day * 6)).map(\.code) == [.malformed])
        #expect(versions(fixture).contains(damaged))
        _ = fixture.files.removeExpired(at: later.advanced(by: day * 2))
        #expect(versions(fixture) == [])
    }

    /// Shapes that no document can have: many items together from another device, or added by the user.
    @Test(arguments: ["many", "pipe", "closed"]) func aReceivedFolderOfAnyShapeGoesAfterAMonth(
        shape: String
    ) throws {
        try PlainUser.run {
            let fixture = try DiskFixture()
            let folder = "\(fixture.received)/\(String(repeating: "ab", count: 16))"
            try FileManager.default.createDirectory(atPath: folder + "/inner", withIntermediateDirectories: true)
            switch shape {
            case "many":
                for number in 0..<Limits.packageMembers {
                    close(open("\(folder)/inner/\(number)", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
                }
            case "pipe": try #require(mkfifo(folder + "/inner/pipe", 0o600) == 0)
            default: try #require(chmod(folder + "/inner", 0) == 0)
            }
            let now = WallTime(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
            #expect(fixture.files.removeExpired(at: now.advanced(by: day * 29)).isEmpty)
            #expect(FileManager.default.fileExists(atPath: folder))
            #expect(fixture.files.removeExpired(at: now.advanced(by: day * 31)).isEmpty)
            #expect(!FileManager.default.fileExists(atPath: folder))
        }
    }

    @Test func roomForAVersionIsMadeWhenItIsKept() throws {
        var limits = DocumentLimits()
        limits.versionBytes = 20
        let fixture = try DiskFixture(limits: limits)
        try replace(fixture, times: 5)
        // No cleaning has run.
        let texts = try fixture.files.versions().map { try? String(contentsOfFile: $0.file.text, encoding: .utf8) }
        #expect(texts == ["version 4", "version 3"])
        // A version above the limit is kept alone.
        try fixture.receive(noise(30, seed: 1), as: "ann.txt", at: noon.advanced(by: day))
        try fixture.receive([], as: "ann.txt", at: noon.advanced(by: day * 2))
        #expect(try fixture.files.versions().map(\.size) == [30])
    }

    /// The restored version is the oldest, and the current document exceeds the limit.
    @Test func theVersionThatIsPutBackDoesNotGiveWayBefore() throws {
        var limits = DocumentLimits()
        limits.versionBytes = 20
        let fixture = try DiskFixture(limits: limits)
        try fixture.receive(Array("first".utf8), as: "ann.txt")
        try fixture.receive(noise(30, seed: 1), as: "ann.txt")
        let version = try #require(try fixture.files.versions().first)
        let kept = try #require(try fixture.files.restore(version.id, at: noon.advanced(by: day)))
        #expect(fixture.text("ann.txt") == "first")
        #expect(try fixture.files.versions() == [kept])
    }

    /// Cleans continuously while versions are kept as slow copies.
    @Test func aVersionBeingKeptIsNotRemovedAsALeftover() throws {
        let fixture = try DiskFixture(apart: true)
        for number in 0..<200 { try fixture.write(noise(2000, seed: UInt64(number)), to: "Book/\(number)") }
        let hasEnded = Lock(false)
        let cleaner = Cleaner(fixture.files, until: { hasEnded.withLock { $0 } })
        defer {
            hasEnded.withLock { $0 = true }
            cleaner.wait()
        }
        let manifest = try fixture.files.open(try fixture.place("Book"), asPackage: true).manifest()
        for number in 1...20 {
            let arrival = try fixture.files.begin(
                .members(manifest), for: try fixture.place("Book"), basis: [try fixture.place("Book")], left: nil)
            guard case .placed = try fixture.finish(arrival, as: "Book", asPackage: true) else {
                return #expect(Bool(false), "nobody else writes here")
            }
            #expect(try fixture.files.versions().count == number)
        }
        for version in try fixture.files.versions() {
            #expect(DiskFixture.tree(version.file.text).count == 200)
        }
    }
}

/// Removes expired versions in a loop.
private final class Cleaner: Sendable {
    private let ended = DispatchSemaphore(value: 0)

    init(_ files: DirectoryDocumentFiles, until isEnded: @escaping @Sendable () -> Bool) {
        DetachedThread.start { [ended] in
            while !isEnded() { _ = files.removeExpired(at: DiskFixture.noon) }
            ended.signal()
        }
    }

    func wait() { ended.wait() }
}
