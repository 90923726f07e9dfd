// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestBuses
import TestPrograms
import Testing

/// The Python example on two devices: real daemons, each with its own bus.
// Shows L05.
@Suite(.timeLimit(.minutes(2))) struct PythonAppTests {
    private static let app = "com.example.pynotes"
    private static let example = String.repository + "/Examples/Python/notes.py"

    private func notes(on device: BusDevice) async throws -> Program {
        let fixture = try BusFixture()
        try await fixture.isReady(at: device.bus.address)
        await fixture.stop()
        let notes = try device.start(["/usr/bin/python3", Self.example, ""], takesInput: true)
        try await notes.hear("registered")
        return notes
    }

    private func waits(_ device: BusDevice, for line: String) async throws {
        let tail = try device.start(
            ["/usr/bin/tail", "-n", "+1", "-F", device.root + "/state/logs/\(Self.app).log"])
        try await tail.hear(line)
        tail.send(SIGKILL)
    }

    /// Every step in both directions: the app that continued the activity is the origin of the second half.
    @Test func noteContinuesInPythonAndBack() async throws {
        let pair = try await BusPair()
        try await pair.install(
            Self.app, type: Self.app + ".writing",
            script: try String(contentsOfFile: Self.example, encoding: .utf8))
        let attachment = pair.folder + "/attachment"
        try Data(repeating: 7, count: 3_000_000).write(to: URL(filePath: attachment))

        let here = try await notes(on: pair.laptop)
        try here.type("attach \(attachment)")
        try here.type("write Shopping: milk")
        try here.type("edit milk and bread")
        let there = try await notes(on: pair.desktop)
        try await pair.desktop.sees("Shopping")
        try there.type("list")
        let listed = try await there.hear("Shopping laptop")
        try there.type("continue \(listed.prefix { $0 != " " })")
        try await here.hear("saving")
        try await here.hear("went to desktop")
        let finished = try await there.hear("finished True")
        #expect(finished.contains("'how': 'app'") && finished.contains(Self.app))
        #expect(there.output.contains("progress {'microseconds'"))
        try await waits(pair.desktop, for: "coming from laptop")
        try await waits(pair.desktop, for: "continued Shopping milk and bread date")
        try await waits(pair.desktop, for: "stream whole 3000000")
        try await here.hear("stream whole 19")

        // The way back: the desktop's app now offers it, and that app was started by the daemon.
        try here.type("withdraw")
        try await pair.laptop.sees("desktop")
        try await pair.laptop.handoff("activity", "continue")
        try await waits(pair.desktop, for: "went to laptop")
        try await waits(pair.laptop, for: "continued Shopping milk and bread date")
        try await waits(pair.laptop, for: "stream whole 0")
        try await waits(pair.desktop, for: "stream whole 19")
        for device in [pair.laptop, pair.desktop] { #expect(!device.log(of: Self.app).contains("Traceback")) }
        #expect(here.errors.isEmpty && there.errors.isEmpty)
    }

    @Test func anAppOutlivesAnUpgradeOfTheDoor() async throws {
        let pair = try await BusPair()
        let here = try await notes(on: pair.laptop)
        try here.type("write Shopping: milk")
        try await pair.desktop.sees("Shopping")
        try await pair.laptop.restartDoor()
        #expect(await here.wait { $0.output.components(separatedBy: "registered").count == 3 })
        try await pair.desktop.sees("Shopping")
        #expect(here.errors.isEmpty)
    }

    @Test func failedContinuationIsReportedOnce() async throws {
        let pair = try await BusPair()
        let there = try await notes(on: pair.desktop)
        try there.type("continue 00112233445566778899aabbccddeeff")
        try await there.hear("finished False")
        #expect(there.output.contains("'code': 'ActivityGone'"))
        #expect(there.output.components(separatedBy: "finished").count == 2)
    }
}
