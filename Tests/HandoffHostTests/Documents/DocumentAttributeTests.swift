// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffSystem
import HandoffTrust
import HandoffWire
import Testing

@testable import HandoffHost

/// Group, access control list and extended attributes of a document that another device replaces. Shows Q08.
@Suite struct DocumentAttributeTests {
    private static let list = "system.posix_acl_access"

    /// A document whose attributes its user has set. `group`: root may set any.
    private func prepare(_ fixture: DiskFixture, _ path: String, group: gid_t?) throws {
        let file = try fixture.write("old", to: path)
        try #require(chmod(file, 0o640) == 0)
        if let group { try #require(chown(file, uid_t.max, group) == 0) }
        try ExtendedAttribute.set("user.xdg.tags", Array("taxes".utf8), on: file)
        try ExtendedAttribute.set(Self.list, AccessList.letting(user: 65534, read: true), on: file)
    }

    private func check(_ file: String, group: gid_t?) throws {
        #expect(ExtendedAttribute.get("user.xdg.tags", of: file) == Array("taxes".utf8))
        #expect(ExtendedAttribute.get(Self.list, of: file) == AccessList.letting(user: 65534, read: true))
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.posixPermissions] as? Int == 0o640)
        if let group { #expect(attributes[.groupOwnerAccountID] as? Int == Int(group)) }
    }

    private func receive(_ fixture: DiskFixture, _ path: String) throws {
        try fixture.receive([7], as: path)
        #expect(fixture.bytes(path) == [7])
    }

    // Shows Q08.
    @Test func aDocumentKeepsTheAttributesOfTheReplacedDocument() throws {
        let group: gid_t? = geteuid() == 0 ? 12 : nil
        let fixture = try DiskFixture()
        try prepare(fixture, "ann.txt", group: group)
        try receive(fixture, "ann.txt")
        try check(fixture.path("ann.txt"), group: group)
    }

    // Shows Q08.
    @Test(.needs(.ext4), arguments: [SmallDisk.Kind.ext4, .xfs, .btrfs].filter { SmallDisk($0) != nil })
    func attributesAreKeptOnAnotherFileSystem(kind: SmallDisk.Kind) throws {
        let disk = try #require(SmallDisk(kind))
        let fixture = try DiskFixture(folder: disk.path)
        try prepare(fixture, "ann.txt", group: 12)
        try receive(fixture, "ann.txt")
        try check(fixture.path("ann.txt"), group: 12)
        // Its versions are on another file system, so this one is a copy.
        let version = try #require(try fixture.files.versions().first)
        _ = try fixture.files.restore(version.id, at: DiskFixture.noon)
        #expect(fixture.text("ann.txt") == "old")
        try check(fixture.path("ann.txt"), group: 12)
    }

    // Shows Q08.
    @Test func aMemberOfAPackageKeepsThemToo() throws {
        let fixture = try DiskFixture()
        try prepare(fixture, "Book/pages/1", group: nil)
        try ExtendedAttribute.set("user.colour", [1], on: fixture.path("Book"))
        let page = PackageManifest.Content.file(size: 2, hash: FileDigest(of: [7, 7]), isExecutable: false)
        let manifest = try PackageManifest([
            .init(DocumentPath("pages"), .folder), .init(DocumentPath("pages/1"), page),
        ])
        let arrival = try fixture.files.begin(.members(manifest), for: try fixture.place("Book"), basis: [], left: nil)
        try arrival.append([7, 7])
        try fixture.finish(arrival, as: "Book", asPackage: true)
        #expect(fixture.bytes("Book/pages/1") == [7, 7])
        try check(fixture.path("Book/pages/1"), group: nil)
        #expect(ExtendedAttribute.get("user.colour", of: fixture.path("Book")) == [1])
    }

    /// Such a document is not replaced; this one is given to the group at the last moment.
    @Test(.enabled(if: geteuid() == 0, "needs root, who gives files to another group"))
    func aGroupThatCannotBeKeptGivesItsRightsToNoOther() throws {
        let fixture = try PlainUser.run {
            let fixture = try DiskFixture()
            try prepare(fixture, "ann.txt", group: nil)
            try #require(chmod(try fixture.write("old", to: "bob.txt"), 0o664) == 0)
            return fixture
        }
        for name in ["ann.txt", "bob.txt"] { try #require(chown(fixture.path(name), uid_t.max, 12) == 0) }
        try PlainUser.run {
            for (name, mode) in [("ann.txt", 0o640), ("bob.txt", 0o664)] as [(String, UInt32)] {
                let replaced = try OpenFile.open(fixture.path(name), O_RDONLY)
                let new = try OpenFile.open(fixture.path("new \(name)"), O_RDWR | O_CREAT)
                try new.keepAttributes(of: replaced, mode: mode)
            }
        }
        #expect(fixture.home.mode("Documents/new bob.txt") == 0o644)
        let list = try #require(ExtendedAttribute.get(Self.list, of: fixture.path("new ann.txt")))
        #expect(list == AccessList.letting(user: 65534, read: true, group: 0))
    }

    @Test func aFoldersAccessListIsNotAddedToAPlainDocument() throws {
        let fixture = try DiskFixture()
        let file = try fixture.write("old", to: "ann.txt")
        try #require(chmod(file, 0o600) == 0)
        try ExtendedAttribute.set(
            "system.posix_acl_default", AccessList.letting(user: 65534, read: true), on: fixture.folder.text)
        try receive(fixture, "ann.txt")
        #expect(ExtendedAttribute.get(Self.list, of: file) == nil)
        #expect(fixture.home.mode("Documents/ann.txt") == 0o600)
    }
}

/// Glibc's header hides these calls from Swift.
enum ExtendedAttribute {
    private typealias Set =
        @convention(c) (
            UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer, Int, CInt
        ) -> CInt
    private typealias Get =
        @convention(c) (
            UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer, Int
        ) -> Int

    static func set(_ name: String, _ value: [UInt8], on path: String) throws {
        let set = unsafeBitCast(try #require(dlsym(nil, "setxattr")), to: Set.self)
        try #require(set(path, name, value, value.count, 0) == 0, "\(name): \(String(cString: strerror(errno)))")
    }

    static func get(_ name: String, of path: String) -> [UInt8]? {
        guard let symbol = dlsym(nil, "getxattr") else { return nil }
        let get = unsafeBitCast(symbol, to: Get.self)
        var value = [UInt8](repeating: 0, count: 65536)
        let count = get(path, name, &value, value.count)
        return count < 0 ? nil : Array(value[..<count])
    }
}

/// As <linux/posix_acl_xattr.h> has it.
enum AccessList {
    /// For a file of mode 0640.
    static func letting(user: UInt32, read: Bool, group: UInt16 = 4) -> [UInt8] {
        var bytes: [UInt8] = [2, 0, 0, 0]
        func add(_ tag: UInt16, _ rights: UInt16, _ id: UInt32 = .max) {
            withUnsafeBytes(of: tag.littleEndian) { bytes += $0 }
            withUnsafeBytes(of: rights.littleEndian) { bytes += $0 }
            withUnsafeBytes(of: id.littleEndian) { bytes += $0 }
        }
        add(0x01, 6)
        add(0x02, read ? 4 : 0, user)
        add(0x04, group)
        add(0x10, 4)
        add(0x20, 0)
        return bytes
    }
}
