// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms
import Testing

extension PortedAppTests {
    // Shows A19, A20, A38.
    @Test(arguments: ["PortedApps", "PortedAppsSwift5"])
    func anIndexOfNotesIsContinuedWithItsAttributes(_ program: String) async throws {
        var app = PortedApp.almanac
        app.program = program
        let pair = try await Pair(with: app)
        let here = try await pair.laptop.open(app)
        try here.type("note 7 soup of the day")
        // In either order. Nothing takes donations.
        let answers = ["indexed", "not donated: 1900"]
        #expect(await here.wait { here in answers.allSatisfy(here.output.contains) })
        try here.type("drag")
        try await here.hear("dropped 7")
        try await pair.desktop.isOffered("Note 7")
        try await pair.desktop.handoff("activity", "continue")
        #expect(try pair.desktop.log(of: app).contains("shows 7: <p>soup of the day</p> by Anna"))
    }

    // Shows A09, A10, A19, A20, A26, A35, G02, K05, W05.
    @Test(arguments: ["PortedApps", "PortedAppsSwift5"])
    func aNoteIsFoundByAWordOpenedAndForgotten(_ program: String) async throws {
        var app = PortedApp.almanac
        app.program = program
        let folder = try Folder()
        let laptop = try await Device("laptop", in: folder.url)
        try await laptop.handoff("account", "create")
        try await laptop.handoff("app", "install", "--development", app.make(in: folder.url))
        let here = try await laptop.open(app)
        for (note, text) in [("7", "soup of the day"), ("8", "a poem")] {
            try here.type("note \(note) \(text)")
            try await here.hear("saves Note \(note)")
        }
        let found = try await laptop.history("search", "SOUP")
        #expect(found.map(\.title) == ["Note 7"] && found.first?.appName == app.name)
        #expect(try await laptop.history("search", "soup", "poem").isEmpty)

        try await laptop.handoff("history", "open", "\(found[0].number)")
        try await here.hear("found 7")
        try await laptop.handoff("history", "search", "soup", "day", "--in", app.identifier)
        try await here.hear("searches soup day")
        // Again, with the app started for it.
        here.send(SIGKILL)
        _ = await here.end()
        try await laptop.handoff("history", "open", "\(found[0].number)")
        #expect(try laptop.log(of: app).contains("found 7"))

        let again = try await laptop.open(app)
        try again.type("forget 7")
        try await again.hear("forgot 7")
        #expect(try await laptop.history("search", "soup").isEmpty)
        #expect(try await laptop.history("search", "poem").map(\.title) == ["Note 8"])
        let refusal = await #expect(throws: Device.Refused.self) {
            try await laptop.handoff("history", "open", "\(found[0].number)")
        }
        #expect(refusal?.description.contains("no entry") == true)
        try await laptop.handoff("history", "forget", "--all")
        #expect(try await laptop.history("list").isEmpty)
    }

    // Shows A35, A36.
    @Test func savedNotesAreDeletedWhenTheAppForgetsThem() async throws {
        let pair = try await Pair(with: .almanac)
        for (word, answer) in [("forget 7", "forgot 7"), ("forget-everything", "forgot everything")] {
            let here = try await pair.laptop.open(.almanac)
            try here.type("note 7 soup of the day")
            try await here.hear("saves Note 7")
            try await pair.desktop.isOffered("Note 7")
            here.send(SIGKILL)
            _ = await here.end()
            // The app has quit, but its saved activity can still be continued.
            try await pair.desktop.isOffered("saved")
            let again = try await pair.laptop.open(.almanac)
            try again.type(word)
            try await again.hear(answer)
            try await pair.desktop.isOfferedNothing()
            again.send(SIGKILL)
            _ = await again.end()
        }
    }
}
