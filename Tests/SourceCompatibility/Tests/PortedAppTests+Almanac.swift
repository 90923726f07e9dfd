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
        // The app prints its errors, in either order, and continues.
        let refusals = ["not indexed: CSIndexErrorDomain -1005", "not donated: 1900"]
        #expect(await here.wait { here in refusals.allSatisfy(here.output.contains) })
        try here.type("drag")
        try await here.hear("dropped 7")
        try await pair.desktop.isOffered("Note 7")
        try await pair.desktop.handoff("activity", "continue")
        #expect(try pair.desktop.log(of: app).contains("shows 7: <p>soup of the day</p> by Anna"))
        #expect(here.errors.components(separatedBy: "no search index").count == 2, "said once: \(here.errors)")
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
