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
    private let noon = DocumentDesk.noon

    /// In sequence, a minute apart.
    private func replace(_ desk: DocumentDesk, times: Int) throws {
        for number in 0...times {
            try desk.receive(
                Array("version \(number)".utf8), as: "ann.txt", at: noon.advanced(by: .seconds(60 * number)))
        }
    }

    private func versions(_ desk: DocumentDesk) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: desk.state + "/versions")) ?? []).sorted()
    }

    @Test(arguments: 0..<3) func aVersionThatIsReadOnlyGoesAfterAWeek(position: Int) throws {
        try PlainUser.run {
            let desk = try DocumentDesk()
            try replace(desk, times: 3)
            let folder = "\(desk.state)/versions/\(versions(desk)[position])"
            for path in [folder + "/document", folder] { chmod(path, 0o500) }
            #expect(desk.files.removeExpired(at: noon.advanced(by: day * 8)).isEmpty)
            #expect(versions(desk) == [])
        }
    }

    @Test(.enabled(if: geteuid() == 0, "needs another user's folder"), arguments: 0..<3)
    func aVersionThatCannotBeRemovedKeepsNoOther(position: Int) throws {
        let desk = try PlainUser.run { () throws -> DocumentDesk in
            let desk = try DocumentDesk()
            try replace(desk, times: 3)
            return desk
        }
        let stuck = versions(desk)[position]
        let theirs = "\(desk.state)/versions/\(stuck)/document/theirs"
        try #require(mkdir(theirs, 0o700) == 0)
        try Data([1]).write(to: URL(fileURLWithPath: theirs + "/1"))
        try PlainUser.run {
            // The failure is reported each time.
            for _ in 0..<2 {
                let left = desk.files.removeExpired(at: noon.advanced(by: day * 8))
                #expect(left.map(\.code) == [.documentNotPlaced])
                #expect(versions(desk) == [stuck])
            }
            try desk.receive([], as: "bob.txt")
        }
        try FileManager.default.removeItem(atPath: theirs)
        try PlainUser.run { #expect(desk.files.removeExpired(at: noon.advanced(by: day * 8)).isEmpty) }
        #expect(versions(desk) == [])
    }

    @Test(arguments: 0..<3) func aDamagedRecordKeepsNoOtherAndGoesAfterAWeekToo(position: Int) throws {
        let desk = try DocumentDesk()
        try replace(desk, times: 3)
        let damaged = versions(desk)[position]
        try #require(truncate("\(desk.state)/versions/\(damaged)/record", 5) == 0)
        let now = WallTime(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
        // The records have times of another day.
        let later = max(noon.advanced(by: day * 8), now.advanced(by: day * 6))
        #expect(desk.files.removeExpired(at: now.advanced(by: day * 6)).map(\.code) == [.malformed])
        #expect(versions(desk).contains(damaged))
        _ = desk.files.removeExpired(at: later.advanced(by: day * 2))
        #expect(versions(desk) == [])
    }

    /// Shapes that no document can have: many items together from another device, or added by the user.
    @Test(arguments: ["many", "pipe", "closed"]) func aReceivedFolderOfAnyShapeGoesAfterAMonth(
        shape: String
    ) throws {
        try PlainUser.run {
            let desk = try DocumentDesk()
            let folder = "\(desk.received)/\(String(repeating: "ab", count: 16))"
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
            #expect(desk.files.removeExpired(at: now.advanced(by: day * 29)).isEmpty)
            #expect(FileManager.default.fileExists(atPath: folder))
            #expect(desk.files.removeExpired(at: now.advanced(by: day * 31)).isEmpty)
            #expect(!FileManager.default.fileExists(atPath: folder))
        }
    }

    @Test func roomForAVersionIsMadeWhenItIsKept() throws {
        var limits = DocumentLimits()
        limits.versionBytes = 20
        let desk = try DocumentDesk(limits: limits)
        try replace(desk, times: 5)
        // No cleaning has run.
        let texts = try desk.files.versions().map { try? String(contentsOfFile: $0.file.text, encoding: .utf8) }
        #expect(texts == ["version 4", "version 3"])
        // A version above the limit is kept alone.
        try desk.receive(noise(30, seed: 1), as: "ann.txt", at: noon.advanced(by: day))
        try desk.receive([], as: "ann.txt", at: noon.advanced(by: day * 2))
        #expect(try desk.files.versions().map(\.size) == [30])
    }

    /// The restored version is the oldest, and the current document exceeds the limit.
    @Test func theVersionThatIsPutBackDoesNotGiveWayBefore() throws {
        var limits = DocumentLimits()
        limits.versionBytes = 20
        let desk = try DocumentDesk(limits: limits)
        try desk.receive(Array("first".utf8), as: "ann.txt")
        try desk.receive(noise(30, seed: 1), as: "ann.txt")
        let version = try #require(try desk.files.versions().first)
        let kept = try #require(try desk.files.restore(version.id, at: noon.advanced(by: day)))
        #expect(desk.text("ann.txt") == "first")
        #expect(try desk.files.versions() == [kept])
    }

    /// Cleans continuously while versions are kept as slow copies.
    @Test func aVersionThatIsBeingKeptIsNoLeftover() throws {
        let desk = try DocumentDesk(apart: true)
        for number in 0..<200 { try desk.write(noise(2000, seed: UInt64(number)), to: "Book/\(number)") }
        let hasEnded = Lock(false)
        let cleaner = Cleaner(desk.files, until: { hasEnded.withLock { $0 } })
        defer {
            hasEnded.withLock { $0 = true }
            cleaner.wait()
        }
        let manifest = try desk.files.open(try desk.place("Book"), asPackage: true).manifest()
        for number in 1...20 {
            let arrival = try desk.files.begin(
                .members(manifest), for: try desk.place("Book"), basis: [try desk.place("Book")], left: nil)
            guard case .placed = try desk.finish(arrival, as: "Book", asPackage: true) else {
                return #expect(Bool(false), "nobody else writes here")
            }
            #expect(try desk.files.versions().count == number)
        }
        for version in try desk.files.versions() {
            #expect(DocumentDesk.tree(version.file.text).count == 200)
        }
    }
}

/// Removes expired versions in a loop.
private final class Cleaner: Sendable {
    private let ended = DispatchSemaphore(value: 0)

    init(_ files: DirectoryDocumentFiles, until isEnded: @escaping @Sendable () -> Bool) {
        DetachedThread.start { [ended] in
            while !isEnded() { _ = files.removeExpired(at: DocumentDesk.noon) }
            ended.signal()
        }
    }

    func wait() { ended.wait() }
}
