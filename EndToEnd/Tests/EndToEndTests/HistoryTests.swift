// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// The files of the history, with a real app that indexes notes. Shows A35, W05.
@Suite(.serialized, .needsNamespaces) struct HistoryTests {
    /// A device with an app that has indexed a note, which is its current activity.
    private func laptop(on stage: Stage, note: String, state: String? = nil) throws -> (Device, RunningProgram) {
        let laptop = try Device("laptop", on: stage)
        if let state { try stage.mountMemory(at: laptop.root.appending(path: "state"), options: state) }
        try laptop.startDaemon()
        try laptop.handoff("account", "create")
        let app = try App.almanac(in: stage.folder)
        try laptop.install(app)
        let almanac = try laptop.open(app)
        try almanac.say("note 7 \(note)")
        try almanac.output.next(starting: "indexed")
        try almanac.output.next(starting: "saves Note 7")
        return (laptop, almanac)
    }

    /// The files of the device's state that contain the text.
    private func files(with text: String, on laptop: Device) throws -> String {
        try RunningProgram.run(
            ["grep", "-rliF", "--exclude-dir=logs", text, laptop.root.appending(path: "state").path]
        ).output
    }

    private func historyProgram(of laptop: Device) throws -> String {
        try RunningProgram.run(["pgrep", "-f", "handoff-history \(laptop.root.path)/"]).output
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func titles(_ laptop: Device, _ arguments: String...) throws -> [String] {
        let ended = try laptop.command(["history"] + arguments + ["--json"])
        guard ended.code == 0 else { throw Unmet("the history: \(ended.errors)") }
        return try JSON(text: ended.output).elements.compactMap { $0["title"]?.string }
    }

    @Test func forgottenNoteLeavesTheDiskBeforeTheProgramEnds() throws {
        try Stage.play { stage in
            let (laptop, almanac) = try laptop(on: stage, note: "zanzibarweh quixotisch")
            #expect(try titles(laptop, "search", "ZANZIB") == ["Note 7"])
            #expect(try !files(with: "zanzibarweh", on: laptop).isEmpty)
            try almanac.say("forget 7")
            try almanac.output.next(starting: "forgot 7")
            #expect(try titles(laptop, "search", "zanzib") == [])
            let program = try historyProgram(of: laptop)
            #expect(!program.isEmpty)
            try laptop.stopDaemon()
            // Until it has ended.
            _ = try RunningProgram.run(["tail", "--pid=\(program)", "-f", "/dev/null"])
            #expect(try files(with: "zanzibarweh", on: laptop) == "")
            #expect(try files(with: "quixotisch", on: laptop) == "")
        }
    }

    @Test func forgottenNoteLeavesTheDiskAfterACrashOfAll() throws {
        try Stage.play { stage in
            let (laptop, almanac) = try laptop(on: stage, note: "zanzibarweh quixotisch")
            let program = try #require(Int32(try historyProgram(of: laptop)))
            try almanac.say("forget 7")
            try almanac.output.next(starting: "forgot 7")
            // Before it deletes the words, two seconds later.
            kill(program, SIGKILL)
            try laptop.killDaemon()
            #expect(try !files(with: "zanzibarweh", on: laptop).isEmpty, "the crash was too late")
            almanac.stop()
            try laptop.startDaemon()
            // The program ends the deletion before its second answer.
            for _ in 0..<2 { #expect(try titles(laptop, "list") == []) }
            #expect(try files(with: "zanzibarweh", on: laptop) == "")
            #expect(try files(with: "quixotisch", on: laptop) == "")
        }
    }

    // Shows W05, G02.
    @Test func transfersAreListedOnBothDevicesAndCleared() throws {
        try Stage.play { stage in
            let pair = try Pair(on: stage)
            let app = try App.almanac(in: stage.folder)
            for device in [pair.laptop, pair.desktop] { try device.install(app) }
            let watch = try pair.desktop.watchActivities()
            let almanac = try pair.laptop.open(app)
            try almanac.say("note 7 soup")
            try watch.output.next("the note in the list") { $0.contains("Note 7") }
            watch.stop()
            try pair.desktop.handoff("activity", "continue")
            func listed(on device: Device) throws -> [String] {
                try device.json("history", "transfers").elements.map { transfer in
                    ["direction", "title", "device", "app"].map { transfer[$0]?.string ?? "-" }.joined(separator: " ")
                }
            }
            #expect(try listed(on: pair.laptop) == ["sent Note 7 desktop com.example.almanac"])
            #expect(try listed(on: pair.desktop) == ["received Note 7 laptop com.example.almanac"])
            try almanac.say("forget 7")
            try almanac.output.next(starting: "forgot 7")
            #expect(try listed(on: pair.laptop) == ["sent - desktop com.example.almanac"])
            try pair.desktop.handoff("history", "forget", "--transfers")
            #expect(try listed(on: pair.desktop) == [])
        }
    }

    /// The app learns that its items are not on disk, and the search still reads.
    @Test func fullDiskRefusesItemsAndKeepsTheRest() throws {
        try Stage.play { stage in
            let (laptop, almanac) = try laptop(on: stage, note: "soup", state: "size=4m,mode=0700")
            let state = laptop.root.appending(path: "state")
            try stage.fill(state)
            let text = String(repeating: "poem ", count: 800)
            for number in 10..<40 { try almanac.say("note \(number) \(text)") }
            func answers(_ lines: [String]) -> [String] { lines.filter { $0.contains("indexed") } }
            try almanac.output.wait(for: "all answers", within: .seconds(30)) { answers($0).count == 31 }
            #expect(answers(almanac.output.lines).contains("not indexed: CSIndexErrorDomain -1000"))
            #expect(try titles(laptop, "search", "soup") == ["Note 7"])
            try stage.empty(state)
            try almanac.say("note 8 stew")
            try almanac.output.wait(for: "another answer") { answers($0).count == 32 }
            #expect(try titles(laptop, "search", "stew") == ["Note 8"])
        }
    }
}
