// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

@Suite struct ContainerBookTests {
    private static let letters = try! ContainerID("iCloud.com.example.letters")
    private static let drafts = try! ContainerID("iCloud.com.example.drafts")
    private static let anna = Team.personal(AccountID(uncheckedBytes: Array(repeating: 7, count: 32)))
    private static let makers = Team.made("LETTERS123")

    private let home = try! AbsolutePath("/home/anna")
    private var book: ContainerBook

    init() throws {
        book = ContainerBook(home: try AbsolutePath("/home/anna/.local/share/handoff/containers"))
        _ = try book.use(Self.letters, by: Self.makers)
    }

    private func path(_ text: String) -> AbsolutePath { try! AbsolutePath(text) }

    private func folder(_ text: String) -> FolderFacts {
        FolderFacts(isFolder: true, isOwn: true, realPath: path(text), home: home)
    }

    private let apart = [
        "/home/anna/.local/state/handoff", "/home/anna/.config/handoff", "/home/anna/.local/share/handoff/apps",
        "/run/user/1000/handoff",
    ].map { try! AbsolutePath($0) }

    private mutating func map(
        _ container: ContainerID = letters, to text: String, _ facts: FolderFacts? = nil
    ) throws(Failure) {
        try book.map(container, to: path(text), facts: facts ?? folder(text), apart: apart)
    }

    private mutating func refusal(to text: String, _ facts: FolderFacts? = nil) -> Failure? {
        do throws(Failure) {
            try map(to: text, facts)
            return nil
        } catch {
            return error
        }
    }

    // MARK: Ownership

    @Test mutating func aContainerIsOfTheTeamThatUsesItFirst() throws {
        #expect(try book.use(Self.drafts, by: Self.anna))
        #expect(try !book.use(Self.drafts, by: Self.anna))
        #expect(book.entry(of: Self.drafts) == ContainerEntry(container: Self.drafts, team: Self.anna))
        #expect(book.entries.map(\.container) == [Self.drafts, Self.letters])
    }

    @Test mutating func anotherTeamIsRefusedWithAReason() throws {
        let failure = #expect(throws: Failure(.notAllowed, "")) { try book.use(Self.letters, by: Self.anna) }
        #expect(
            failure?.reason == """
                the container iCloud.com.example.letters belongs to team LETTERS123 (key 0101 0101) on this device, not to \
                your personal team; once no app of the first is installed, run: handoff folder unmap \
                iCloud.com.example.letters
                """)
        // An equal Team ID does not make the same team.
        #expect(throws: Failure(.notAllowed, "")) {
            try book.use(Self.letters, by: .made("LETTERS123", key: 2))
        }
        // Nor is the personal team of another account.
        _ = try book.use(Self.drafts, by: Self.anna)
        let other = Team.personal(AccountID(uncheckedBytes: Array(repeating: 8, count: 32)))
        #expect(throws: Failure(.notAllowed, "")) { try book.use(Self.drafts, by: other) }
    }

    @Test mutating func aDeviceHasAtMostSoManyContainers() throws {
        for number in 1..<ContainerBook.most { _ = try book.use(ContainerID("c\(number)"), by: Self.makers) }
        #expect(throws: Failure(.limitReached, "")) { try book.use(Self.drafts, by: Self.makers) }
        #expect(try !book.use(Self.letters, by: Self.makers))
    }

    // MARK: The folder

    @Test func everyContainerHasAFolderOfItsName() {
        let folder = "/home/anna/.local/share/handoff/containers/iCloud.com.example.letters"
        #expect(book.path(of: Self.letters) == path(folder))
    }

    @Test mutating func aMappedContainerUsesTheResolvedFolder() throws {
        try map(to: "/home/anna/Letters", folder("/home/anna/Sync/Letters"))
        #expect(book.path(of: Self.letters) == path("/home/anna/Sync/Letters"))
        try map(to: "/home/anna/Post")
        #expect(book.path(of: Self.letters) == path("/home/anna/Post"))
        #expect(book.entries.count == 1)
    }

    @Test mutating func unusedContainerCannotBeMapped() {
        #expect(throws: Failure(.noApp, "")) { try map(Self.drafts, to: "/home/anna/Drafts") }
    }

    // MARK: Excluded folders

    @Test mutating func aFolderThatIsMissingIsRefusedWithAdvice() {
        let missing = FolderFacts(isFolder: false, isOwn: false, realPath: nil, home: home)
        let failure = refusal(to: "/home/anna/My Letters", missing)
        #expect(failure?.code == .documentGone)
        #expect(
            failure?.reason
                == "the folder /home/anna/My Letters does not exist; create it first: mkdir -p '/home/anna/My Letters'")
    }

    @Test mutating func aFileIsRefused() {
        let file = FolderFacts(isFolder: false, isOwn: true, realPath: path("/home/anna/note"), home: home)
        #expect(refusal(to: "/home/anna/note", file)?.reason == "/home/anna/note is not a folder")
    }

    @Test mutating func anotherUsersFolderIsRefused() {
        let theirs = FolderFacts(isFolder: true, isOwn: false, realPath: path("/srv/post"), home: home)
        #expect(refusal(to: "/srv/post", theirs)?.reason == "/srv/post belongs to another user")
    }

    @Test mutating func theWholeSystemIsRefusedAlsoByALink() {
        #expect(refusal(to: "/")?.reason.hasPrefix("the whole system cannot be") == true)
        #expect(refusal(to: "/home/anna/all", folder("/"))?.reason.hasPrefix("the whole system cannot be") == true)
    }

    @Test(arguments: ["/home/anna", "/home"]) mutating func theHomeFolderIsRefusedAndWhatHoldsIt(text: String) {
        #expect(refusal(to: text)?.reason.hasPrefix("your whole home folder cannot be") == true)
    }

    @Test mutating func aFolderBesideTheHomeFolderIsTaken() throws {
        // Its name begins with that of the home folder.
        try map(to: "/home/anna2/Letters")
        // Without a home folder, there is nothing to protect.
        try map(
            to: "/srv", FolderFacts(isFolder: true, isOwn: true, realPath: path("/srv"), home: nil))
    }

    @Test(arguments: [
        ("/home/anna/.local/state/handoff", "is"), ("/home/anna/.local/state/handoff/versions", "is in"),
        ("/home/anna/.local/state", "holds"), ("/home/anna/.config/handoff", "is"),
        ("/home/anna/.local/share/handoff/apps/Letters.app", "is in"), ("/run/user/1000", "holds"),
    ]) mutating func handoffsOwnFolderIsRejected(text: String, relation: String) {
        let failure = refusal(to: text)
        #expect(failure?.code == .notAllowed)
        #expect(failure?.reason.hasPrefix("\(text) \(relation) /") == true, "\(String(describing: failure?.reason))")
        #expect(failure?.reason.hasSuffix(", where Handoff keeps other things") == true)
    }

    /// With a path component that a document cannot have.
    @Test mutating func handoffsOwnFolderIsRejectedUnderAnyName() {
        let folder = path("/home/anna/.handoff-test/state")
        let facts = self.folder("/home/anna/.handoff-test/state/versions")
        #expect(throws: Failure(.notAllowed, "")) {
            try book.map(Self.letters, to: facts.realPath ?? folder, facts: facts, apart: [folder])
        }
    }

    @Test(arguments: ["", "/iCloud.com.example.letters", "/iCloud.com.example.other/Documents"])
    mutating func theFolderOfContainersThatAreNotMappedIsRefused(rest: String) {
        #expect(refusal(to: "\(book.home)\(rest)")?.reason.hasSuffix("containers that are not mapped") == true)
        #expect(refusal(to: "/home/anna/.local/share")?.code == .notAllowed)
    }

    @Test(arguments: [
        ("/home/anna/Sync/Letters", "is"), ("/home/anna/Sync/Letters/old", "is in"), ("/home/anna/Sync", "holds"),
    ]) mutating func oneContainerDoesNotLieInAnother(text: String, relation: String) throws {
        _ = try book.use(Self.drafts, by: Self.anna)
        try map(Self.drafts, to: "/home/anna/Sync/Letters")
        let failure = refusal(to: text)
        #expect(
            failure?.reason
                == "\(text) \(relation) /home/anna/Sync/Letters, the folder of the container iCloud.com.example.drafts")
        // A container may be moved within its own folder.
        try map(Self.drafts, to: text)
        #expect(refusal(to: "/home/anna/Sync2") == nil)
    }

    @Test mutating func aRefusalChangesNothing() throws {
        try map(to: "/home/anna/Letters")
        let before = book
        _ = refusal(to: "/")
        #expect(book == before)
    }

    // MARK: Unmapping

    @Test mutating func anUnmappedContainerReturnsToItsFirstFolder() throws {
        let first = book.path(of: Self.letters)
        try map(to: "/home/anna/Letters")
        try book.unmap(Self.letters, isInUse: true)
        #expect(book.path(of: Self.letters) == first)
        #expect(book.entry(of: Self.letters)?.team == Self.makers)
        let failure = #expect(throws: Failure(.notAllowed, "")) { try book.unmap(Self.letters, isInUse: true) }
        #expect(failure?.reason.contains("is not mapped, and an app of team LETTERS123") == true)
    }

    @Test mutating func containerIsUnownedOnceItsAppsAreRemoved() throws {
        try map(to: "/home/anna/Letters")
        try book.unmap(Self.letters, isInUse: false)
        #expect(book.entries.isEmpty)
        #expect(try book.use(Self.letters, by: Self.anna))
        #expect(throws: Failure(.noApp, "")) { try book.unmap(Self.drafts, isInUse: false) }
    }

    // MARK: On disk

    @Test mutating func itIsReadAsItWasWritten() throws {
        _ = try book.use(Self.drafts, by: Self.anna)
        try map(to: "/home/anna/Letters")
        let read = try [ContainerEntry](encoded: book.entries.encoded())
        #expect(ContainerBook(home: book.home, entries: read) == book)
    }
}
