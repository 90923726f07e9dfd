// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// Programs of the same user that falsely claim to be an app. Shows T09.
@Suite(.serialized, .needsNamespaces) struct ClaimTests {
    private static let app = App.monkeyBrowser

    // Shows T09, X10: the program can neither offer in the app's name nor receive messages for the app.
    @Test func aForeignProgramThatClaimsAnAppIsRefused() throws {
        try Stage.play { stage in
            let pair = try Pair(on: stage)
            let forger = try pair.laptop.pretend(["--bundle", Self.app.bundle, "--offer", Self.type, "Forged"])
            try expectRefusal(of: forger)
            // The app's own program, at a different path than the installed one.
            let copy = try pair.laptop.start(
                program: ["env", "HANDOFF_ROOT=\(pair.laptop.root.path)", "\(Self.app.path)/\(Self.program)"],
                name: "a copy of the app")
            try copy.output.next(starting: "ready")
            try copy.errors.next("why it is refused") { $0.contains(Self.refusal) }
            try copy.say("go \(Pair.page)")
            try copy.output.next(starting: "current tab=1")
            // The app itself does not run yet.
            let listener = try pair.desktop.pretend(["--bundle", Self.app.bundle])
            try expectRefusal(of: listener)

            let browser = try pair.browse()
            let offered = try pair.desktop.json("activity", "list", "--all").elements
            let titles = offered.map { $0["title"]?.string }
            #expect(titles == [Pair.title])
            let log = try pair.desktop.log(of: Self.app)
            try pair.desktop.handoff("activity", "continue")
            try log.next(starting: "continued tab=1")
            try browser.output.next(starting: "was-continued tab=1")
            #expect(copy.output.count(starting: "was-continued") + copy.output.count(starting: "saving") == 0)
        }
    }

    // Shows T09: the file is in the installed place, but was changed.
    @Test func anAppWithAnAlteredExecutableIsRefused() throws {
        try Stage.play { stage in
            let laptop = try Device("laptop", on: stage)
            try laptop.startDaemon()
            try laptop.install(Self.app)
            let installed = try #require(try laptop.json("app", "list").first(where: "bundle", is: Self.app.bundle))
            let executable = "\(try #require(installed["path"]?.string))/\(Self.program)"
            let file = try FileHandle(forWritingTo: URL(filePath: executable))
            try file.seekToEnd()
            try file.write(contentsOf: Data([0]))
            try file.close()
            let altered = try laptop.open(Self.app)
            try altered.errors.next("why it is refused") {
                $0.contains("the executable of \(Self.app.bundle) has changed since it was installed; install it again")
            }
        }
    }

    // Shows T09: a script is identified only by its launch token, which is valid once, for the process that received
    // it.
    @Test func aProgramThatTheLaunchTokenWasNotGivenToIsRefused() throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage)
            try pair.begin(with: [])
            try pair.laptop.install(Self.app)
            let scripted = try Self.app.copied(as: "com.example.scripted", to: stage.folder)
            let script = """
                #!/bin/sh
                exec '\(Builds.pretender)' "$HANDOFF_ROOT/run/daemon.sock" --bundle \(scripted.bundle) \
                    --token "$HANDOFF_LAUNCH_TOKEN" --stay

                """
            try Data(script.utf8).write(to: URL(filePath: "\(scripted.path)/\(Self.program)"))
            try pair.desktop.install(scripted)
            func pretend(_ token: String) throws -> RunningProgram {
                try pair.desktop.pretend(["--bundle", scripted.bundle, "--token", token])
            }
            try expectRefusal(of: try pretend(String(repeating: "5a", count: 32)), as: scripted)

            _ = try pair.browse()
            let log = try pair.desktop.log(of: scripted)
            _ = try pair.desktop.start("activity", "continue")
            let token = try #require(try JSON(text: try log.next(starting: "{\"token\""))["token"]?.string)
            #expect(token.count == 64)
            let welcome = try JSON(text: try log.next("its welcome") { $0.contains("welcome") })
            #expect(welcome["registered"] == .bool(true))
            try log.next("the activity") { $0.contains("willContinue") }
            // While the rightful owner of the token runs, and the daemon waits for it.
            try expectRefusal(of: try pretend(token), as: scripted)
            // Without a claim it is a program under development, which never receives anything.
            let nobody = try pair.desktop.pretend(["--token", token])
            let answer = try JSON(text: try nobody.output.next("its welcome") { $0.contains("welcome") })
            #expect(answer["registered"] == .bool(false))
            nobody.closeInput()
            try nobody.waitForExit()
            #expect(nobody.output.lines.count == 2)
        }
    }

    /// Messages of local.proto for the user's own tools that need no body.
    private static let forTools = [
        42: "create_account", 43: "show_account", 45: "create_invite", 48: "join_account", 49: "list_devices",
        51: "list_apps", 53: "reload_apps", 70: "show_policy", 82: "list_teams", 90: "recover_account",
        91: "leave_account", 92: "rename_device", 93: "remove_device", 95: "show_log", 100: "list_sites",
        101: "refresh_sites", 105: "list_web_choices",
    ]

    // Shows X14: a process of an installed app, started by the daemon itself, is refused everything that is for tools.
    @Test func anAppThatRunsIsRefusedWhatIsForTheUsersTools() throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage)
            try pair.begin(with: [])
            try pair.laptop.install(Self.app)
            let greedy = try Self.app.copied(as: "com.example.greedy", to: stage.folder)
            let asked = Self.forTools.keys.sorted()
            let script = """
                #!/bin/sh
                exec '\(Builds.pretender)' "$HANDOFF_ROOT/run/daemon.sock" --bundle \(greedy.bundle) \
                    --token "$HANDOFF_LAUNCH_TOKEN" --stay \(asked.map { "--ask \($0)" }.joined(separator: " "))

                """
            try Data(script.utf8).write(to: URL(filePath: "\(greedy.path)/\(Self.program)"))
            try pair.desktop.install(greedy)
            let before = try pair.desktop.handoff("account", "show")
            _ = try pair.browse()
            let log = try pair.desktop.log(of: greedy)
            _ = try pair.desktop.start("activity", "continue")
            let welcome = try JSON(text: try log.next("its welcome") { $0.contains("welcome") })
            #expect(welcome["registered"] == .bool(true))
            for number in asked {
                let answer = try JSON(
                    text: try log.next("an answer") { $0.contains("\"failure\"") || $0.contains("closed") })
                #expect(
                    answer["reason"]?.string?.hasPrefix("an app may not ") == true,
                    "\(Self.forTools[number] ?? "") \(answer)")
            }
            // Messages meant for the app still arrive.
            #expect(log.lines.contains { $0.contains("willContinue") })
            #expect(try pair.desktop.handoff("account", "show") == before)
            #expect(try pair.desktop.json("team", "list").elements.count == 1)
        }
    }

    private static let type = "\(app.bundle).tab1"
    private static let program = "Contents/Linux/\(app.executable)"
    private static var refusal: String { refusal(of: app) }

    private static func refusal(of app: App) -> String {
        "this program is not the executable of \(app.bundle) as it is installed"
    }

    /// The program receives the reason, the connection is closed, and nothing else.
    private func expectRefusal(
        of program: RunningProgram, as app: App = app, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try program.waitForExit()
        let said = try program.output.lines.dropFirst().map { try JSON(text: $0) }
        let answers = said.map { $0["says"]?.string }
        #expect(answers == ["failure", "closed"], sourceLocation: sourceLocation)
        #expect(said.first?["reason"]?.string == Self.refusal(of: app), sourceLocation: sourceLocation)
    }
}

extension Device {
    fileprivate func pretend(_ words: [String]) throws -> RunningProgram {
        try start(program: [Builds.pretender, root.appending(path: "run/daemon.sock").path] + words, name: "pretender")
    }
}
