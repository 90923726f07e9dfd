// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms
import Testing

/// Shows X10: a killed installation leaves either the old or the new version, complete, and the next one continues from
/// there.
@Suite struct InstallCrashTests {
    @Test func killedAtAnyMomentOldOrNewIsWhole() async throws {
        let home = try await Home()
        try await home.makeBundle("1.0")
        try await home.makeBundle("2.0")
        #expect(try await home.handoff("app", "install", "1.0/Notes.app", "--trust-team").end() == 0)
        // From before the first step to after the last: an installation takes some tens of milliseconds.
        for step in 0..<24 {
            let next = step.isMultiple(of: 2) ? "2.0" : "1.0"
            let install = try home.handoff("app", "install", "\(next)/Notes.app", "--force")
            _ = await install.wait(.milliseconds(step * 4)) { !$0.isRunning }
            install.send(SIGKILL)
            _ = await install.end()

            let list = try home.handoff("app", "list")
            #expect(await list.end() == 0)
            let cells = list.output.split(separator: "\t").map(String.init)
            try #require(cells.count == 6, "\(list.output)\(list.errors)")
            #expect(["1.0", "2.0"].contains(cells[1]))
            #expect(list.errors.isEmpty, "killed after \(step * 4) ms: \(list.errors)")
            let verify = try home.handoff("app", "verify", cells[5].trimmingCharacters(in: .newlines))
            #expect(await verify.end() == 0, "killed after \(step * 4) ms: \(verify.output)")
        }
        // The next complete installation removes all remains.
        #expect(try await home.handoff("app", "install", "2.0/Notes.app", "--force").end() == 0)
        #expect(try home.entries("device/apps") == ["com.example.notes.app"])
        #expect(try home.entries("device/state/installs") == ["records"])
    }
}
