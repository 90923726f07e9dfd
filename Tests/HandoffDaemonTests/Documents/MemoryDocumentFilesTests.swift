// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// The in-memory implementation satisfies the contract of the port.
@Suite struct MemoryDocumentFilesTests {
    private typealias Fixture = DocumentFixture

    private let files = MemoryDocumentFiles()
    private let place = Fixture.place
    private let letter = try! AbsolutePath("/home/user/Letters/Letter.txt")
    private let now = WallTime(milliseconds: 1_795_356_840_000)

    private func path(_ text: String) -> AbsolutePath { try! AbsolutePath("/home/user/Letters/" + text) }
    private func place(_ text: String) -> DocumentLocation {
        .container(folder: Fixture.folder, try! DocumentPath(text))
    }
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
    private func id(_ number: UInt8) -> VersionID { VersionID(uncheckedBytes: [UInt8](repeating: number, count: 16)) }

    private func look(_ place: DocumentLocation, asPackage: Bool = false) throws -> FoundDocument {
        guard case .found(let found) = try files.look(at: place, asPackage: asPackage, hashing: .max) else {
            throw Failure(.documentGone, "")
        }
        return found
    }

    private func order(
        _ place: DocumentLocation, replaces: FileVersion? = nil, copy: String? = nil, version: UInt8 = 1
    ) throws -> PlacementOrder {
        PlacementOrder(
            place: place, replaces: replaces, conflictCopy: try copy.map { try DocumentPath($0) },
            version: id(version), now: now, deviceName: DisplayText(cleaning: "Laptop"))
    }

    /// Transfers it as between two devices.
    private func send(
        _ source: any DocumentSource, _ form: DocumentForm, to place: DocumentLocation,
        basis: [DocumentLocation] = [], left: (any DocumentArrival)? = nil, upTo limit: Int = .max
    ) throws -> (arrival: any DocumentArrival, bytes: Int) {
        let content: ArrivingContent =
            switch form {
            case .whole: .whole(size: source.head.size)
            case .chunks: .chunks(try source.chunks())
            case .members: .members(try source.manifest())
            }
        let arrival = try files.begin(content, for: place, basis: basis, left: left)
        try source.select(arrival.wish)
        var sent = 0
        while sent < limit {
            let bytes = try source.next(min(10_000, limit - sent))
            guard !bytes.isEmpty else { break }
            try arrival.append(bytes)
            sent += bytes.count
        }
        return (arrival, sent)
    }

    // MARK: Looking

    @Test func namesAreFoundAsTheyAreOnTheDisk() throws {
        files.write(bytes("a"), at: path("Cafe\u{301}/Letter.txt"))
        #expect(try look(place("Caf\u{E9}/Letter.txt")).path == DocumentPath("Cafe\u{301}/Letter.txt"))
        #expect(try files.look(at: place("Caf\u{E9}/letter.txt"), asPackage: false, hashing: 0) == .nothing)
        files.setStorage(DocumentStorage(name: "vfat"), of: Fixture.folder, ignoringCase: true)
        #expect(try look(place("caf\u{E9}/letter.txt")).path == DocumentPath("Cafe\u{301}/Letter.txt"))
    }

    @Test func theHashIsThatOfTheContent() throws {
        files.write([], at: letter)
        #expect(try look(place).hash?.short == "e3b0c442")
        files.write(bytes("abc"), at: letter)
        #expect(try look(place).hash?.short == "ba7816bf")
        guard case .found(let unread) = try files.look(at: place, asPackage: false, hashing: 2) else {
            return #expect(Bool(false))
        }
        #expect(unread.hash == nil)
        #expect(unread.version.size == 3)
    }

    @Test func aPackageFolderIsADocument() throws {
        files.write(bytes("a"), at: path("Book.textbundle/text.md"))
        #expect(try look(place("Book.textbundle")).kind == .folder)
        let before = try look(place("Book.textbundle"), asPackage: true)
        #expect(before.kind == .package)
        #expect(before.version.size == 1)
        files.write(bytes("bc"), at: path("Book.textbundle/text.md"), keepsNumber: true)
        let after = try look(place("Book.textbundle"), asPackage: true)
        #expect(after.version != before.version)
        #expect(after.hash != before.hash)
    }

    @Test func socketsAndEscapingLinksAreRejected() throws {
        files.makeSocket(at: path("socket"))
        files.makeLink(at: path("out"), to: "../../secret")
        files.makeLink(at: path("absolute"), to: "/etc")
        files.makeLink(at: path("round"), to: "round")
        for name in ["socket", "out", "absolute/passwd", "round"] {
            #expect(throws: Failure.any(.notAllowed)) { try look(place(name)) }
        }
        files.write(bytes("a"), at: path("inner/Letter.txt"))
        files.makeLink(at: path("in"), to: "inner")
        #expect(try look(place("in/Letter.txt")).path == DocumentPath("inner/Letter.txt"))
    }

    @Test func openDocumentIsReadByItsToken() throws {
        let token = FileToken(uncheckedBytes: [UInt8](repeating: 1, count: 32))
        #expect(throws: Failure.any(.documentGone)) { try look(.open(token)) }
        files.write(bytes("abc"), at: letter)
        files.open(letter, as: token)
        #expect(try look(.open(token)).path == nil)
        #expect(try files.open(.open(token), asPackage: false).next(10).isEmpty)
    }

    @Test func aFileIsFoundByItsNumberAndByItsContent() throws {
        files.write(bytes("abc"), at: letter)
        let found = try look(place)
        func find(_ inode: UInt64) throws -> DocumentPath? {
            try files.find(
                FileNumber(device: found.version.file.device, inode: inode), size: 3, hash: found.hash,
                in: Fixture.folder)
        }
        try files.move(letter, to: path("b/Other.txt"))
        #expect(try find(found.version.file.inode) == DocumentPath("b/Other.txt"))
        #expect(try find(9999) == DocumentPath("b/Other.txt"))
        files.write(bytes("abd"), at: path("b/Other.txt"))
        #expect(try find(9999) == nil)
    }

    @Test func namesBesideAreThoseOfItsFolder() throws {
        #expect(try files.names(beside: place).isEmpty)
        files.write([], at: path("b/c"))
        files.write([], at: letter)
        #expect(try files.names(beside: place) == [bytes("Letter.txt"), bytes("b")])
        #expect(try files.names(beside: place("b/x")) == [bytes("c")])
    }

    // MARK: Sending

    @Test func writeDuringReadingIsDetected() throws {
        files.write(bytes("abc"), at: letter)
        let source = try files.open(place, asPackage: false)
        #expect(source.isUnchanged())
        #expect(source.head.size == 3)
        try source.select(nil)
        files.write(bytes("abd"), at: letter, keepsNumber: true)
        #expect(try source.next(10) == bytes("abc"))
        #expect(!source.isUnchanged())
        #expect(throws: Failure.any(.documentGone)) { try files.open(place("Gone"), asPackage: false) }
    }

    @Test func onlyMissingChunksAreSent() throws {
        let old = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 / 400) }
        files.write(old, at: path("Old"))
        var new = old
        new[50_000] = 255
        files.write(new, at: path("New"))
        let source = try files.open(place("New"), asPackage: false)
        let (arrival, sent) = try send(source, .chunks, to: place("Old"), basis: [place("Old")])
        #expect(sent == 16 * 1024)
        #expect(arrival.expected == 16 * 1024)
        #expect(try arrival.hash() == source.head.hash)
    }

    @Test func lostArrivalIsReused() throws {
        let content = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 / 400) }
        files.write(content, at: letter)
        for form in [DocumentForm.whole, .chunks] {
            let source = try files.open(place, asPackage: false)
            let (lost, _) = try send(source, form, to: place("Copy"), upTo: 40_000)
            #expect(throws: Failure.any(.malformed)) { try lost.hash() }
            let (arrival, sent) = try send(source, .chunks, to: place("Copy"), left: lost)
            #expect(sent < 70_000)
            #expect(try arrival.hash() == source.head.hash)
            lost.discard()
            arrival.discard()
        }
        #expect(files.arrivals == 0)
    }

    @Test func contentThatContradictsItsListIsRejected() throws {
        files.write(bytes("abc"), at: letter)
        let list = try files.open(place, asPackage: false).chunks()
        let arrival = try files.begin(.chunks(list), for: place, basis: [], left: nil)
        #expect(throws: Failure.any(.malformed)) { try arrival.append(bytes("abd")) }
        let second = try files.begin(.whole(size: 2), for: place, basis: [], left: nil)
        #expect(throws: Failure.any(.malformed)) { try second.append(bytes("abc")) }
    }

    @Test func onlyMissingPackageMembersAreSent() throws {
        files.write(bytes("text"), at: path("New.textbundle/text.md"))
        files.write(bytes("picture"), at: path("New.textbundle/assets/picture.png"))
        files.makeLink(at: path("New.textbundle/link"), to: "text.md")
        files.write(bytes("picture"), at: path("Old.textbundle/picture.png"))
        let source = try files.open(place("New.textbundle"), asPackage: true)
        let (arrival, sent) = try send(
            source, .members, to: place("Old.textbundle"), basis: [place("Old.textbundle")])
        #expect(sent == 4)
        #expect(try arrival.hash() == source.hash())
        try arrival.sync(modified: source.head.modified, mode: source.head.mode)
        let old = try look(place("Old.textbundle"), asPackage: true)
        guard case .placed(_, let found) = try arrival.place(order(place("Old.textbundle"), replaces: old.version))
        else { return #expect(Bool(false)) }
        #expect(found.hash == source.head.hash)
        #expect(files.bytes(at: path("Old.textbundle/assets/picture.png")) == bytes("picture"))
        #expect(files.bytes(at: path("Old.textbundle/picture.png")) == nil)
    }

    // MARK: Placing

    private func arrival(_ content: String, for place: DocumentLocation) throws -> any DocumentArrival {
        let arrival = try files.begin(
            .whole(size: UInt64(content.utf8.count)), for: place, basis: [], left: nil)
        try arrival.append(bytes(content))
        try arrival.sync(modified: FileTime(nanoseconds: 77), mode: 0o640)
        return arrival
    }

    @Test func replacedDocumentIsKept() throws {
        files.write(bytes("old"), at: letter)
        let old = try look(place)
        let outcome = try arrival("new", for: place).place(
            order(place, replaces: old.version, copy: "Letter (Desk).txt"))
        guard case .placed(letter, let found) = outcome else { return #expect(Bool(false)) }
        #expect(found.version.modified == FileTime(nanoseconds: 77))
        #expect(found.version.mode == old.version.mode)
        #expect(found.version.file != old.version.file)
        #expect(files.bytes(at: letter) == bytes("new"))
        #expect(files.bytes(at: path("Letter (Desk).txt")) == bytes("old"))
        let versions = try files.versions()
        #expect(versions.map(\.path) == [letter])
        // It can be restored, and the file there is then kept.
        #expect(try files.restore(versions[0].id, at: now)?.path == letter)
        #expect(files.bytes(at: letter) == bytes("old"))
        #expect(try files.versions().count == 1)
        #expect(files.arrivals == 0)
    }

    @Test func changedDocumentIsNotReplaced() throws {
        files.write(bytes("old"), at: letter)
        let old = try look(place)
        let arrival = try arrival("new", for: place)
        files.beforePlace { $0.write(Array("other".utf8), at: self.letter, keepsNumber: true) }
        #expect(try arrival.place(order(place, replaces: old.version)) == .changedMeanwhile)
        #expect(files.bytes(at: letter) == bytes("other"))
        // The arrival is still available.
        let other = try look(place)
        files.write([], at: path("Taken"))
        #expect(try arrival.place(order(place, replaces: other.version, copy: "Taken")) == .changedMeanwhile)
        guard case .placed = try arrival.place(order(place, replaces: other.version)) else {
            return #expect(Bool(false))
        }
        #expect(files.bytes(at: letter) == bytes("new"))
    }

    @Test func noSecondNameIsCreatedInAnotherUnicodeForm() throws {
        files.write(bytes("old"), at: path("Cafe\u{301}.txt"))
        let arrival = try arrival("new", for: place("Caf\u{E9}.txt"))
        #expect(try arrival.place(order(place("Caf\u{E9}.txt"))) == .changedMeanwhile)
        #expect(files.files(below: Fixture.folder).count == 1)
    }

    @Test func readOnlyFolderRejectsDocuments() throws {
        files.setStorage(DocumentStorage(name: "iso9660", readOnly: "read-only file system"), of: Fixture.folder)
        #expect(try files.storage(of: Fixture.folder, creating: true).readOnly != nil)
        #expect(throws: Failure.any(.documentNotPlaced)) { try arrival("new", for: place) }
    }

    @Test func aCopyGoesAfterItsTime() throws {
        let copy = DocumentLocation.received(Fixture.continuation, name: Fixture.path)
        guard case .placed(let path, _) = try arrival("new", for: copy).place(order(copy)) else {
            return #expect(Bool(false))
        }
        #expect(try arrival("other", for: copy).place(order(copy)) == .changedMeanwhile)
        _ = files.removeExpired(at: now.advanced(by: DocumentLimits().keepReceived))
        #expect(files.bytes(at: path) == bytes("new"))
        _ = files.removeExpired(at: now.advanced(by: DocumentLimits().keepReceived + .seconds(1)))
        #expect(files.bytes(at: path) == nil)
    }

    @Test func versionsGoAfterTheirTimeAndBeyondTheirRoom() throws {
        var limits = DocumentLimits()
        limits.versionBytes = 7
        let files = MemoryDocumentFiles(limits: limits)
        for number in 1...3 {
            files.write(bytes("old \(number)"), at: letter)
            guard case .found(let old) = try files.look(at: place, asPackage: false, hashing: 0) else { return }
            let arrival = try files.begin(.whole(size: 0), for: place, basis: [], left: nil)
            _ = try arrival.place(order(place, replaces: old.version, version: UInt8(number)))
        }
        #expect(try files.versions().map(\.id) == [id(3)])
        _ = files.removeExpired(at: now.advanced(by: limits.keepVersions + .seconds(1)))
        #expect(try files.versions().isEmpty)
    }

    @Test func callsFailAsTheyAreTold() throws {
        files.write(bytes("abc"), at: letter)
        files.fail(.look, after: 1, with: Failure(.internal, "EIO"))
        _ = try look(place)
        #expect(throws: Failure.any(.internal)) { try look(place) }
        _ = try look(place)
        #expect(files.calls(of: .look) == 3)
        files.fail(.place, with: Failure(.documentNotPlaced, "no room"))
        let arrival = try arrival("new", for: place)
        #expect(throws: Failure.any(.documentNotPlaced)) { try arrival.place(order(place)) }
        files.readSlowly(2)
        let source = try files.open(place, asPackage: false)
        try source.select(nil)
        #expect(try source.next(10) == bytes("ab"))
    }
}
