// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms
import Testing

/// The installed programs are one file, whose name selects the program.
// Shows V07.
@Suite struct ProgramNamesTests {
    @Test(arguments: [
        ("handoffd", "--version", "handoff 0.1.0\n"),
        ("handoffd", "--help", "The Handoff daemon"),
        ("handoff-browser-host", "--help", "handoff-browser-host is started by a browser"),
        ("handoff", "--help", "OVERVIEW:"),
        ("anything", "--help", "OVERVIEW:"),
    ])
    func oneFileIsEachProgramByItsName(_ name: String, _ flag: String, _ start: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "handoff-names-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let link = folder.appending(path: name).path
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: Program.built + "/handoff")
        let program = try Program([link, flag], environment: [:], folder: folder.path)
        #expect(await program.end() == 0)
        #expect(program.output.hasPrefix(start), "\(program.output)")
    }
}
