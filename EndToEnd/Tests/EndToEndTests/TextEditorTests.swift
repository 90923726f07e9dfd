// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// The text editor, a GTK app with documents: written on one device and continued on the other.
@Suite(.serialized, .needsNamespaces) struct TextEditorTests {
    /// GTK starts a program for its first window, and the machine may be busy.
    private static let patience = Duration.seconds(40)

    // Shows L15, R01, R08, O01, O02, O03, B17: the document is in the folder that each device's user chose.
    @Test func textContinuesAtTheSameSelection() throws {
        try Stage.play { stage in
            let pair = try Editors(on: stage)
            let letter = try pair.write("letter.txt", lines: 300)
            let saved = try stage.follow(letter, name: "letter.txt")
            _ = try pair.laptop.open(.textEditor, letter.path)
            try pair.laptopDesktop.turn(to: "letter.txt")
            try pair.laptopDesktop.type("Dear Anna, ")
            try pair.laptopDesktop.press("ctrl+s")
            try saved.next(starting: "Dear Anna, line 1 of the letter")

            // The last word is selected, and the first lines are far away.
            let watch = try pair.desktop.watchActivities()
            try watch.output.next("the letter") { $0.contains("letter.txt") }
            try pair.laptopDesktop.press("ctrl+End", "Left", "ctrl+shift+Left")
            try pair.desktop.handoff("activity", "continue", within: Self.patience)

            try pair.desktopDesktop.turn(to: "^letter.txt")
            let there = try stage.follow(pair.desktopFolder.appending(path: "letter.txt"), name: "letter.txt there")
            try there.next(starting: "Dear Anna, line 1 of the letter")
            // Typing replaces the selection, which shows where it was.
            try pair.desktopDesktop.type("envelope")
            try pair.desktopDesktop.press("ctrl+s")
            try there.next("what was typed", within: Self.patience) { $0 == "line 300 of the envelope" }
        }
    }

    // Shows L15, B06: the scroll position may be far from the cursor. Unsaved changes are saved first.
    @Test func textContinuesAtTheSamePlaceAndBack() throws {
        try Stage.play { stage in
            let pair = try Editors(on: stage)
            let letter = try pair.write("letter.txt", lines: 300)
            _ = try pair.laptop.open(.textEditor, letter.path)
            try pair.laptopDesktop.turn(to: "letter.txt")
            let watch = try pair.desktop.watchActivities()
            try watch.output.next("the letter") { $0.contains("letter.txt") }
            try pair.laptopDesktop.type("P.S. ")
            try pair.laptopDesktop.awaitWindow("^• letter.txt")
            let top = try pair.laptopDesktop.look(at: Editors.text)
            try pair.laptopDesktop.scroll(20, at: (300, 300))
            try pair.desktop.handoff("activity", "continue", within: Self.patience)
            try pair.desktopDesktop.turn(to: "^letter.txt")

            // And back. The desktop's text begins at a line's upper edge, so the laptop's is the same to the pixel.
            let back = try pair.laptop.watchActivities()
            try back.output.next("the desktop's letter") { $0.contains("\"deviceName\":\"desktop\"") }
            try pair.laptop.handoff("activity", "continue", within: Self.patience)
            try pair.laptopDesktop.wait(forSameAs: pair.desktopDesktop, in: Editors.text)
            #expect(try pair.laptopDesktop.look(at: Editors.text) != top)
            // It is still the same letter, and can be saved.
            let saved = try stage.follow(letter, name: "letter.txt")
            try pair.laptopDesktop.turn(to: "letter.txt")
            try pair.laptopDesktop.type("And ")
            try pair.laptopDesktop.press("ctrl+s")
            try saved.next(starting: "P.S. And line 1 of the letter")
        }
    }

    // Shows L15: closing a window loses no unsaved changes.
    @Test func aWindowSavesItsTextBeforeItCloses() throws {
        try Stage.play { stage in
            let pair = try Editors(on: stage)
            let (letter, saved, editor) = try pair.typeIntoALetter(on: stage)

            // If saving fails, the window stays and shows the reason.
            try FileManager.default.removeItem(at: letter)
            try FileManager.default.createDirectory(at: letter, withIntermediateDirectories: false)
            try pair.laptopDesktop.press("ctrl+w")
            try pair.laptopDesktop.wait(for: Editors.yellow, at: (400, 65))
            #expect(editor.isRunning)
            try FileManager.default.removeItem(at: letter)
            try pair.laptopDesktop.press("ctrl+w")
            try saved.next(starting: "Aline 1 of the letter")
            #expect(try editor.waitForExit() == 0)

            // A new text without a file asks.
            let another = try pair.laptop.open(.textEditor)
            try pair.laptopDesktop.turn(to: "^Untitled")
            try pair.laptopDesktop.type("Dear Bob")
            try pair.laptopDesktop.press("ctrl+w")
            try pair.laptopDesktop.turn(to: "^Save changes to")
            try pair.laptopDesktop.press("Escape")
            try pair.laptopDesktop.turn(to: "^• Untitled")
            #expect(another.isRunning)
            try pair.laptopDesktop.press("ctrl+w")
            try pair.laptopDesktop.turn(to: "^Save changes to")
            // From “Save”, which has the focus, to “Close without Saving”.
            try pair.laptopDesktop.press("Left", "Return")
            #expect(try another.waitForExit() == 0)
        }
    }

    // Shows L15, H05: errors and progress, in the window and as notifications.
    @Test func failureIsShownInTheWindowAndAsANotification() throws {
        try Stage.play { stage in
            let pair = try Editors(on: stage)
            let heard = try pair.desktopDesktop.listen(to: "org.freedesktop.Notifications")
            let editor = try pair.laptop.open(.textEditor)
            try pair.laptopDesktop.turn(to: "^Untitled")
            try pair.laptopDesktop.type("Dear Anna")
            let watch = try pair.desktop.watchActivities()
            try watch.output.next("the text") { $0.contains("Untitled") }
            // It does not answer, so that the progress is visible, and is then gone.
            editor.send(SIGSTOP)
            let command = try pair.desktop.start("activity", "continue")
            try pair.desktopDesktop.awaitWindow("^Untitled")
            try pair.desktopDesktop.wait(for: "#333333", at: Editors.progress)
            // Its user turns to another window, which hides the cursor.
            try pair.desktopDesktop.wait(for: "#333333", at: Editors.cursor)
            try pair.desktopDesktop.turnAway()
            try pair.desktopDesktop.wait(for: "#FFFFFF", at: Editors.cursor)
            // If only the editor ended, a state that it had saved would continue.
            try pair.laptop.killDaemon()
            #expect(try command.waitForExit(within: Self.patience) != 0)
            try pair.desktopDesktop.wait(for: Editors.yellow, at: (400, 65))
            try heard.output.next("a notification") { $0.contains("Could not continue") }
        }
    }

    // Shows L15: at the end of a session there are no questions.
    @Test func terminatedEditorSavesItsText() throws {
        try Stage.play { stage in
            let pair = try Editors(on: stage)
            let (_, saved, editor) = try pair.typeIntoALetter(on: stage)
            editor.send(SIGTERM)
            try saved.next(starting: "Aline 1 of the letter")
            #expect(try editor.waitForExit() == 0)
        }
    }

    // Shows L15: the app that the article builds in twenty minutes.
    @Test func appOfTheArticleContinues() throws {
        try Stage.play { stage in
            let jotter = try App.jotter(in: stage.folder)
            let pair = try Editors(on: stage, with: jotter)
            _ = try pair.laptop.open(jotter)
            try pair.laptopDesktop.turn(to: "Jotter")
            // Wait until it is drawn.
            try pair.laptopDesktop.wait(for: "#FFFFFF", at: (100, 60))
            let empty = try pair.laptopDesktop.look(at: Editors.note)
            try pair.laptopDesktop.type("eggs, milk")
            let watch = try pair.desktop.watchActivities()
            try watch.output.next("the note") { $0.contains("\"Note\"") }
            try pair.desktop.handoff("activity", "continue", within: Self.patience)
            try pair.desktopDesktop.turn(to: "Jotter")
            try pair.desktopDesktop.wait(forSameAs: pair.laptopDesktop, in: Editors.note)
            #expect(try pair.desktopDesktop.look(at: Editors.note) != empty)
        }
    }
}

/// A person's two devices with a screen and the text editor each, and a different folder for its container on each.
private struct Editors {
    let laptop: Device
    let desktop: Device
    let laptopDesktop: Desktop
    let desktopDesktop: Desktop
    /// The container's folder on the laptop.
    let folder: URL
    let desktopFolder: URL

    /// The text on the screen, without the title and the edges.
    static let text = (width: 600, height: 440, x: 20, y: 90)
    /// In an empty text.
    static let cursor = (x: 29, y: 62)
    /// The first words of a note, and nothing else.
    static let note = (width: 66, height: 18, x: 0, y: 0)
    /// In the middle of the progress message, next to its words.
    static let progress = (x: 380, y: 535)
    static let yellow = "#F5C211"

    init(on stage: Stage, with app: App = .textEditor) throws {
        let pair = try Pair(offOn: stage)
        laptop = pair.laptop
        desktop = pair.desktop
        laptopDesktop = try laptop.startDesktop()
        desktopDesktop = try desktop.startDesktop()
        folder = stage.folder.appending(path: "texts/Documents")
        desktopFolder = stage.folder.appending(path: "texts there/Documents")
        for folder in [folder, desktopFolder] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        try pair.begin(with: [app])
        guard let container = app.container else { return }
        for (device, folder) in [(laptop, folder), (desktop, desktopFolder)] {
            try device.handoff("folder", "map", container, folder.deletingLastPathComponent().path)
        }
    }

    func write(_ name: String, lines: Int) throws -> URL {
        let file = folder.appending(path: name)
        try Data((1...lines).map { "line \($0) of the letter" }.joined(separator: "\n").appending("\n").utf8).write(
            to: file)
        return file
    }

    /// Opens a one-line letter in the laptop's editor and types into it without saving; `saved` is the file's content.
    func typeIntoALetter(
        on stage: Stage
    ) throws -> (letter: URL, saved: Transcript, editor: RunningProgram) {
        let letter = try write("letter.txt", lines: 1)
        let saved = try stage.follow(letter, name: "letter.txt")
        let editor = try laptop.open(.textEditor, letter.path)
        try laptopDesktop.turn(to: "letter.txt")
        // A last key: once the window shows unsaved changes, all typed text is in it.
        try laptopDesktop.type("A")
        try laptopDesktop.awaitWindow("^• letter.txt")
        return (letter, saved, editor)
    }
}
