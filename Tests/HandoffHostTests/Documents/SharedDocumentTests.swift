// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffWire
import Testing

@testable import HandoffHost

/// Documents that are not this user's alone: of another user or group, or with hard links. Shows Q08.
@Suite struct SharedDocumentTests {
    private static let someone: uid_t = 65534
    private static let other: uid_t = 1

    /// In a folder that the group of `PlainUser` may write to.
    private func share(_ fixture: DiskFixture, _ path: String, user: uid_t, group: gid_t, mode: mode_t = 0o664) throws {
        try #require(chown(fixture.folder.text, 0, Self.someone) == 0 && chmod(fixture.folder.text, 0o2775) == 0)
        try #require(chown(fixture.path(path), user, group) == 0 && chmod(fixture.path(path), mode) == 0)
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

    private func hold(_ fixture: DiskFixture, _ path: String, asPackage: Bool = false) throws -> DocumentHold? {
        fixture.files.hold(at: try fixture.place(path), asPackage: asPackage)
    }

    private func check(_ fixture: DiskFixture, _ expected: DocumentHold) throws {
        let before = try identity(fixture.path("letter.txt"))
        #expect(try hold(fixture, "letter.txt") == expected)
        #expect(try fixture.receive(Array("new".utf8), as: "letter.txt") == .changedMeanwhile)
        #expect(fixture.text("letter.txt") == "old")
        #expect(try identity(fixture.path("letter.txt")) == before)
        #expect(fixture.leftovers() == [])
    }

    // Shows Q08.
    @Test(.enabled(if: geteuid() == 0, "needs root, who gives files to other users"))
    func documentOfAnotherUserStaysTheirs() throws {
        let fixture = try PlainUser.run { try DiskFixture() }
        try fixture.write("old", to: "letter.txt")
        try share(fixture, "letter.txt", user: Self.other, group: Self.someone)
        try PlainUser.run { try check(fixture, .user(userName(Self.other))) }
    }

    // Shows Q08.
    @Test(.enabled(if: geteuid() == 0, "needs root, who gives files to other groups"))
    func documentOfAGroupThatTheUserIsNotInStaysTheGroups() throws {
        let fixture = try PlainUser.run { try DiskFixture() }
        try fixture.write("old", to: "letter.txt")
        try share(fixture, "letter.txt", user: Self.someone, group: 12)
        try PlainUser.run { try check(fixture, .group(groupName(12))) }
    }

    /// New files in such a folder get its group.
    // Shows Q08.
    @Test(.enabled(if: geteuid() == 0, "needs root, who gives files to other groups"))
    func documentOfTheGroupOfItsFolderIsReplaced() throws {
        let fixture = try PlainUser.run { try DiskFixture() }
        try fixture.write("old", to: "letter.txt")
        try share(fixture, "letter.txt", user: Self.someone, group: 12)
        try #require(chown(fixture.folder.text, Self.someone, 12) == 0 && chmod(fixture.folder.text, 0o2775) == 0)
        _ = try PlainUser.run { try fixture.receive(Array("new".utf8), as: "letter.txt") }
        #expect(fixture.text("letter.txt") == "new")
        #expect(try identity(fixture.path("letter.txt")).group == 12)
    }

    // Shows Q08.
    @Test(.enabled(if: geteuid() == 0, "needs root, who gives files to other users"))
    func packageWithAMemberOfAnotherUserStays() throws {
        let fixture = try PlainUser.run { try DiskFixture() }
        _ = try PlainUser.run { try fixture.write("page", to: "Book/pages/1") }
        #expect(try PlainUser.run { try hold(fixture, "Book", asPackage: true) } == nil)
        try share(fixture, "Book/pages/1", user: Self.other, group: Self.someone)
        #expect(try PlainUser.run { try hold(fixture, "Book", asPackage: true) } == .user(userName(Self.other)))
    }

    // Shows Q08.
    @Test func documentWithAnotherNameStaysOneFile() throws {
        let fixture = try DiskFixture()
        try fixture.write("old", to: "letter.txt")
        let other = fixture.home.path("linked.txt")
        try FileManager.default.linkItem(atPath: fixture.path("letter.txt"), toPath: other)
        try check(fixture, .links)
        #expect(try identity(other) == identity(fixture.path("letter.txt")))
        try FileManager.default.removeItem(atPath: other)
        try fixture.receive(Array("new".utf8), as: "letter.txt")
        #expect(fixture.text("letter.txt") == "new")
    }

    /// A crash before the new version took its place leaves the kept one as a further name of the same file.
    // Shows Q08.
    @Test func versionThatIsTheSameFileIsNotAnotherName() throws {
        let fixture = try DiskFixture()
        // Makes the folder of versions.
        for text in ["1", "2"] { try fixture.receive(Array(text.utf8), as: "other.txt") }
        try fixture.write("old", to: "letter.txt")
        var randomness = SystemRandomNumberGenerator()
        let folder = fixture.state + "/versions/\(VersionID.random(using: &randomness).hex)/document"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.linkItem(atPath: fixture.path("letter.txt"), toPath: folder + "/letter.txt")
        #expect(try hold(fixture, "letter.txt") == nil)
        try fixture.receive(Array("new".utf8), as: "letter.txt")
        #expect(fixture.text("letter.txt") == "new")
    }

    // Shows Q08.
    @Test func versionIsNotRestoredOverADocumentWithAnotherName() throws {
        let fixture = try DiskFixture()
        try fixture.write("old", to: "letter.txt")
        try fixture.receive(Array("new".utf8), as: "letter.txt")
        try FileManager.default.linkItem(atPath: fixture.path("letter.txt"), toPath: fixture.home.path("linked.txt"))
        let version = try #require(try fixture.files.versions().first)
        let failure = failure { _ = try fixture.files.restore(version.id, at: DiskFixture.noon) }
        #expect(failure?.code == .documentNotPlaced)
        #expect(failure?.reason.contains("copy the kept version over it instead") == true)
        #expect(fixture.text("letter.txt") == "new")
        #expect(try fixture.files.versions().map(\.id) == [version.id])
    }

    private func userName(_ user: uid_t) -> String {
        getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "\(user)"
    }

    private func groupName(_ group: gid_t) -> String {
        getgrgid(group).map { String(cString: $0.pointee.gr_name) } ?? "\(group)"
    }
}
