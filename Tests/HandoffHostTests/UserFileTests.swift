// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffSystem
import Testing

/// Shows Q08.
@Suite struct UserFileTests {
    private let folder = TemporaryDirectory()

    private func change(_ name: String, to text: String) throws {
        let written = Result<[UInt8]?, Never>.success(Array(text.utf8))
        _ = try UserFile(path: folder.path(name)).change(limit: 100) { _ in written }
    }

    // Shows Q08.
    @Test func aSettingsFileKeepsItsModeAndAttributes() throws {
        let path = try folder.file("config.json", "old", mode: 0o640)
        try ExtendedAttribute.set("user.note", Array("mine".utf8), on: path)
        try change("config.json", to: "new")
        #expect(folder.text("config.json") == "new")
        #expect(folder.mode("config.json") == 0o640)
        #expect(ExtendedAttribute.get("user.note", of: path) == Array("mine".utf8))
        try change("new.json", to: "{}")
        #expect(folder.mode("new.json") == 0o600)
    }
}
