// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms
import Testing

/// Code as in Apple's and Microsoft's documentation, compiled against our libraries and run between two daemons.
@Suite(.serialized, .timeLimit(.minutes(5))) struct PortedAppTests {
    // Shows H01, H03, H07, H10, R01, R03, R05, R09, B26.
    @Test func fourHooksOfUIKitAndAManagedActivity() async throws {
        let pair = try await Pair(with: .reader)
        let here = try await pair.laptop.open(.reader)
        try here.type("41")
        try await here.hear("page 41")
        try await pair.desktop.isOffered("Chapter 3")
        try await pair.desktop.handoff("activity", "continue")
        #expect(
            try pair.desktop.log(of: .reader) == [
                "launched for com.example.reader.reading", "will continue com.example.reader.reading",
                "continue Chapter 3", "restored page 41 version 3",
            ])
    }

    /// Printed to a file, as by any app.
    @Test func linesThatAnAppPrintsAreInItsLogWhileItRuns() async throws {
        let pair = try await Pair(with: .reader)
        let here = try await pair.laptop.open(.reader)
        defer { here.send(SIGTERM) }
        try await pair.desktop.isOffered("Chapter 3")
        try await pair.desktop.handoff("activity", "continue")
        #expect(try pair.desktop.log(of: .reader).contains("continue Chapter 3"))
        #expect(try await pair.desktop.handoff("app", "list", "--json").contains(#""running":true"#))
    }

    // Shows H05, E01.
    @Test func aFailureIsReportedInsteadOfContinue() async throws {
        let pair = try await Pair(with: .reader)
        let here = try await pair.laptop.open(.reader)
        let there = try await pair.desktop.open(.reader)
        try await pair.desktop.isOffered("Chapter 3")
        // It stays suspended until it is killed.
        await here.freeze()
        let asking = try pair.desktop.begin("activity", "continue")
        try await there.hear("will continue com.example.reader.reading")
        pair.laptop.crash()
        // The hook runs before the other device is asked. The code is 4609 if its daemon was already gone.
        let failed = try await there.hear("failed NSCocoaErrorDomain ")
        #expect(failed.hasSuffix(" 4608") || failed.hasSuffix(" 4609"))
        #expect(await asking.end() != 0)
        #expect(!there.output.contains("continue Chapter 3"))
    }

    // Shows H01, H03, H04, R04, R08.
    @Test func fourHooksOfAppKitAndAWindowController() async throws {
        let pair = try await Pair(with: .notes)
        let here = try await pair.laptop.open(.notes)
        try here.type("Dear reader")
        try await here.hear("text Dear reader")
        let there = try await pair.desktop.open(.notes)
        try await pair.desktop.isOffered("A note")
        try await pair.desktop.handoff("activity", "continue", "--device", "laptop")
        try await here.hear("did update Dear reader")
        try await there.hear("will continue com.example.notes.writing")
        try await there.hear("continue A note")
        try await there.hear("restored Dear reader")
    }

    // Shows U01, U02, U03.
    @Test func declarativeHooksAndTheRightWindow() async throws {
        let pair = try await Pair(with: .recipes)
        let here = try await pair.laptop.open(.recipes)
        try here.type("Soup")
        try await here.hear("list shows Soup")
        try await pair.desktop.isOffered("Soup")
        try await pair.desktop.handoff("activity", "continue")
        #expect(
            try pair.desktop.log(of: .recipes) == ["list opens", "recipe opens", "recipe continues Soup"])
        try here.type("Bread")
        try await pair.desktop.isOffered("Bread")
        try await pair.desktop.handoff("activity", "continue")
        #expect(
            try pair.desktop.log(of: .recipes).dropFirst(3) == ["recipe opens", "recipe continues Bread"])
        // The recipe is open there.
        try here.type("Soup")
        try await pair.desktop.isOffered("Soup")
        try await pair.desktop.handoff("activity", "continue")
        #expect(try pair.desktop.log(of: .recipes).dropFirst(5) == ["recipe continues Soup"])
    }

    // Shows S01, S02, S05.
    @Test func aSceneDelegate() async throws {
        let pair = try await Pair(with: .gallery)
        let here = try await pair.laptop.open(.gallery)
        try await here.hear("connected")
        try here.type("sunset")
        try await here.hear("photo sunset")
        try await pair.desktop.isOffered("Photo sunset")
        try await pair.desktop.handoff("activity", "continue")
        #expect(
            try pair.desktop.log(of: .gallery) == [
                "connected for com.example.gallery.photo", "will continue com.example.gallery.photo",
                "continue sunset",
            ])
        // The existing scene continues the next activity.
        let there = try pair.desktop.log(of: .gallery).count
        try here.type("dawn")
        try await pair.desktop.isOffered("Photo dawn")
        try await pair.desktop.handoff("activity", "continue")
        #expect(
            try pair.desktop.log(of: .gallery).dropFirst(there) == [
                "will continue com.example.gallery.photo", "continue dawn",
            ])
    }

    // Shows B25.
    @Test func aDraftIsClosedWhereItCameFrom() async throws {
        let pair = try await Pair(with: .mail)
        let here = try await pair.laptop.open(.mail)
        try here.type("See you at nine")
        try await here.hear("composing See you at nine")
        try await pair.desktop.isOffered("Draft")
        try await pair.desktop.handoff("activity", "continue")
        try await here.hear("closed")
        #expect(try pair.desktop.log(of: .mail) == ["composing See you at nine"])
        // The laptop shows the desktop's draft and none of its own.
        try await pair.laptop.isOffered("Draft")
        try await pair.desktop.isOfferedNothing()
    }

    // Shows R02, R05, O02.
    @Test func aViewControllerSharesItsActivityWithADocument() async throws {
        let pair = try await Pair(with: .sketch)
        let file = try pair.write("Harbour.sketch", "||||")
        let here = try await pair.laptop.open(.sketch)
        try here.type(file)
        try await here.hear("opened ||||")
        let there = try await pair.desktop.open(.sketch)
        try await pair.desktop.isOffered("Harbour")
        try await pair.desktop.handoff("activity", "continue")
        try await there.hear("opened ||||")
        try await there.hear("restored zoom 4")
    }

    // Shows K04, O01, O02, O03, O05, H08.
    @Test(arguments: ["PortedLetters", "PortedLettersSwift5"])
    func aDocumentBasedAppSaysNothingOfContinuing(_ program: String) async throws {
        var app = PortedApp.letters
        app.program = program
        let pair = try await Pair(with: app)
        let file = try pair.write("Shared Letters/To Anna.letter", "Dear Anna")
        let here = try await pair.laptop.open(app)
        try here.type(file)
        try await here.hear("read Dear Anna")
        let there = try await pair.desktop.open(app)
        try await pair.desktop.isOffered("To Anna")
        try await pair.desktop.handoff("activity", "continue")
        try await there.hear("read Dear Anna")
        try await there.hear("restored line 9")
    }

    @Test func fourTabsOfTheArticle() async throws {
        let pair = try await Pair(with: .monkeyBrowser)
        let here = try await pair.laptop.open(.monkeyBrowser)
        try here.type("3 https://coffee.example/roasters")
        try await here.hear("Showing: https://coffee.example/roasters")
        try await pair.desktop.isOffered("Coffee Break Tab")
        try await pair.desktop.handoff("activity", "continue")
        #expect(
            try pair.desktop.log(of: .monkeyBrowser) == [
                "Will Continue Activity: com.xamarin.monkeybrowser.tab3", "Continuing Activity...",
                "Continuing User Activity: com.xamarin.monkeybrowser.tab3",
                "Showing: https://coffee.example/roasters", "Restoring Activity Coffee Break Tab",
            ])
        try await here.hear("User Activity will be Saved: Coffee Break Tab")
        try await here.hear("User Activity Was Continued: Coffee Break Tab")
    }

    private func servingADrawing() async throws -> (pair: Pair, here: Program, there: Program) {
        let pair = try await Pair(with: .streamServer)
        let here = try await pair.laptop.open(.streamServer)
        try here.type("300000")
        try await here.hear("serving")
        let there = try await pair.desktop.open(.streamServer)
        try await pair.desktop.isOffered("Large drawing")
        return (pair, here, there)
    }

    // Shows A33, C02, C03, D04.
    @Test func aDrawingTooLargeForAPayloadGoesOverStreams() async throws {
        let (pair, here, there) = try await servingADrawing()
        try await pair.desktop.handoff("activity", "continue")
        try await there.hear("supports streams true")
        try await here.hear("asked the drawing, please")
        try await there.hear("drawing of 300000 bytes, whole")
    }

    // Shows A21, C04.
    @Test func anAppThatStoppedStreamsIsNotAskedForThem() async throws {
        let (pair, here, there) = try await servingADrawing()
        try here.type("no streams")
        try await here.hear("serving")
        try await pair.desktop.handoff("activity", "continue")
        try await there.hear("supports streams false")
        #expect(!here.output.contains("asked"))
    }
}

extension Pair {
    /// Creates a file that both devices can read. Returns its path.
    func write(_ name: String, _ text: String) throws -> String {
        let file = folder.url.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        return file.path
    }
}
