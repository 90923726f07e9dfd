// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffDaemon

/// The decision table, row by row: the incoming content and the earlier ones at the origin, the local content and the
/// earlier ones here. Shows B17.
@Suite struct DocumentDecisionTests {
    private typealias Fixture = DocumentFixture

    private func decide(
        _ comes: Int?, after known: [Int] = [], here sight: DocumentSnapshot, before: [Int]? = nil
    ) -> DocumentDecision {
        let reference = Fixture.reference(comes, known: known)
        return DocumentDecision(
            of: reference, hash: reference.hash, here: sight, history: before.map { Fixture.history($0) })
    }

    private func decide(_ comes: Int?, after known: [Int], here: Int?, before: [Int]?) -> DocumentDecision {
        decide(comes, after: known, here: .found(Fixture.found(here)), before: before)
    }

    @Test func equalBytesAreTheSameDespiteDifferentHistories() {
        #expect(decide(1, after: [], here: 1, before: nil) == .same)
        #expect(decide(1, after: [2], here: 1, before: [3, 1]) == .same)
        // Both restored the content.
        #expect(decide(1, after: [1, 2], here: 1, before: [1, 3, 1]) == .same)
    }

    @Test func unknownDocumentIsCreated() {
        #expect(decide(1, here: .nothing) == .create)
        #expect(decide(1, here: .nothing, before: []) == .create)
    }

    @Test func deletedDocumentIsCreatedAgain() {
        #expect(decide(2, after: [1], here: .nothing, before: [1]) == .createAgain)
        #expect(decide(nil, here: .nothing, before: [1]) == .createAgain)
    }

    @Test func earlierContentOfOriginIsReplaced() {
        #expect(decide(2, after: [1], here: 1, before: [1]) == .fastForward)
        #expect(decide(4, after: [1, 2, 3], here: 2, before: [2]) == .fastForward)
        // Never examined here.
        #expect(decide(2, after: [1], here: 1, before: nil) == .fastForward)
    }

    @Test func earlierLocalContentDoesNotReplaceCurrent() {
        #expect(decide(1, after: [], here: 2, before: [1, 2]) == .newerHere)
        #expect(decide(1, after: [0], here: 3, before: [0, 1, 2, 3]) == .newerHere)
    }

    @Test func unrecordedLocalChangeIsNewer() {
        // By an editor that was not noticed.
        #expect(decide(1, after: [], here: 2, before: [1]) == .newerHere)
    }

    @Test func changesOnBothSidesConflict() {
        #expect(decide(2, after: [1], here: 3, before: [1, 3]) == .conflict)
        #expect(decide(2, after: [1], here: 3, before: [1]) == .conflict)
        // Neither knows the other's content.
        #expect(decide(2, after: [], here: 3, before: nil) == .conflict)
    }

    @Test func crossedHistoriesConflict() {
        #expect(decide(2, after: [1], here: 1, before: [2, 1]) == .conflict)
    }

    @Test func revertOnEitherSideIsAConflict() {
        // At the origin: otherwise the local content would be treated as newer.
        #expect(decide(1, after: [1, 2], here: 3, before: [1, 3]) == .conflict)
        #expect(decide(1, after: [1, 2], here: 2, before: [1, 2]) == .conflict)
        // Here: otherwise the incoming content would be treated as a successor.
        #expect(decide(3, after: [1], here: 1, before: [1, 2, 1]) == .conflict)
        #expect(decide(3, after: [1], here: 1, before: [1, 2]) == .conflict)
    }

    @Test func anAmbiguousNameStaysAmbiguous() {
        #expect(decide(1, here: .ambiguous, before: [1]) == .ambiguous)
    }

    @Test func aFolderIsNotReplacedByAFileNorAFileByAPackage() {
        #expect(decide(1, here: .found(Fixture.found(nil, kind: .folder))) == .otherKind)
        let package = Fixture.reference(1, kind: .package)
        let here = DocumentSnapshot.found(Fixture.found(1))
        #expect(DocumentDecision(of: package, hash: package.hash, here: here, history: nil) == .otherKind)
    }

    @Test func withoutAHashOnlyWhatIsNotHereCanBeDecided() {
        #expect(decide(nil, after: [1], here: 1, before: [1]) == .undecided)
        #expect(decide(1, after: [], here: nil, before: [1]) == .undecided)
        #expect(decide(nil, here: .nothing) == .create)
        #expect(decide(nil, here: .ambiguous) == .ambiguous)
    }

    @Test func unhashedContentMayEqualLastKnownHash() {
        func decide(after known: [Int], here: Int) -> DocumentDecision {
            DocumentDecision(
                of: Fixture.reference(nil, known: known), hash: Fixture.digest(3),
                here: .found(Fixture.found(here)), history: nil)
        }
        #expect(decide(after: [1, 2, 3], here: 2) == .fastForward)
        #expect(decide(after: [1, 2], here: 2) == .fastForward)
        #expect(decide(after: [1, 3, 2, 3], here: 2) == .conflict)
    }
}
