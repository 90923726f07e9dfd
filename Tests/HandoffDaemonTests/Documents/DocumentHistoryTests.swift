// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffDaemon

@Suite struct DocumentHistoryTests {
    private typealias Fixture = DocumentFixture
    private let now = WallTime(milliseconds: 1000)
    private let file = FileNumber(device: 2, inode: 9)

    private func history(noting contents: [Int]) -> DocumentHistory {
        var history = Fixture.history([])
        for content in contents { history.note(Fixture.digest(content), of: file, at: now) }
        return history
    }

    @Test func repeatedContentIsRecordedOnce() {
        #expect(history(noting: [1, 1, 2, 2]).hashes == Fixture.digests([1, 2]))
    }

    @Test func revertedContentIsRecordedAgain() {
        #expect(history(noting: [1, 2, 1]).hashes == Fixture.digests([1, 2, 1]))
    }

    @Test func theOldestGiveWayBeyondTheLimitOfKnownHashes() {
        let history = history(noting: Array(1...Limits.knownHashes + 3))
        #expect(history.hashes == Fixture.digests(Array(4...Limits.knownHashes + 3)))
    }

    @Test func theFileIsTheLastSeenFile() {
        let history = history(noting: [1])
        #expect(history.file == file)
        #expect(history.looked == now)
    }

    @Test func currentContentIsNotBeforeItself() {
        #expect(Fixture.history([1, 2]).hashes(before: Fixture.digest(2)) == Fixture.digests([1]))
    }

    @Test func unrecordedContentFollowsAllRecorded() {
        #expect(Fixture.history([1, 2]).hashes(before: Fixture.digest(3)) == Fixture.digests([1, 2]))
        #expect(Fixture.history([1, 2]).hashes(before: nil) == Fixture.digests([1, 2]))
    }

    @Test func revertedContentIsAmongEarlierContents() {
        #expect(Fixture.history([1, 2, 1]).hashes(before: Fixture.digest(1)) == Fixture.digests([1, 2]))
        // Not examined since the change.
        #expect(Fixture.history([1, 2]).hashes(before: Fixture.digest(1)) == Fixture.digests([1, 2]))
    }
}
