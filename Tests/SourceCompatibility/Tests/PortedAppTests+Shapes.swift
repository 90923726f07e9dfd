// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms
import Testing

/// Patterns from the code of thirty real apps, rewritten.
extension PortedAppTests {
    private static let swift5 = "PortedAppsSwift5"

    // Shows A05, A11, H01, H03, H10, R03.
    @Test(arguments: ["PortedApps", swift5]) func anAppOf2016(_ program: String) async throws {
        var app = PortedApp.cookbook
        app.program = program
        let pair = try await Pair(with: app)
        let here = try await pair.laptop.open(app)
        try await here.hear("launched ")
        try here.type("stew")
        try await here.hear("recipe stew")
        let there = try await pair.desktop.open(
            app, with: ["cookbook://pie", "--shortcut-item=com.example.cookbook.today", "--unknown"])
        try await there.hear("shortcut com.example.cookbook.today")
        try await there.hear("recipe pie")
        try await there.hear("recipe soup")
        try await pair.desktop.isOffered("stew")
        try await pair.desktop.handoff("activity", "continue", "--device", "laptop")
        try await there.hear("restored stew for 4 note true")
        try there.type("share")
        try await there.hear("cannot share")
        try there.type("background")
        try await there.hear("saved in the background")
        try there.type("quit")
        try await there.hear("will terminate")
        #expect(await there.end() == 0)
        #expect(there.output.components(separatedBy: "saved in the background").count == 2)
    }

    // Shows A01, S01, S03, S04, S05, S08.
    @Test func twoScenesAreRestoredWithTheirContent() async throws {
        let pair = try await Pair(with: .atlas)
        let first = try await pair.laptop.open(.atlas)
        try await first.hear("connected nowhere")
        for place in ["Rome", "Oslo", "Rome"] {
            try first.type(place)
            try await first.hear(
                place == "Rome" && first.output.contains("Oslo") ? "continue Map of Rome" : "connected \(place)")
        }
        try await pair.desktop.isOffered("Map of Rome")
        try await pair.desktop.handoff("activity", "continue")
        #expect(
            try pair.desktop.log(of: .atlas) == ["made", "connected nowhere", "continue Map of Rome"])
        try first.type("quit")
        #expect(await first.end() == 0)
        let second = try await pair.laptop.open(.atlas)
        try await second.hear("connected Rome")
        #expect(second.output.contains("connected Oslo"))
    }

    // Shows R01, R02, R04, R05.
    @Test func threeControllersShareOneActivity() async throws {
        let pair = try await Pair(with: .magazine)
        let here = try await pair.laptop.open(.magazine)
        try await here.hear("presents 1")
        for line in ["issue May", "article Bees", "notes read again"] {
            try here.type(line)
            try await here.hear("set \(line)")
        }
        let there = try await pair.desktop.open(.magazine)
        try await pair.desktop.isOffered("Magazine")
        try await pair.desktop.handoff("activity", "continue", "--device", "laptop")
        try await there.hear("restored issue May")
        try await there.hear("restored article Bees")
        try await there.hear("restored notes read again")
    }
}
