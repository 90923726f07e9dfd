// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffDaemon

/// The steps that follow from each row of the decision table. Shows B17.
@Suite struct DocumentTransferMachineTests {
    private typealias Machine = DocumentTransferStateMachine
    private typealias Fixture = DocumentFixture

    private let start = Instant.zero
    private let place = Fixture.place

    private func machine(
        _ reference: DocumentReference, storage: DocumentStorage = Fixture.disk, history: [Int]? = nil,
        rate: UInt64? = nil, limits: DocumentLimits = DocumentLimits()
    ) -> Machine {
        Machine(
            reference: reference,
            target: .container(
                Fixture.container, folder: Fixture.folder, storage: storage,
                history: history.map { Fixture.history($0) }),
            continuation: Fixture.continuation, rate: rate, limits: limits)
    }

    private func path(_ text: String) -> AbsolutePath { try! AbsolutePath("/home/user/Letters/" + text) }
    private var look: Machine.Action { .look(place, asPackage: false, hashing: .max) }
    private func found(_ content: Int) -> Result<DocumentSnapshot, Failure> { .success(.found(Fixture.found(content))) }
    private func fetch(_ form: DocumentForm, basis: [DocumentLocation] = []) -> Machine.Action {
        .fetch(form, for: place, basis: basis)
    }

    private func placed(_ content: Int) -> PlacementOutcome { .placed(path("Letter.txt"), Fixture.found(content)) }

    private func finished(_ action: Machine.Action) throws -> Machine.Finished {
        guard case .finish(let finished) = action else {
            Issue.record("\(action)")
            throw Failure(.internal, "")
        }
        return finished
    }

    // MARK: Rows of the table

    @Test func identicalDocumentIsUsedInPlace() throws {
        var machine = machine(Fixture.reference(1), history: [1])
        #expect(machine.begin(at: start) == look)
        let finished = try finished(machine.looked(found(1), at: start))
        #expect(
            finished
                == Machine.Finished(
                    fate: .same, location: place, path: path("Letter.txt"), hash: Fixture.digest(1),
                    found: Fixture.found(1)))
        #expect(machine.hasEnded == true)
    }

    @Test func unknownDocumentIsCreated() throws {
        var machine = machine(Fixture.reference(1))
        _ = machine.begin(at: start)
        #expect(machine.looked(.success(.nothing), at: start) == fetch(.whole))
        #expect(machine.arrived(Fixture.digest(1), at: start) == .place(place, replaces: nil, keepsCopy: false))
        let finished = try finished(machine.placed(placed(1), at: start))
        #expect(finished.fate == .created)
        #expect(finished.path == path("Letter.txt"))
        #expect(finished.note == nil)
        #expect(finished.hash == Fixture.digest(1))
    }

    @Test func deletedDocumentIsCreatedWithNote() throws {
        var machine = machine(Fixture.reference(2, known: [1]), history: [1])
        _ = machine.begin(at: start)
        #expect(
            machine.looked(.success(.nothing), at: start)
                == .find(
                    FileNumber(device: 1, inode: 5), size: Fixture.size, hash: Fixture.digest(2), in: Fixture.folder))
        #expect(machine.searched(.success(nil), at: start) == fetch(.whole))
        #expect(machine.arrived(Fixture.digest(2), at: start) == .place(place, replaces: nil, keepsCopy: false))
        let finished = try finished(machine.placed(placed(2), at: start))
        #expect(finished.fate == .created)
        #expect(finished.note == "It had been deleted here.")
    }

    @Test func aFailedSearchIsReported() throws {
        var machine = machine(Fixture.reference(2, known: [1]), history: [1])
        _ = machine.begin(at: start)
        _ = machine.looked(.success(.nothing), at: start)
        #expect(machine.searched(.failure(Failure(.limitReached, "too many entries")), at: start) == fetch(.whole))
        _ = machine.arrived(Fixture.digest(2), at: start)
        let note = try finished(machine.placed(placed(2), at: start)).note
        #expect(note?.contains("too many entries") == true)
    }

    @Test func renamedDocumentIsReplacedAtItsNewPath() throws {
        let newPath = try DocumentPath("Old letters/First.txt")
        let newPlace = DocumentLocation.container(folder: Fixture.folder, newPath)
        var machine = machine(Fixture.reference(2, known: [1]), history: [1])
        _ = machine.begin(at: start)
        _ = machine.looked(.success(.nothing), at: start)
        #expect(machine.searched(.success(newPath), at: start) == .look(newPlace, asPackage: false, hashing: .max))
        let here = Fixture.found(1, at: newPath)
        let sight = Result<DocumentSnapshot, Failure>.success(.found(here))
        #expect(machine.looked(sight, at: start) == .askApps(path("Old letters/First.txt")))
        #expect(
            machine.appsLetGo(isSaved: true, at: start) == .look(newPlace, asPackage: false, hashing: .max))
        #expect(machine.looked(sight, at: start) == .fetch(.whole, for: newPlace, basis: [newPlace]))
        #expect(
            machine.arrived(Fixture.digest(2), at: start)
                == .place(newPlace, replaces: here.version, keepsCopy: false))
        let finished = try finished(
            machine.placed(.placed(path("Old letters/First.txt"), Fixture.found(2, at: newPath)), at: start))
        #expect(finished.fate == .replaced)
        #expect(finished.location == newPlace)
        #expect(finished.oldPath == Fixture.path)
        #expect(finished.note == "It has another name here: Old letters/First.txt.")
    }

    @Test func identicalRenamedDocumentIsUsedAtItsNewPath() throws {
        let newPath = try DocumentPath("First.txt")
        var machine = machine(Fixture.reference(1), history: [1])
        _ = machine.begin(at: start)
        _ = machine.looked(.success(.nothing), at: start)
        _ = machine.searched(.success(newPath), at: start)
        let finished = try finished(
            machine.looked(.success(.found(Fixture.found(1, at: newPath))), at: start))
        #expect(finished.fate == .same)
        #expect(finished.path == path("First.txt"))
        #expect(finished.oldPath == Fixture.path)
    }

    @Test func anotherFileWithAReusedInodeIsLeftAlone() throws {
        let other = try DocumentPath("Shopping.txt")
        var machine = machine(Fixture.reference(2, known: [1]), history: [1])
        _ = machine.begin(at: start)
        _ = machine.looked(.success(.nothing), at: start)
        _ = machine.searched(.success(other), at: start)
        let sight = DocumentSnapshot.found(Fixture.found(9, at: other))
        #expect(machine.looked(.success(sight), at: start) == fetch(.whole))
        #expect(machine.arrived(Fixture.digest(2), at: start) == .place(place, replaces: nil, keepsCopy: false))
    }

    @Test func anEmptyFileIsNotTakenForTheRenamedFile() throws {
        let other = try DocumentPath("Empty.txt")
        var machine = machine(Fixture.reference(1, known: [], size: 0), history: [1])
        _ = machine.begin(at: start)
        #expect(
            machine.looked(.success(.nothing), at: start)
                == .find(FileNumber(device: 1, inode: 5), size: 0, hash: nil, in: Fixture.folder))
        _ = machine.searched(.success(other), at: start)
        let sight = DocumentSnapshot.found(Fixture.found(1, at: other, size: 0))
        #expect(machine.looked(.success(sight), at: start) == fetch(.whole))
    }

    @Test func anOlderVersionIsReplacedOnceAppsReleaseIt() throws {
        var machine = machine(Fixture.reference(2, known: [1]), history: [1])
        _ = machine.begin(at: start)
        #expect(machine.looked(found(1), at: start) == .askApps(path("Letter.txt")))
        #expect(machine.appsLetGo(isSaved: true, at: start) == look)
        #expect(machine.looked(found(1), at: start) == fetch(.whole, basis: [place]))
        #expect(
            machine.arrived(Fixture.digest(2), at: start)
                == .place(place, replaces: Fixture.found(1).version, keepsCopy: false))
        #expect(try finished(machine.placed(placed(2), at: start)).fate == .replaced)
    }

    @Test func changesSavedOnRequestAreKept() throws {
        var machine = machine(Fixture.reference(2, known: [1]), history: [1])
        _ = machine.begin(at: start)
        _ = machine.looked(found(1), at: start)
        _ = machine.appsLetGo(isSaved: true, at: start)
        // It had unsaved changes.
        #expect(machine.looked(found(3), at: start) == fetch(.whole, basis: [place]))
        #expect(
            machine.arrived(Fixture.digest(2), at: start)
                == .place(place, replaces: Fixture.found(3).version, keepsCopy: true))
        #expect(try finished(machine.placed(placed(2), at: start)).fate == .conflict)
    }

    @Test func aNewerLocalVersionStays() throws {
        var machine = machine(Fixture.reference(1), history: [1, 2])
        _ = machine.begin(at: start)
        let finished = try finished(machine.looked(found(2), at: start))
        #expect(finished.fate == .newerHere)
        #expect(finished.path == path("Letter.txt"))
        #expect(finished.note == "The version here is newer and was not replaced.")
    }

    @Test func inAConflictTheOriginTakesTheNameAndACopyStays() throws {
        var machine = machine(Fixture.reference(2, known: [1]), history: [1, 3])
        _ = machine.begin(at: start)
        #expect(machine.looked(found(3), at: start) == .askApps(path("Letter.txt")))
        _ = machine.appsLetGo(isSaved: true, at: start)
        #expect(machine.looked(found(3), at: start) == fetch(.whole, basis: [place]))
        #expect(
            machine.arrived(Fixture.digest(2), at: start)
                == .place(place, replaces: Fixture.found(3).version, keepsCopy: true))
        #expect(try finished(machine.placed(placed(2), at: start)).fate == .conflict)
    }

    // MARK: Names

    @Test func theFileIsReplacedUnderItsNameOnDisk() throws {
        let onDisk = try DocumentPath("Cafe\u{301}.txt")
        var machine = machine(Fixture.reference(2, known: [1], at: try DocumentPath("Caf\u{E9}.txt")), history: [1])
        _ = machine.begin(at: start)
        let here = Fixture.found(1, at: onDisk)
        _ = machine.looked(.success(.found(here)), at: start)
        _ = machine.appsLetGo(isSaved: true, at: start)
        _ = machine.looked(.success(.found(here)), at: start)
        #expect(
            machine.arrived(Fixture.digest(2), at: start)
                == .place(
                    .container(folder: Fixture.folder, onDisk), replaces: here.version, keepsCopy: false))
    }

    // Shows Q08.
    @Test func namesInDifferentUnicodeFormsAreDifferentDocuments() throws {
        let onDisk = try DocumentPath("Cafe\u{301}.txt"), named = try DocumentPath("Caf\u{E9}.txt")
        let place = DocumentLocation.container(folder: Fixture.folder, named)
        var machine = machine(Fixture.reference(2, known: [1], at: named))
        _ = machine.begin(at: start)
        let other = DocumentSnapshot.found(Fixture.found(7, at: onDisk))
        guard case .fetch = machine.looked(.success(other), at: start) else { return #expect(Bool(false)) }
        #expect(machine.arrived(Fixture.digest(2), at: start) == .placeExactly(place))
        // A file system that treats both forms as equal.
        _ = machine.placed(.changedMeanwhile, at: start)
        _ = machine.looked(.success(other), at: start)
        _ = machine.appsLetGo(isSaved: true, at: start)
        guard case .place(.container(_, onDisk), _, keepsCopy: true) = machine.looked(.success(other), at: start) else {
            return #expect(Bool(false))
        }
    }

    // Shows Q09.
    @Test func documentThatAnEditorHasOpenKeepsItsName() throws {
        var machine = machine(Fixture.reference(2, known: [1]), history: [1])
        _ = machine.begin(at: start)
        var open = Fixture.found(1)
        open.hold = .editor("LibreOffice")
        #expect(machine.looked(.success(.found(open)), at: start) == fetch(.whole, basis: [place]))
        #expect(machine.arrived(Fixture.digest(2), at: start) == .placeBeside(place))
        let note = try finished(machine.placed(placed(2), at: start)).note
        #expect(note?.hasPrefix("LibreOffice has it open here.") == true)
    }

    /// The process may be an app of ours, which lets go of the document.
    // Shows Q09.
    @Test(arguments: [true, false])
    func documentThatAProcessWritesToKeepsItsNameUnlessAppsLetGo(letsGo: Bool) throws {
        var machine = machine(Fixture.reference(2, known: [1]), history: [1])
        _ = machine.begin(at: start)
        var written = Fixture.found(1)
        written.hold = .process("sqlite3")
        guard case .askApps = machine.looked(.success(.found(written)), at: start) else { return #expect(Bool(false)) }
        _ = machine.appsLetGo(isSaved: true, at: start)
        if letsGo { written.hold = nil }
        #expect(machine.looked(.success(.found(written)), at: start) == fetch(.whole, basis: [place]))
        let action = machine.arrived(Fixture.digest(2), at: start)
        guard !letsGo else { return #expect(action != .placeBeside(place)) }
        #expect(action == .placeBeside(place))
        let note = try finished(machine.placed(placed(2), at: start)).note
        #expect(note?.hasPrefix("sqlite3 has it open here.") == true)
    }

    // MARK: Forms

    @Test(
        arguments: [
            // There is no local content to reuse.
            (100 << 20, false, nil, .whole), (4 << 20, true, nil, .whole), ((4 << 20) + 1, true, nil, .chunks),
            (100 << 20, true, 299_999_999, .chunks), (100 << 20, true, 300_000_000, .whole),
            (16 << 30, true, nil, .chunks), ((16 << 30) + 1, true, nil, .whole),
        ] as [(UInt64, Bool, UInt64?, DocumentForm)])
    func aListIsAskedForWhereItPays(size: UInt64, isHere: Bool, rate: UInt64?, form: DocumentForm) {
        var machine = machine(Fixture.reference(2, known: [1], size: size), rate: rate)
        _ = machine.begin(at: start)
        var action = machine.looked(isHere ? found(1) : .success(.nothing), at: start)
        if isHere {
            _ = machine.appsLetGo(isSaved: true, at: start)
            action = machine.looked(found(1), at: start)
        }
        #expect(action == fetch(form, basis: isHere ? [place] : []))
    }

    @Test func packageIsFetchedByMembers() {
        var machine = machine(Fixture.reference(1, kind: .package))
        #expect(machine.begin(at: start) == .look(place, asPackage: true, hashing: .max))
        #expect(machine.looked(.success(.nothing), at: start) == fetch(.members))
    }

    // MARK: Folders

    @Test func aFolderMatchesTheLocalFolderOfItsName() throws {
        var machine = machine(Fixture.reference(nil, kind: .folder))
        #expect(machine.begin(at: start) == .look(place, asPackage: false, hashing: 0))
        let sight = DocumentSnapshot.found(Fixture.found(nil, kind: .folder))
        let finished = try finished(machine.looked(.success(sight), at: start))
        #expect(finished.fate == .same)
        #expect(finished.path == path("Letter.txt"))
    }

    @Test(arguments: [.nothing, .ambiguous, .found(DocumentFixture.found(1))] as [DocumentSnapshot])
    func aFolderThatIsNotHereIsNotMade(sight: DocumentSnapshot) throws {
        var machine = machine(Fixture.reference(nil, kind: .folder))
        _ = machine.begin(at: start)
        let finished = try finished(machine.looked(.success(sight), at: start))
        #expect(finished.fate == .notTakenAlong)
        #expect(finished.path == nil)
    }

    // MARK: Documents too large to hash

    @Test func largeDocumentIsDecidedByReceivedContent() throws {
        var machine = machine(Fixture.reference(nil, known: [1], size: 2 << 30), history: [1])
        // There is no hash to compare it with.
        #expect(machine.begin(at: start) == .look(place, asPackage: false, hashing: 0))
        let unread = DocumentSnapshot.found(Fixture.found(nil))
        #expect(machine.looked(.success(unread), at: start) == fetch(.chunks, basis: [place]))
        #expect(machine.arrived(Fixture.digest(2), at: start) == look)
        #expect(machine.looked(found(1), at: start) == .askApps(path("Letter.txt")))
        #expect(machine.appsLetGo(isSaved: true, at: start) == look)
        #expect(
            machine.looked(found(1), at: start)
                == .place(place, replaces: Fixture.found(1).version, keepsCopy: false))
        #expect(try finished(machine.placed(placed(2), at: start)).fate == .replaced)
    }

    @Test(arguments: [(2, .same), (3, .newerHere)] as [(Int, DocumentFate)])
    func unneededLargeDocumentIsDiscarded(here: Int, fate: DocumentFate) throws {
        var machine = machine(Fixture.reference(nil, size: 2 << 30), history: [2, 3])
        _ = machine.begin(at: start)
        _ = machine.looked(.success(.found(Fixture.found(nil))), at: start)
        _ = machine.arrived(Fixture.digest(2), at: start)
        #expect(try finished(machine.looked(found(here), at: start)).fate == fate)
    }

    @Test func unhashableLocalDocumentIsKept() throws {
        var machine = machine(Fixture.reference(2))
        let unread = Result<DocumentSnapshot, Failure>.success(.found(Fixture.found(nil)))
        _ = machine.begin(at: start)
        #expect(machine.looked(unread, at: start) == fetch(.whole, basis: [place]))
        #expect(machine.arrived(Fixture.digest(2), at: start) == look)
        _ = machine.looked(unread, at: start)
        _ = machine.appsLetGo(isSaved: true, at: start)
        #expect(
            machine.looked(unread, at: start)
                == .place(place, replaces: Fixture.found(nil).version, keepsCopy: true))
    }
}
