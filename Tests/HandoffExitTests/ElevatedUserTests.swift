// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffSystem
import Testing

/// A user who runs a command with sudo keeps their own HOME with `sudo -E`, and on some systems always.
@Suite struct ElevatedUserTests {
    @Test(
        .enabled(if: geteuid() == 0, "only root writes into another user's folder"),
        arguments: ["home", "home/config"])
    func rootLeavesNoFileInTheFolderOfWhoRanSudo(folder: String) async throws {
        var template = Array("/tmp/handoff-sudo-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        let place = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        defer { try? FileManager.default.removeItem(atPath: place) }
        for made in ["/home", "/" + folder] where mkdir(place + made, 0o700) == 0 {
            try #require(chown(place + made, 4711, 4711) == 0)
        }
        let home = place + "/home"
        await #expect(processExitsWith: .success) { [home = home as String] in
            setenv("SUDO_UID", "4711", 1)
            let file = UserFile(path: home + "/config/config.json")
            let refused = #expect(throws: SystemError.self) {
                _ = try file.change(limit: 100) { _ in Result<[UInt8]?, SystemError>.success(Array("{}".utf8)) }
            }
            #expect(refused?.code == EPERM && refused?.explanation?.contains("without sudo") == true)
            #expect(throws: SystemError.self) { _ = try PrivateFolder.make(home + "/state") }
            #expect(!(home + "/config/config.json").isThere && !(home + "/state").isThere)
            // After su, which says nothing of the user.
            unsetenv("SUDO_UID")
            setenv("XDG_RUNTIME_DIR", home + "/", 1)
            let inSession = #expect(throws: SystemError.self) { _ = try PrivateFolder.make(home + "/handoff") }
            #expect(inSession?.code == EPERM && inSession?.explanation?.contains("unset XDG_RUNTIME_DIR") == true)
            #expect(!(home + "/handoff").isThere)
            unsetenv("XDG_RUNTIME_DIR")
            // Another user's folder that was given to a program of root, such as a container's volume.
            setenv("SUDO_UID", "4712", 1)
            #expect(throws: Never.self) { _ = try PrivateFolder.make(home + "/volume") }
        }
    }
}
