// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms
import Testing

extension PortedAppTests {
    // Shows B18.
    @Test(arguments: ["PortedApps", "PortedAppsSwift5"])
    func filesAreReadAndWrittenInTurnsAndConflictsAreSettled(_ program: String) async throws {
        var app = PortedApp.journal
        app.program = program
        let pair = try await Pair(with: app)
        let file = try pair.write("Monday.txt", "rain")
        let here = try await pair.laptop.open(app)
        try here.type("open \(pair.folder.url.path)/none.txt")
        try await here.hear("no access")
        try here.type("open \(file)")
        try await here.hear("opened rain, 1 presenter")

        // Another part of the app writes.
        try here.type("overwrite sun")
        try await here.hear("saved sun")
        try await here.hear("has it back")
        try await here.hear("shows sun")

        // Another part reads unsaved changes.
        try here.type("type wind")
        try here.type("share")
        try await here.hear("shared wind")

        // A conflict copy, newer than the current file.
        try here.type("settle")
        try await here.hear("no conflict")
        _ = try pair.write("Monday (desktop, 2026-11-22 15.14).txt", "snow")
        try here.type("settle")
        try await here.hear("settled by desktop")
        try await here.hear("shows snow")
        let names = try FileManager.default.contentsOfDirectory(atPath: pair.folder.url.path)
        #expect(names.filter { $0.hasPrefix("Monday") } == ["Monday.txt"])

        // The user renames it in the file manager.
        try here.type("remember")
        try await here.hear("remembered")
        try here.type("recall")
        try await here.hear("recalled Monday.txt")
        let renamed = pair.folder.url.appending(path: "Tuesday.txt")
        try FileManager.default.moveItem(atPath: file, toPath: renamed.path)
        try here.type("recall")
        try await here.hear("recalled Tuesday.txt, stale")
        try FileManager.default.moveItem(atPath: renamed.path, toPath: file)

        try here.type("remove")
        try await here.hear("closes")
        try await here.hear("removed")
        #expect(!FileManager.default.fileExists(atPath: file))
    }
}
