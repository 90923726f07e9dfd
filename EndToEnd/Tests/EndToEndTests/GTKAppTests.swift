// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// Apps on `HandoffGTK` alone, on a screen.
@Suite(.serialized, .needsNamespaces) struct GTKAppTests {
    private static var hasAdwaita: Bool {
        get throws { try RunningProgram.run(["/sbin/ldconfig", "-p"]).output.contains("libadwaita-1.so.0") }
    }

    /// Starts an unmodified built program on its own screen.
    private func start(
        _ program: String, _ arguments: String..., at desktop: Desktop, on stage: Stage
    ) throws -> RunningProgram {
        var environment = desktop.environment
        environment["HANDOFF_ROOT"] = stage.folder.appending(path: "device").path
        return try stage.start(
            [Builds.programs.appending(path: program).path] + arguments, environment: environment, name: program)
    }

    // Shows L15, R09: the app creates its application and window itself, and its page appears and disappears.
    @Test func windowsAndApplicationsThatAreMadeElsewhereAreTaken() throws {
        try Stage.play { stage in
            let desktop = try Desktop(on: stage, in: stage.folder)
            let diary = stage.folder.appending(path: "diary.txt")
            let app = try start("GTKBindings", diary.path, at: desktop, on: stage)
            try app.output.next(starting: "taken true")
            let isAdwaita = try app.output.next(starting: "a window of").hasSuffix("libadwaita")
            #expect(try isAdwaita == Self.hasAdwaita)
            try app.output.next(starting: "appeared first", within: .seconds(20))
            try desktop.turn(to: "Bound")
            try app.output.wait(for: "the window to be the main one") { $0.contains { $0.hasPrefix("became main") } }
            try app.output.wait(for: "the main queue") { $0.contains("a task ran") }
            try desktop.press("ctrl+2")
            try app.output.wait(for: "the other page") {
                $0.contains("disappeared first") && $0.contains("appeared second")
            }
            try desktop.press("ctrl+m")
            try desktop.wait(for: "#F5C211", at: (200, isAdwaita ? 285 : 15))
            try desktop.turnAway()
            try app.output.next(starting: "resigned main")
            try desktop.turn(to: "Bound")
            try app.output.next(starting: "became main, active")
            try desktop.press("ctrl+w")
            // Its document, written in the background, is saved first.
            try app.output.next(starting: "closed, open false")
            #expect(try String(contentsOf: diary, encoding: .utf8).hasPrefix("Tuesday"))
            try app.output.next(starting: "ended")
            #expect(try app.waitForExit() == 0)
        }
    }

    // Shows L15: each user has at most one instance of an app.
    @Test func startedAgainAnAppOpensItsFilesWhereItRuns() throws {
        try Stage.play { stage in
            let desktop = try Desktop(on: stage, in: stage.folder)
            let letter = stage.folder.appending(path: "letter.txt")
            try Data("Dear Anna,\n".utf8).write(to: letter)
            // Without a root, because each of several devices on a machine could have an instance.
            let command = ["\(Builds.textEditor)/Contents/Linux/TextEditor"]
            let editor = try stage.start(command, environment: desktop.environment, name: "TextEditor")
            try desktop.awaitWindow("^Untitled")
            let again = try stage.start(
                command + [letter.path], environment: desktop.environment, name: "TextEditor once more")
            #expect(try again.waitForExit() == 0)
            try desktop.turn(to: "^letter.txt")
            try desktop.press("ctrl+w")
            try desktop.turn(to: "^Untitled")
            #expect(editor.isRunning)
            // An action of its desktop entry opens a second, untitled window.
            let shortcut = try stage.start(
                command + ["--shortcut-item=com.example.texteditor.new"], environment: desktop.environment,
                name: "TextEditor for a new text")
            #expect(try shortcut.waitForExit() == 0)
            try desktop.await(2, windowsTitled: "^Untitled")
            for left in [1, 0] {
                try desktop.turn(to: "^Untitled")
                try desktop.press("ctrl+w")
                // The one that is being closed could get the next key.
                try desktop.await(left, windowsTitled: "^Untitled")
            }
            #expect(try editor.waitForExit() == 0)
        }
    }

    // Shows L15, bad input: the error is shown with a window, and without one.
    @Test func aFileThatCannotBeOpenedIsReported() throws {
        try Stage.play { stage in
            let desktop = try Desktop(on: stage, in: stage.folder)
            var environment = desktop.environment
            environment["HANDOFF_ROOT"] = stage.folder.appending(path: "device").path
            let heard = try desktop.listen(to: "org.freedesktop.Notifications")
            let picture = stage.folder.appending(path: "picture.png")
            try Data([0x89, 0x50, 0x4E, 0x47, 0, 0xFF]).write(to: picture)
            let editor = try stage.start(
                ["\(Builds.textEditor)/Contents/Linux/TextEditor", picture.path], environment: environment,
                name: "TextEditor")
            try heard.output.next("a notification") { $0.contains("Something went wrong") }
            // It has nothing to show.
            #expect(try editor.waitForExit() == 0)
            #expect(editor.errors.text.contains("picture.png"))
        }
    }

    // Shows L15: libadwaita is used if it is installed.
    @Test func itLooksAsGNOMEsAppsWhereLibadwaitaIsThere() throws {
        try Stage.play { stage in
            let desktop = try Desktop(on: stage, in: stage.folder)
            let editor = try start("TextEditor", at: desktop, on: stage)
            try desktop.awaitWindow("^Untitled")
            let maps = try FileHandle(forReadingAtPath: "/proc/\(editor.pid)/maps")?.readToEnd() ?? Data()
            let has = String(decoding: maps, as: UTF8.self).contains("libadwaita-1.so.0")
            #expect(try has == Self.hasAdwaita)
        }
    }
}
