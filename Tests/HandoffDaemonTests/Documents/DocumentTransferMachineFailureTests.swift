// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// Obstacles: unsaved changes, other programs, storage, the origin and the user.
@Suite struct DocumentTransferMachineFailureTests {
    private typealias Machine = DocumentTransferStateMachine
    private typealias Fixture = DocumentFixture

    private let start = Instant.zero
    private let place = Fixture.place
    private let copy = DocumentLocation.received(Fixture.continuation, name: Fixture.path)
    private let copyPath = try! AbsolutePath("/received/Letter.txt")

    private func machine(
        _ reference: DocumentReference = Fixture.reference(2, known: [1]), storage: DocumentStorage = Fixture.disk,
        history: [Int]? = [1], limits: DocumentLimits = DocumentLimits()
    ) -> Machine {
        Machine(
            reference: reference,
            target: .container(
                Fixture.container, folder: Fixture.folder, storage: storage,
                history: history.map { Fixture.history($0) }),
            continuation: Fixture.continuation, rate: nil, limits: limits)
    }

    private func path(_ text: String) -> AbsolutePath { try! AbsolutePath("/home/user/Letters/" + text) }
    private var look: Machine.Action { .look(place, asPackage: false, hashing: .max) }
    private func found(_ content: Int) -> Result<DocumentSnapshot, Failure> { .success(.found(Fixture.found(content))) }
    private func after(_ seconds: Double) -> Instant { start.advanced(by: .seconds(seconds)) }

    private func finished(_ action: Machine.Action) throws -> Machine.Finished {
        guard case .finish(let finished) = action else {
            Issue.record("\(action)")
            throw Failure(.internal, "")
        }
        return finished
    }

    /// An older version is here, and the newer one is about to replace it.
    private func placing(limits: DocumentLimits = DocumentLimits()) -> Machine {
        var machine = machine(limits: limits)
        _ = machine.begin(at: start)
        _ = machine.looked(found(1), at: start)
        _ = machine.appsLetGo(isSaved: true, at: start)
        _ = machine.looked(found(1), at: start)
        _ = machine.arrived(Fixture.digest(2), at: start)
        return machine
    }

    // MARK: Unsaved changes

    @Test func unsavedLocalDocumentKeepsItsName() throws {
        var machine = machine()
        _ = machine.begin(at: start)
        #expect(machine.looked(found(1), at: start) == .askApps(path("Letter.txt")))
        #expect(
            machine.appsLetGo(isSaved: false, at: start) == .fetch(.whole, for: place, basis: [place]))
        #expect(machine.arrived(Fixture.digest(2), at: start) == .placeBeside(place))
        let beside = try DocumentPath("Letter (Laptop, 2026-11-22 15.14).txt")
        let finished = try finished(
            machine.placed(.placed(path(beside.description), Fixture.found(2, at: beside)), at: start))
        #expect(finished.fate == .conflict)
        #expect(finished.location == .container(folder: Fixture.folder, beside))
        #expect(finished.oldPath == nil)
        #expect(finished.note?.hasPrefix("An app here has unsaved changes to it.") == true)
    }

    @Test func anAppThatDoesNotAnswerIsWaitedForEightSeconds() {
        var machine = machine()
        _ = machine.begin(at: start)
        _ = machine.looked(found(1), at: start)
        #expect(machine.nextDeadline == after(8))
        #expect(machine.deadlineReached(at: after(7.9)) == .nothing)
        #expect(machine.deadlineReached(at: after(8)) == .fetch(.whole, for: place, basis: [place]))
        // Too late.
        #expect(machine.appsLetGo(isSaved: true, at: after(9)) == .nothing)
        #expect(machine.arrived(Fixture.digest(2), at: after(10)) == .placeBeside(place))
    }

    @Test func noAppIsAskedAboutWhatStays() {
        for (comes, here) in [(1, 2), (2, 2)] {
            var machine = machine(Fixture.reference(comes), history: [1])
            _ = machine.begin(at: start)
            guard case .finish = machine.looked(found(here), at: start) else {
                Issue.record("\(comes), \(here)")
                continue
            }
        }
    }

    // MARK: Other programs write

    @Test func changeDuringPlacingIsDecidedAgain() throws {
        var machine = placing()
        #expect(machine.placed(.changedMeanwhile, at: start) == look)
        // A user opened it again.
        #expect(machine.looked(found(3), at: start) == .askApps(path("Letter.txt")))
        #expect(machine.appsLetGo(isSaved: true, at: start) == look)
        // The arrival is not fetched twice.
        #expect(
            machine.looked(found(3), at: start)
                == .place(place, replaces: Fixture.found(3).version, keepsCopy: true))
    }

    @Test func aSyncToolThatWasFasterWroteTheSame() throws {
        var machine = placing()
        _ = machine.placed(.changedMeanwhile, at: start)
        #expect(try finished(machine.looked(found(2), at: start)).fate == .same)
    }

    @Test func constantlyWrittenDocumentIsLeftAlone() throws {
        var limits = DocumentLimits()
        limits.tries = 2
        var machine = placing(limits: limits)
        for number in 3...4 {
            #expect(machine.placed(.changedMeanwhile, at: start) == look)
            _ = machine.looked(found(number), at: start)
            _ = machine.appsLetGo(isSaved: true, at: start)
            #expect(
                machine.looked(found(number), at: start)
                    == .place(place, replaces: Fixture.found(number).version, keepsCopy: true))
        }
        #expect(machine.placed(.changedMeanwhile, at: start) == .placeBeside(place))
        // Nor is there a free name, so the transfer finally fails.
        for _ in 0..<limits.tries - 1 { #expect(machine.placed(.changedMeanwhile, at: start) == .placeBeside(place)) }
        #expect(machine.placed(.changedMeanwhile, at: start) == .fail(.any(.documentNotPlaced)))
    }

    @Test func documentCreatedDuringTransferIsNotOverwritten() {
        var machine = machine(history: nil)
        _ = machine.begin(at: start)
        _ = machine.looked(.success(.nothing), at: start)
        #expect(machine.arrived(Fixture.digest(2), at: start) == .place(place, replaces: nil, keepsCopy: false))
        #expect(machine.placed(.changedMeanwhile, at: start) == look)
        _ = machine.looked(found(3), at: start)
        _ = machine.appsLetGo(isSaved: true, at: start)
        #expect(
            machine.looked(found(3), at: start)
                == .place(place, replaces: Fixture.found(3).version, keepsCopy: true))
    }

    @Test func unreadableDocumentIsNotOverwritten() {
        var machine = placing()
        _ = machine.placed(.changedMeanwhile, at: start)
        #expect(machine.looked(.failure(Failure(.notAllowed, "a socket lies there")), at: start) == .placeBeside(place))
    }

    // MARK: Folders that are not writable

    @Test func outsideAnyContainerItIsACopy() throws {
        var machine = Machine(
            reference: Fixture.reference(2), target: .copy(reason: "It lies in no container."),
            continuation: Fixture.continuation, rate: nil)
        #expect(machine.begin(at: start) == .fetch(.whole, for: copy, basis: []))
        #expect(machine.arrived(Fixture.digest(2), at: start) == .place(copy, replaces: nil, keepsCopy: false))
        let finished = try finished(machine.placed(.placed(copyPath, Fixture.found(2)), at: start))
        #expect(finished.fate == .copy)
        #expect(finished.location == copy)
        #expect(finished.path == copyPath)
        #expect(finished.note == "It lies in no container.")
    }

    @Test func twoCopiesOfOneNameGetTwoNames() throws {
        var machine = Machine(
            reference: Fixture.reference(2), target: .copy(reason: ""), continuation: Fixture.continuation, rate: nil)
        _ = machine.begin(at: start)
        _ = machine.arrived(Fixture.digest(2), at: start)
        for number in 2...Limits.documents {
            let name = try DocumentPath("Letter (\(number)).txt")
            #expect(
                machine.placed(.changedMeanwhile, at: start)
                    == .place(.received(Fixture.continuation, name: name), replaces: nil, keepsCopy: false))
        }
        #expect(machine.placed(.changedMeanwhile, at: start) == .fail(.any(.documentNotPlaced)))
    }

    @Test func aFolderOutsideIsNotTakenAlong() throws {
        var machine = Machine(
            reference: Fixture.reference(nil, kind: .folder), target: .copy(reason: "not mapped"),
            continuation: Fixture.continuation, rate: nil)
        #expect(try finished(machine.begin(at: start)).fate == .notTakenAlong)
    }

    @Test func ambiguousNameOrOtherKindArrivesAsCopy() throws {
        for sight in [DocumentSnapshot.ambiguous, .found(Fixture.found(nil, kind: .folder))] {
            var machine = machine()
            _ = machine.begin(at: start)
            #expect(machine.looked(.success(sight), at: start) == .fetch(.whole, for: copy, basis: []))
            #expect(machine.arrived(Fixture.digest(2), at: start) == .place(copy, replaces: nil, keepsCopy: false))
        }
    }

    @Test(arguments: [.notAllowed, .documentGone, .limitReached] as [Failure.Code])
    func nonDocumentHereIsLeftAlone(code: Failure.Code) throws {
        var machine = machine()
        _ = machine.begin(at: start)
        #expect(
            machine.looked(.failure(Failure(code, "a socket lies there")), at: start)
                == .fetch(.whole, for: copy, basis: []))
        _ = machine.arrived(Fixture.digest(2), at: start)
        let note = try finished(machine.placed(.placed(copyPath, Fixture.found(2)), at: start)).note
        #expect(note == "a socket lies there.")
    }

    @Test func aFailingDiskFailsTheTransfer() {
        var machine = machine()
        _ = machine.begin(at: start)
        #expect(machine.looked(.failure(Failure(.internal, "EIO")), at: start) == .fail(.any(.internal)))
    }

    // MARK: Read-only

    private let readOnly = DocumentStorage(name: "iso9660", readOnly: "read-only file system")

    @Test func intoAReadOnlyFolderNothingIsWritten() throws {
        var machine = machine(storage: readOnly)
        _ = machine.begin(at: start)
        #expect(machine.looked(found(1), at: start) == .fetch(.whole, for: copy, basis: [place]))
        #expect(machine.arrived(Fixture.digest(2), at: start) == .place(copy, replaces: nil, keepsCopy: false))
        let note = try finished(machine.placed(.placed(copyPath, Fixture.found(2)), at: start)).note
        #expect(note?.contains("read-only file system") == true)
    }

    @Test func upToDateDocumentInReadOnlyFolderIsUsed() throws {
        for (comes, fate) in [(1, DocumentFate.same), (0, .newerHere)] {
            var machine = machine(Fixture.reference(comes), storage: readOnly, history: [0])
            _ = machine.begin(at: start)
            #expect(try finished(machine.looked(found(1), at: start)).fate == fate)
        }
        var machine = machine(Fixture.reference(1), storage: readOnly, history: nil)
        _ = machine.begin(at: start)
        #expect(machine.looked(.success(.nothing), at: start) == .fetch(.whole, for: copy, basis: []))
    }

    @Test func aLargeFileInAReadOnlyFolderIsComparedOnArrival() throws {
        for isSame in [true, false] {
            var machine = machine(Fixture.reference(nil, known: [1]), storage: readOnly)
            _ = machine.begin(at: start)
            let unread = DocumentSnapshot.found(Fixture.found(nil))
            #expect(machine.looked(.success(unread), at: start) == .fetch(.whole, for: copy, basis: [place]))
            #expect(machine.arrived(Fixture.digest(2), at: start) == look)
            let action = machine.looked(found(isSame ? 2 : 1), at: start)
            if isSame {
                #expect(try finished(action).fate == .same)
            } else {
                #expect(action == .place(copy, replaces: nil, keepsCopy: false))
            }
        }
    }

    // MARK: Shared storage

    private let shared = DocumentStorage(name: "nfs4", isShared: true)

    @Test func sharedStorageIsWaitedFor() throws {
        var machine = machine(storage: shared)
        _ = machine.begin(at: start)
        #expect(machine.looked(found(1), at: start) == .wait(until: after(0.5)))
        #expect(machine.nextDeadline == after(0.5))
        #expect(machine.deadlineReached(at: after(0.4)) == .nothing)
        #expect(machine.deadlineReached(at: after(0.5)) == look)
        #expect(try finished(machine.looked(found(2), at: after(0.5))).fate == .same)
    }

    @Test func sharedStorageIsNeverWrittenTo() throws {
        for sight in [found(1), found(3), .success(.nothing), .success(.ambiguous)] {
            var machine = machine(storage: shared)
            _ = machine.begin(at: start)
            var now = start
            var action = machine.looked(sight, at: now)
            while case .wait(let until) = action {
                now = until
                #expect(machine.deadlineReached(at: now) == look)
                action = machine.looked(sight, at: now)
            }
            #expect(now == after(5))
            guard case .fetch(.whole, copy, _) = action else {
                Issue.record("\(action)")
                continue
            }
            #expect(machine.arrived(Fixture.digest(2), at: now) == .place(copy, replaces: nil, keepsCopy: false))
            let note = try finished(machine.placed(.placed(copyPath, Fixture.found(2)), at: now)).note
            #expect(note?.isEmpty == false)
        }
    }

    @Test func aNewerVersionOnSharedStorageIsUsed() throws {
        var machine = machine(Fixture.reference(1), storage: shared, history: [1, 2])
        _ = machine.begin(at: start)
        #expect(try finished(machine.looked(found(2), at: start)).fate == .newerHere)
    }

    // MARK: The origin, the connection and the user

    @Test func unannouncedContentIsRejected() {
        var machine = machine(history: nil)
        _ = machine.begin(at: start)
        _ = machine.looked(.success(.nothing), at: start)
        #expect(machine.arrived(Fixture.digest(9), at: start) == .fail(.any(.malformed)))
        #expect(machine.hasEnded == true)
    }

    @Test func changeAtOriginIsDecidedByReceivedContent() throws {
        var machine = machine()
        _ = machine.begin(at: start)
        _ = machine.looked(found(1), at: start)
        _ = machine.appsLetGo(isSaved: true, at: start)
        _ = machine.looked(found(1), at: start)
        #expect(machine.changedAtOrigin(at: start) == .look(place, asPackage: false, hashing: 0))
        let unread = DocumentSnapshot.found(Fixture.found(nil))
        #expect(machine.looked(.success(unread), at: start) == .fetch(.whole, for: place, basis: [place]))
        #expect(machine.arrived(Fixture.digest(4), at: start) == look)
        // An app may have opened it again.
        #expect(machine.looked(found(2), at: start) == .askApps(path("Letter.txt")))
        #expect(machine.appsLetGo(isSaved: true, at: start) == look)
        // The announced content is now an earlier content of the origin.
        #expect(
            machine.looked(found(2), at: start)
                == .place(place, replaces: Fixture.found(2).version, keepsCopy: false))
    }

    @Test func documentTouchedAtOriginIsUnchanged() {
        var machine = machine()
        _ = machine.begin(at: start)
        _ = machine.looked(found(1), at: start)
        _ = machine.appsLetGo(isSaved: true, at: start)
        _ = machine.looked(found(1), at: start)
        _ = machine.changedAtOrigin(at: start)
        _ = machine.looked(.success(.found(Fixture.found(nil))), at: start)
        _ = machine.arrived(Fixture.digest(2), at: start)
        _ = machine.looked(found(1), at: start)
        _ = machine.appsLetGo(isSaved: true, at: start)
        #expect(
            machine.looked(found(1), at: start)
                == .place(place, replaces: Fixture.found(1).version, keepsCopy: false))
    }

    @Test func transferRestartsOnce() {
        var machine = Machine(
            reference: Fixture.reference(2), target: .copy(reason: ""), continuation: Fixture.continuation, rate: nil)
        _ = machine.begin(at: start)
        #expect(machine.changedAtOrigin(at: start) == .fetch(.whole, for: copy, basis: []))
        #expect(machine.changedAtOrigin(at: start) == .fail(.any(.documentChanged)))
    }

    @Test func failureIsReportedOnce() {
        var machine = machine(history: nil)
        _ = machine.begin(at: start)
        _ = machine.looked(.success(.nothing), at: start)
        #expect(machine.failed(.any(.deviceLost), at: start) == .fail(.any(.deviceLost)))
        #expect(machine.failed(.any(.deviceLost), at: start) == .nothing)
        #expect(machine.arrived(Fixture.digest(2), at: start) == .nothing)
        #expect(machine.cancelled() == .nothing)
    }

    @Test func aFailureToPlaceFailsTheTransfer() {
        var machine = placing()
        #expect(
            machine.failed(.any(.documentNotPlaced), at: start)
                == .fail(.any(.documentNotPlaced)))
    }

    @Test func itIsCancelledAtEachStep() {
        var machine = machine()
        #expect(machine.cancelled() == .fail(.any(.cancelled)))
        #expect(machine.begin(at: start) == .nothing)
        for steps in 1...4 {
            var machine = self.machine()
            _ = machine.begin(at: start)
            if steps > 1 { _ = machine.looked(found(1), at: start) }
            if steps > 2 { _ = machine.appsLetGo(isSaved: true, at: start) }
            if steps > 3 { _ = machine.looked(found(1), at: start) }
            #expect(machine.cancelled() == .fail(.any(.cancelled)))
        }
    }

    @Test func placingFinishesDespiteCancellation() throws {
        var machine = placing()
        #expect(machine.cancelled() == .nothing)
        let outcome = PlacementOutcome.placed(path("Letter.txt"), Fixture.found(2))
        #expect(try finished(machine.placed(outcome, at: start)).fate == .replaced)
        var other = placing()
        _ = other.cancelled()
        #expect(other.placed(.changedMeanwhile, at: start) == .fail(.any(.cancelled)))
    }

    @Test func outOfOrderEventsAreIgnored() {
        var machine = machine()
        #expect(machine.looked(found(1), at: start) == .nothing)
        #expect(machine.placed(.changedMeanwhile, at: start) == .nothing)
        #expect(machine.searched(.success(nil), at: start) == .nothing)
        #expect(machine.appsLetGo(isSaved: true, at: start) == .nothing)
        #expect(machine.arrived(Fixture.digest(2), at: start) == .nothing)
        #expect(machine.changedAtOrigin(at: start) == .nothing)
        #expect(machine.deadlineReached(at: start) == .nothing)
        _ = machine.begin(at: start)
        #expect(machine.begin(at: start) == .nothing)
    }
}
