// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms
import Testing

/// Patterns of real apps that once had no effect or did not compile.
extension PortedAppTests {
    // Shows A05, H10.
    @Test(arguments: ["PortedApps", "PortedAppsSwift5"]) func anAppOfToday(_ program: String) async throws {
        var app = PortedApp.planner
        app.program = program
        let pair = try await Pair(with: app)
        let here = try await pair.laptop.open(app, with: ["--shortcut-item=com.example.planner.today"])
        try await here.hear("launched for nothing")
        try await here.hear("no remote notifications")
        try await here.hear("performed com.example.planner.today")
        try here.type("edit")
        try await here.hear("edits true")
        try here.type("7")
        try await here.hear("selected 1.7")
        try await pair.desktop.isOffered("Row 7")
        try await pair.desktop.handoff("activity", "continue")
        let lines = try pair.desktop.log(of: app)
        #expect(lines.first == "launched for com.example.planner.day")
        #expect(lines.contains("selected 1.7"))
        #expect(lines.contains("restored offset 12.5 columns [100.0, 250.5]"))
        try here.type("quit")
        #expect(await here.end() == 0)
        #expect(here.output.hasSuffix("saved in the background\nwill terminate\n"))
    }

    @Test func signalWaitsForABackgroundTask() async throws {
        let pair = try await Pair(with: .planner)
        let here = try await pair.laptop.open(.planner)
        try await here.hear("no remote notifications")
        try here.type("upload")
        try await here.hear("uploaded")
        try here.type("upload")
        try await here.hear("uploads")
        here.send(SIGTERM)
        #expect(await here.end() == 0)
        #expect(here.output.components(separatedBy: "uploaded\n").count == 3)
        #expect(here.output.hasSuffix("will terminate\n"))
    }

    @Test(arguments: ["PortedApps", "PortedAppsSwift5"])
    func aDocumentAppThatSavesItsOwnWay(_ program: String) async throws {
        var app = PortedApp.essay
        app.program = program
        let pair = try await Pair(with: app)
        let file = try pair.write("Essay.txt", "draft")
        let here = try await pair.laptop.open(app)
        try here.type("open \(file)")
        try await here.hear("opened draft")
        try here.type("type final")
        try await here.hear("edited true")
        try here.type("copy \(pair.folder.url.path)/Copy.txt")
        try await here.hear("writes Copy.txt")
        try await here.hear("saved Copy.txt, edited true")
        try here.type("save")
        try await here.hear("writes Essay.txt")
        try await here.hear("written later true")
        try await here.hear("saved Essay.txt, edited false")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "final")
    }

    // Shows U05.
    @Test func anAppOfAWatch() async throws {
        let pair = try await Pair(with: .runs)
        let here = try await pair.laptop.open(.runs)
        try await here.hear("awake")
        try await here.hear("appeared")
        try here.type("Park")
        try await here.hear("shows Park")
        try await pair.desktop.isOffered("Park")
        try await pair.desktop.handoff("activity", "continue")
        #expect(try pair.desktop.log(of: .runs).contains("handles Park"))
        try here.type("away")
        try await here.hear("away")
    }
}
