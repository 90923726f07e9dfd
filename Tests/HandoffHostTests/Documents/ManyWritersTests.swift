// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffSystem
import HandoffWire
import Testing

@testable import HandoffHost

/// Several of our threads and another program write versions of the same document. Shows B17.
@Suite struct ManyWritersTests {
    @Test func concurrentWritersLoseNoContent() throws {
        let fixture = try DiskFixture()
        try fixture.write("first", to: "ann.txt")
        let put = Lock<Set<String>>(["first"])
        let takenOut = Lock<Set<String>>([])
        let ended = DispatchSemaphore(value: 0)
        let (folder, files) = (fixture.folder.text, fixture.files)
        let place = try fixture.place("ann.txt")

        for writer in 0..<3 {
            DetachedThread.start {
                // One of our threads succeeds at the latest when the other program has ended.
                var (round, placed) = (0, 0)
                while round < 40 || placed == 0, round < 10_000 {
                    round += 1
                    let content = "ours \(writer).\(round)"
                    guard (try? Self.place(content, at: place, in: files)) == true else { continue }
                    placed += 1
                    put.withLock { _ = $0.insert(content) }
                }
                ended.signal()
            }
        }
        // Writes next to the document and renames, as sync tools and editors do, and so removes the file that it
        // replaces.
        DetachedThread.start {
            for round in 0..<200 {
                let content = "theirs \(round)"
                let beside = folder + "/.theirs"
                guard FileManager.default.createFile(atPath: beside, contents: Data(content.utf8)) else { continue }
                put.withLock { _ = $0.insert(content) }
                guard Self.swaps(".theirs", with: "ann.txt", in: folder) else {
                    put.withLock { _ = $0.remove(content) }
                    continue
                }
                if let old = try? String(contentsOfFile: beside, encoding: .utf8) {
                    takenOut.withLock { _ = $0.insert(old) }
                }
                unlink(beside)
                usleep(500)
            }
            ended.signal()
        }
        for _ in 0..<4 { #expect(ended.wait(timeout: .now() + 60) == .success) }

        var reachable = takenOut.withLock { $0 }
        reachable.insert(try #require(fixture.text("ann.txt")))
        for version in try files.versions() {
            reachable.insert(try String(contentsOfFile: version.file.text, encoding: .utf8))
        }
        let all = put.withLock { $0 }
        #expect(all.contains { $0.hasPrefix("ours") })
        #expect(all.subtracting(reachable) == [])
        #expect(fixture.names() == ["ann.txt"])
        #expect(fixture.leftovers() == [])
    }

    private static func place(
        _ content: String, at place: DocumentLocation, in files: DirectoryDocumentFiles
    ) throws -> Bool {
        let arrival = try files.begin(.whole(size: UInt64(content.utf8.count)), for: place, basis: [], left: nil)
        try arrival.append(Array(content.utf8))
        _ = try arrival.hash()
        try arrival.sync(modified: FileTime(nanoseconds: 0), mode: 0o644)
        guard case .found(let found) = try files.look(at: place, asPackage: false, hashing: 0) else { return false }
        var randomness = SystemRandomNumberGenerator()
        let outcome = try arrival.place(
            PlacementOrder(
                place: place, replaces: found.version, version: .random(using: &randomness), now: DiskFixture.noon,
                deviceName: DisplayText(cleaning: "laptop")))
        return outcome != .changedMeanwhile
    }

    private static func swaps(_ name: String, with other: String, in folder: String) -> Bool {
        guard let folder = try? OpenFile.open(folder, O_RDONLY | O_DIRECTORY) else { return false }
        return (try? folder.swap(Array(name.utf8), with: Array(other.utf8), in: folder)) == true
    }
}
