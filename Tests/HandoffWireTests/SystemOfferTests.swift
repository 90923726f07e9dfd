// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffWire

/// System programs on a board: marked so that neither they nor an app can pass for the other.
struct SystemOfferTests {
    // Shows M01.
    @Test func systemProgramIsNotAnApp() throws {
        let program = try BundleID(systemProgram: "org.gnome.Evince")
        #expect(program.name == "system:org.gnome.Evince")
        #expect(program.desktopEntry == "org.gnome.Evince")
        #expect(try BundleID(appOrProgram: program.name) == program)
        #expect(throws: WireError.self) { try BundleID(program.name) }
        #expect(try BundleID(appOrProgram: "com.example.notes") == BundleID("com.example.notes"))
        #expect(try !BundleID("system").isSystemProgram)
    }

    @Test(arguments: [
        "system:", "system:system:mpv", "system:a/b", "system:a..b", "System:mpv", "system: mpv", "system:m\u{0}",
    ])
    func badSystemProgramIsRefused(name: String) {
        #expect(throws: WireError.self) { try BundleID(appOrProgram: name) }
    }

    // Shows M01.
    @Test func systemProgramsOfferSurvivesTheWire() throws {
        #expect(try Offer(PBOffer(SampleFrames.programOffer)) == SampleFrames.programOffer)
    }

    // Shows M01.
    @Test func appAndSystemProgramCannotPassForEachOther() {
        var app = PBOffer(SampleFrames.programOffer)
        app.bundle = "com.example.notes"
        var script = app
        script.bundle = ""
        var program = PBOffer(SampleFrames.offer)
        program.bundle = "system:mpv"
        for offer in [app, script, program] { #expect(throws: WireError.self) { try Offer(offer) } }
    }

    // Shows Y07.
    @Test func offerOfAnUnknownKindOfTeamLeavesTheOthersOnTheBoard() throws {
        var unknown = PBOffer(SampleFrames.programOffer)
        unknown.team = PBTeam()
        var missing = unknown
        missing.clearTeam()
        #expect(try [unknown, PBOffer(SampleFrames.offer)].native() == [SampleFrames.offer])
        #expect(throws: WireError.self) { try [missing].native() }
    }
}
