// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffHost

/// Whether other machines have the files of a file system in user space.
@Suite struct MountTests {
    private func mount(_ type: String, _ source: String) throws -> Mount {
        try #require(Mount(line: "244 27 0:47 / /mnt rw,relatime shared:3 - \(type) \(source) rw,user_id=0".utf8))
    }

    // Shows Q08.
    @Test(arguments: [
        ("fuse", "/home/anna/Letters"), ("fuse", "bindfs"), ("fuse.bindfs", "/srv"), ("fuse.gocryptfs", "/home/a/c"),
        ("fuse.encfs", "encfs"), ("fuse.cryfs", "cryfs@/home/a/c"), ("fuseblk", "/dev/sdb1"),
        ("fuse.mergerfs", "/a:/b"), ("fuse.unknown", "unknown"),
    ])
    func localFileSystemsAreNotShared(type: String, source: String) throws {
        #expect(try !mount(type, source).isShared)
    }

    // Shows Q08.
    @Test(arguments: [
        ("fuse.sshfs", "anna@host:/home"), ("fuse.sshfs", "host:"), ("fuse.rclone", "drive:"),
        ("fuse.glusterfs", "server:/volume"), ("fuse.s3fs", "s3fs"), ("fuse", "mountpoint-s3"),
        ("fuse", "https://cloud.example/dav"), ("fuse", "sshfs"), ("fuse.gvfsd-fuse", "gvfsd-fuse"),
        ("virtiofs", "share"), ("fuse.anything", "host:/folder"), ("fuse.portal", "portal"),
    ]) func networkFileSystemsAreShared(type: String, source: String) throws {
        #expect(try mount(type, source).isShared)
    }

    @Test func spacesInASourceAreRead() throws {
        #expect(try mount("fuse", "/home/My\\040Letters").source == Array("/home/My Letters".utf8))
    }

    @Test(arguments: ["", "1 2 0:3 / /mnt rw", "1 2 0:3 / /mnt rw - fuse", "- -"])
    func damagedLinesAreNothing(line: String) { #expect(Mount(line: line.utf8) == nil) }

    // Shows Q08.
    @Test(.needs(.bindfs)) func documentTakesItsPlaceOnBindfs() throws { try check(.bindfs, "fuse") }
    // Shows Q08.
    @Test(.needs(.gocryptfs)) func documentTakesItsPlaceOnGocryptfs() throws { try check(.gocryptfs, "fuse.gocryptfs") }

    private func check(_ kind: SmallDisk.Kind, _ name: String) throws {
        let disk = try #require(SmallDisk(kind))
        let fixture = try DiskFixture(folder: disk.path)
        #expect(try fixture.files.storage(of: fixture.folder, creating: true) == DocumentStorage(name: name))
        try fixture.write("old", to: "ann.txt")
        try fixture.receive(Array("new".utf8), as: "ann.txt", conflictCopy: "ann (laptop).txt")
        try fixture.receive(Array("first".utf8), as: "bob.txt")
        #expect(fixture.text("ann.txt") == "new")
        #expect(fixture.text("ann (laptop).txt") == "old")
        #expect(fixture.text("bob.txt") == "first")
        #expect(fixture.names() == ["ann (laptop).txt", "ann.txt", "bob.txt"])
        let version = try #require(try fixture.files.versions().first)
        _ = try fixture.files.restore(version.id, at: DiskFixture.noon)
        #expect(fixture.text("ann.txt") == "old")
    }
}
