// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffWire
import Testing

@testable import HandoffHost

/// Documents that are not this user's alone: of another user or group, or with hard links.
@Suite struct SharedDocumentTests {
    private static let someone: uid_t = 65534
    private static let other: uid_t = 1

    /// In a folder that the group of `PlainUser` may write to.
    private func share(_ desk: DocumentDesk, _ path: String, user: uid_t, group: gid_t, mode: mode_t = 0o664) throws {
        try #require(chown(desk.folder.text, 0, Self.someone) == 0 && chmod(desk.folder.text, 0o2775) == 0)
        try #require(chown(desk.path(path), user, group) == 0 && chmod(desk.path(path), mode) == 0)
    }

    private struct Identity: Hashable {
        let inode, user, group, mode: Int
    }

    private func identity(_ path: String) throws -> Identity {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        func number(_ key: FileAttributeKey) throws -> Int { try #require(attributes[key] as? Int) }
        return Identity(
            inode: try number(.systemFileNumber), user: try number(.ownerAccountID),
            group: try number(.groupOwnerAccountID), mode: try number(.posixPermissions))
    }

    private func hold(_ desk: DocumentDesk, _ path: String, asPackage: Bool = false) throws -> DocumentHold? {
        desk.files.hold(at: try desk.place(path), asPackage: asPackage)
    }

    private func check(_ desk: DocumentDesk, _ expected: DocumentHold) throws {
        let before = try identity(desk.path("letter.txt"))
        #expect(try hold(desk, "letter.txt") == expected)
        #expect(try desk.receive(Array("new".utf8), as: "letter.txt") == .changedMeanwhile)
        #expect(desk.text("letter.txt") == "old")
        #expect(try identity(desk.path("letter.txt")) == before)
        #expect(desk.leftovers() == [])
    }

    // Shows Q08.
    @Test(.enabled(if: geteuid() == 0, "needs root, who gives files to other users"))
    func documentOfAnotherUserStaysTheirs() throws {
        let desk = try PlainUser.run { try DocumentDesk() }
        try desk.write("old", to: "letter.txt")
        try share(desk, "letter.txt", user: Self.other, group: Self.someone)
        try PlainUser.run { try check(desk, .user(userName(Self.other))) }
    }

    // Shows Q08.
    @Test(.enabled(if: geteuid() == 0, "needs root, who gives files to other groups"))
    func documentOfAGroupThatTheUserIsNotInStaysTheGroups() throws {
        let desk = try PlainUser.run { try DocumentDesk() }
        try desk.write("old", to: "letter.txt")
        try share(desk, "letter.txt", user: Self.someone, group: 12)
        try PlainUser.run { try check(desk, .group(groupName(12))) }
    }

    /// New files in such a folder get its group.
    // Shows Q08.
    @Test(.enabled(if: geteuid() == 0, "needs root, who gives files to other groups"))
    func documentOfTheGroupOfItsFolderIsReplaced() throws {
        let desk = try PlainUser.run { try DocumentDesk() }
        try desk.write("old", to: "letter.txt")
        try share(desk, "letter.txt", user: Self.someone, group: 12)
        try #require(chown(desk.folder.text, Self.someone, 12) == 0 && chmod(desk.folder.text, 0o2775) == 0)
        _ = try PlainUser.run { try desk.receive(Array("new".utf8), as: "letter.txt") }
        #expect(desk.text("letter.txt") == "new")
        #expect(try identity(desk.path("letter.txt")).group == 12)
    }

    // Shows Q08.
    @Test(.enabled(if: geteuid() == 0, "needs root, who gives files to other users"))
    func packageWithAMemberOfAnotherUserStays() throws {
        let desk = try PlainUser.run { try DocumentDesk() }
        _ = try PlainUser.run { try desk.write("page", to: "Book/pages/1") }
        #expect(try PlainUser.run { try hold(desk, "Book", asPackage: true) } == nil)
        try share(desk, "Book/pages/1", user: Self.other, group: Self.someone)
        #expect(try PlainUser.run { try hold(desk, "Book", asPackage: true) } == .user(userName(Self.other)))
    }

    // Shows Q08.
    @Test func documentWithAnotherNameStaysOneFile() throws {
        let desk = try DocumentDesk()
        try desk.write("old", to: "letter.txt")
        let other = desk.home.path("linked.txt")
        try FileManager.default.linkItem(atPath: desk.path("letter.txt"), toPath: other)
        try check(desk, .links)
        #expect(try identity(other) == identity(desk.path("letter.txt")))
        try FileManager.default.removeItem(atPath: other)
        try desk.receive(Array("new".utf8), as: "letter.txt")
        #expect(desk.text("letter.txt") == "new")
    }

    /// A crash before the new version took its place leaves the kept one as a further name of the same file.
    // Shows Q08.
    @Test func versionThatIsTheSameFileIsNotAnotherName() throws {
        let desk = try DocumentDesk()
        // Makes the folder of versions.
        for text in ["1", "2"] { try desk.receive(Array(text.utf8), as: "other.txt") }
        try desk.write("old", to: "letter.txt")
        var randomness = SystemRandomNumberGenerator()
        let folder = desk.state + "/versions/\(VersionID.random(using: &randomness).hex)/document"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.linkItem(atPath: desk.path("letter.txt"), toPath: folder + "/letter.txt")
        #expect(try hold(desk, "letter.txt") == nil)
        try desk.receive(Array("new".utf8), as: "letter.txt")
        #expect(desk.text("letter.txt") == "new")
    }

    // Shows Q08.
    @Test func versionIsNotRestoredOverADocumentWithAnotherName() throws {
        let desk = try DocumentDesk()
        try desk.write("old", to: "letter.txt")
        try desk.receive(Array("new".utf8), as: "letter.txt")
        try FileManager.default.linkItem(atPath: desk.path("letter.txt"), toPath: desk.home.path("linked.txt"))
        let version = try #require(try desk.files.versions().first)
        let failure = failure { _ = try desk.files.restore(version.id, at: DocumentDesk.noon) }
        #expect(failure?.code == .documentNotPlaced)
        #expect(failure?.reason.contains("copy the kept version over it instead") == true)
        #expect(desk.text("letter.txt") == "new")
        #expect(try desk.files.versions().map(\.id) == [version.id])
    }

    private func userName(_ user: uid_t) -> String {
        getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "\(user)"
    }

    private func groupName(_ group: gid_t) -> String {
        getgrgid(group).map { String(cString: $0.pointee.gr_name) } ?? "\(group)"
    }
}
