// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffWire
import Testing

@testable import HandoffHost

/// The file system of a container.
@Suite struct DocumentStorageTests {
    @Test func theFolderIsMadeWhereItIsMissing() throws {
        let fixture = try DiskFixture()
        let folder = try AbsolutePath(fixture.home.path("share/containers/iCloud.com.example/Documents"))
        let storage = try fixture.files.storage(of: folder, creating: true)
        #expect(storage.readOnly == nil)
        #expect(!storage.isShared)
        #expect(fixture.home.mode("share/containers/iCloud.com.example/Documents") == 0o700)
        #expect(try fixture.files.storage(of: folder, creating: true) == storage)
    }

    /// Shows B17. laurent22/joplin#961: the folder of a disk that is not mounted was made again, below its mount point.
    @Test func aMissingFolderOfADiskIsNotMade() throws {
        let fixture = try DiskFixture()
        let folder = try AbsolutePath(fixture.home.path("vault/Texts"))
        let failure = failure { _ = try fixture.files.storage(of: folder, creating: false) }
        #expect(failure?.code == .documentGone && failure?.reason.contains("is its disk mounted?") == true)
        #expect(!fixture.home.names().contains("vault"))
    }

    @Test func memoryIsTmpfs() throws {
        let memory = TemporaryDirectory(in: "/dev/shm")
        let fixture = try DiskFixture(folder: memory.path)
        #expect(try fixture.files.storage(of: fixture.folder, creating: true) == DocumentStorage(name: "tmpfs"))
    }

    @Test func onlyFoldersHaveStorage() throws {
        let fixture = try DiskFixture()
        let file = try fixture.write("", to: "file")
        for path in [file, file + "/inner", "/proc/none"] {
            let failure = failure { _ = try fixture.files.storage(of: try AbsolutePath(path), creating: true) }
            #expect(failure?.code == .documentNotPlaced, "\(path)")
        }
    }

    @Test func anUnknownKindIsNamedByItsNumber() throws {
        let fixture = try DiskFixture()
        #expect(try fixture.files.storage(of: try AbsolutePath("/proc/self"), creating: true).name == "0x9fa0")
    }
}
