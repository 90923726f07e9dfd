// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffWire
import Testing

@testable import HandoffHost

/// The file system of a container.
@Suite struct DocumentStorageTests {
    @Test func theFolderIsMadeWhereItIsMissing() throws {
        let desk = try DocumentDesk()
        let folder = try AbsolutePath(desk.home.path("share/containers/iCloud.com.example/Documents"))
        let storage = try desk.files.storage(of: folder)
        #expect(storage.readOnly == nil)
        #expect(!storage.isShared)
        #expect(desk.home.mode("share/containers/iCloud.com.example/Documents") == 0o700)
        #expect(try desk.files.storage(of: folder) == storage)
    }

    @Test func memoryIsTmpfs() throws {
        let memory = TemporaryDirectory(in: "/dev/shm")
        let desk = try DocumentDesk(folder: memory.path)
        #expect(try desk.files.storage(of: desk.folder) == DocumentStorage(name: "tmpfs"))
    }

    @Test func onlyFoldersHaveStorage() throws {
        let desk = try DocumentDesk()
        let file = try desk.write("", to: "file")
        for path in [file, file + "/inner", "/proc/none"] {
            let failure = failure { _ = try desk.files.storage(of: try AbsolutePath(path)) }
            #expect(failure?.code == .documentNotPlaced, "\(path)")
        }
    }

    @Test func anUnknownKindIsNamedByItsNumber() throws {
        let desk = try DocumentDesk()
        #expect(try desk.files.storage(of: try AbsolutePath("/proc/self")).name == "0x9fa0")
    }
}
