// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// Progress of a stream at the terminals of both devices. The network is slow enough to see it. Shows L09.
@Suite(.serialized, .needsNamespaces) struct StreamProgressTests {
    /// Bytes per second.
    private static let rate = 4_000_000

    private func slowPair(on stage: Stage) throws -> Pair {
        let pair = try Pair(offOn: stage)
        try pair.begin(with: [])
        try pair.network.slow("laptop", to: Self.rate)
        return pair
    }

    // Shows C06, L09.
    @Test func aTerminalShowsBytesRateAndTimeLeftOnOneLine() throws {
        try Stage.play { stage in
            let pair = try slowPair(on: stage)
            let original = try pair.file("original", of: 10_000_000, on: stage)
            let here = try TerminalWindow(columns: 60)
            let there = try TerminalWindow(columns: 100)
            let publisher = try pair.laptop.stream(
                original.path, as: "Photo", to: pair.desktop, ends: .init(output: here.end, errors: here.end))
            let copy = stage.folder.appending(path: "copy")
            let receiver = try pair.desktop.start(
                "activity", "continue", "--stream-to", copy.path, ends: .init(errors: there.end))

            // The whole width, then a window that its user shrinks.
            let whole = /receiving  \[#*-*\] +\d+ %  [\d.]+ [kM]?B of 10\.0 MB  [\d.]+ [kM]B\/s  \d+ s left/
            let wide = try there.wait(for: "a few redraws") { screen in
                screen.overwritten.count { $0.wholeMatch(of: whole) != nil } > 3
            }
            #expect(wide.rows.count == 1 && wide.overflows == 0)
            #expect(wide.overwritten.allSatisfy { $0.count < 100 && $0.hasPrefix("receiving  ") })
            try there.resize(columns: 30)
            let small = /receiving  [\d.]+ [kM]?B of 10\.0 MB/
            try there.wait(for: "a small line") { $0.overwritten.last?.wholeMatch(of: small) != nil }

            #expect(try receiver.waitForExit(within: .seconds(20)) == 0)
            #expect(FileManager.default.contentsEqual(atPath: original.path, andPath: copy.path))
            let received = try there.close()
            let lines = received.overwritten
            let first = try #require(lines.firstIndex { $0.wholeMatch(of: small) != nil })
            #expect(lines[first...].allSatisfy { $0.wholeMatch(of: small) != nil }, "\(lines)")
            let percents = try lines.compactMap { try /(\d+) %/.firstMatch(in: $0).flatMap { Int($0.output.1) } }
            #expect(percents == percents.sorted() && Set(percents).count > 3, "\(percents)")
            // The line is gone at the end, and all later output is complete.
            #expect(received.unknown == [])
            let result = received.rows.joined()
            #expect(received.rows.last == "" && !result.contains("receiving"))
            #expect(result.hasPrefix("\(copy.path): 10.0 MB in "), "\(result)")

            try here.wait(for: "its delivery") { $0.rows.contains { $0.hasPrefix("desktop has it: 10.0 MB in ") } }
            publisher.stop()
            let sent = try here.close()
            let said = ["offered as ", "continued on desktop", "streaming 10.0 MB to desktop", "desktop has it: "]
            #expect(sent.rows.count == said.count + 1 && sent.rows.last == "", "\(sent.rows)")
            #expect(zip(sent.rows, said).allSatisfy { $0.hasPrefix($1) }, "\(sent.rows)")
            let sending = /sending  [\d.]+ [kM]?B of 10\.0 MB  [\d.]+ [kM]B\/s  \d+ s left/
            let redraws = sent.overwritten.filter { $0.wholeMatch(of: sending) != nil }
            #expect(redraws.count > 3, "\(sent.overwritten)")
            let isWithin = sent.overwritten.allSatisfy { $0.count < 60 && $0.hasPrefix("sending  ") }
            #expect(sent.overflows == 0 && isWithin)
        }
    }

    // Shows C03, L09: a second device, and the user's Ctrl-C, while the progress line is shown.
    @Test func messagesDuringProgressHaveTheirOwnLines() throws {
        try Stage.play { stage in
            let pair = try slowPair(on: stage)
            let original = try pair.file("original", of: 100_000_000, on: stage)
            let here = try TerminalWindow(columns: 80)
            let publisher = try pair.laptop.stream(
                original.path, as: "Photo", to: pair.desktop, ends: .init(output: here.end, errors: here.end))
            var receivers: [RunningProgram] = []
            for number in 1...4 {
                let copy = stage.folder.appending(path: "copy \(number)").path
                receivers.append(try pair.desktop.start("activity", "continue", "--stream-to", copy))
                try here.wait(for: "stream \(number)") { $0.rows.count { $0.hasPrefix("streaming") } >= number }
                let before = here.screen.overwritten.count
                try here.wait(for: "progress \(number)") { $0.overwritten.count > before + 1 }
            }
            receivers[0].send(SIGINT)
            #expect(try receivers[0].waitForExit() == 1)
            try here.wait(for: "its end") { $0.rows.contains { $0.contains("not streamed") } }
            let before = here.screen.overwritten.count
            try here.wait(for: "the progress of the others") { $0.overwritten.count > before + 1 }
            publisher.send(SIGINT)
            #expect(try publisher.waitForExit() == 1)
            for receiver in receivers.dropFirst() { #expect(try receiver.waitForExit() != 0) }

            let kinds = [
                "offered as ", "continued on desktop", "streaming 100 MB to desktop", "not streamed to desktop",
                "handoff: interrupted before everything was sent",
            ]
            let rows = try here.close().rows
            #expect(rows.last == "")
            #expect(rows.dropLast().allSatisfy { row in kinds.contains { row.hasPrefix($0) } }, "\(rows)")
            let continued = rows.filter { $0.hasPrefix("continued on desktop") }
            #expect(continued.count == 4)
        }
    }

    // Shows L08, L09: scripts read errors line by line, and a stream to the terminal is not overwritten.
    @Test func progressIsNotDrawnWithoutATerminal() throws {
        try Stage.play { stage in
            let pair = try slowPair(on: stage)
            let text = (1...300_000).map { "\($0)" }
            let original = stage.folder.appending(path: "original")
            try Data((text.joined(separator: "\n") + "\n").utf8).write(to: original)
            let publisher = try pair.laptop.stream(original.path, as: "Text", to: pair.desktop)
            let copies = (1...2).map { stage.folder.appending(path: "copy \($0)") }
            let forScripts = try TerminalWindow(columns: 80)
            let forPeople = try TerminalWindow(columns: 80)
            // One after the other, because a continuation ends the previous one. Their bytes arrive at the same time.
            var receivers: [RunningProgram] = []
            func begin(_ arguments: [String], _ ends: RunningProgram.Ends) throws {
                receivers.append(
                    try pair.desktop.start(["activity", "continue", "--stream-to"] + arguments, ends: ends))
                try publisher.output.next(starting: "streaming")
            }
            try begin([copies[0].path], .init())
            try begin([copies[1].path, "--json"], .init(errors: forScripts.end))
            try begin(["-"], .init(output: forPeople.end, errors: forPeople.end))
            for receiver in receivers { #expect(try receiver.waitForExit(within: .seconds(20)) == 0) }
            try publisher.output.wait(for: "all deliveries") { lines in
                lines.count { $0.hasPrefix("desktop has it: 2.0 MB") } == receivers.count
            }
            publisher.stop()
            for copy in copies { #expect(FileManager.default.contentsEqual(atPath: original.path, andPath: copy.path)) }
            #expect(publisher.errors.lines == [])
            let remarks = receivers[0].errors.lines
            #expect(remarks.count == 1 && remarks.last?.contains("copy 1: 2.0 MB in ") == true, "\(remarks)")
            #expect(!remarks.contains { $0.contains("\r") || $0.contains("\u{1B}") })
            #expect(try forScripts.close().rows == [""])
            let shown = try forPeople.close()
            #expect(shown.overwritten == [] && Array(shown.rows.prefix(text.count)) == text)
        }
    }
}
