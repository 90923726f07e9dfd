// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// Questions of the command to a user at a terminal. Shows X06.
@Suite(.serialized, .needsNamespaces, .timeLimit(.minutes(2))) struct TerminalQuestionTests {
    // Shows X06.
    @Test(arguments: [("y", ["laptop"]), ("n", ["laptop", "tablet"])])
    func removingADeviceAsksAboutThoseThatItAdmitted(_ answer: String, _ left: [String]) throws {
        try Stage.play { stage in
            let laptop = try laptopWithATablet(thatTheDesktopAdmitted: stage)
            let terminal = try TerminalWindow(columns: 200)
            let remove = try removeDesktop(from: laptop, at: terminal)
            try terminal.type("y")
            let asked = try terminal.wait(for: "the second question") { $0.text.contains("remove them too? [y/N]") }
            #expect(asked.text.contains("in the account only through desktop, 1 device: tablet ("), "\(asked.text)")
            try terminal.type(answer)
            #expect(try remove.waitForExit() == 0)
            let shown = try terminal.close().text
            #expect(shown.contains("desktop is removed"), "\(shown)")
            let remark = "still in the account through desktop, 1 device: tablet ("
            #expect(shown.contains(remark) == (answer == "n"), "\(shown)")
            #expect(try names(on: laptop) == left)
        }
    }

    @Test func removingADeviceTakesNoForAnAnswer() throws {
        try Stage.play { stage in
            let laptop = try laptopWithATablet(thatTheDesktopAdmitted: stage)
            let terminal = try TerminalWindow(columns: 200)
            let remove = try removeDesktop(from: laptop, at: terminal)
            try terminal.type("")
            #expect(try remove.waitForExit() != 0)
            #expect(try terminal.close().text.contains("nothing was removed"))
            #expect(try names(on: laptop) == ["desktop", "laptop", "tablet"])
        }
    }

    /// The member's activity is newer, so without the question it would be chosen.
    // Shows X06.
    @Test func anIdThatTwoDevicesHaveIsAskedAbout() throws {
        try Stage.play { stage in
            let shared = try SharedNetwork(on: stage, neighbour: .member)
            let watch = try shared.laptop.watchActivities()
            let honest = try shared.desktop.start(
                program: [
                    Builds.member, "--socket", shared.desktop.root.appending(path: "run/daemon.sock").path, "publishes",
                ], name: "honest")
            let report = try honest.output.next("its report") { $0.hasPrefix("{") }
            #expect(report == #"{"answered": 1}"#)
            try watch.output.next("the desktop's activity") { $0.contains("honest") }
            let (_, id) = try shared.offered(by: "offeredgarbage")

            let terminal = try TerminalWindow(columns: 200)
            let continuing = try shared.laptop.start(
                "activity", "continue", id,
                ends: .init(input: terminal.end, output: terminal.end, errors: terminal.end))
            let asked = try terminal.wait(for: "the question") { $0.text.contains("which one?") }
            let line = try #require(asked.rows.first { $0.contains("honest") })
            #expect(asked.text.contains("harmless"), "\(asked.text)")
            try terminal.type(String(line.prefix(1)))
            // Its program never answers a request for its state.
            #expect(try continuing.waitForExit(within: .seconds(20)) != 0)
            let shown = try terminal.close().text
            #expect(!shown.contains("malformed"), "\(shown)")

            let script = try shared.laptop.command(["activity", "continue", id, "--json"])
            #expect(script.code != 0 && script.output.contains("severalDevices"), "\(script.output)")
        }
    }

    /// Returns once it asks for confirmation.
    private func removeDesktop(from laptop: Device, at terminal: TerminalWindow) throws -> RunningProgram {
        let ends = RunningProgram.Ends(input: terminal.end, output: terminal.end, errors: terminal.end)
        let remove = try laptop.start("device", "remove", "desktop", ends: ends)
        try terminal.wait(for: "the question") { $0.text.contains("from the account permanently? [y/N]") }
        return remove
    }

    private func laptopWithATablet(thatTheDesktopAdmitted stage: Stage) throws -> Device {
        let network = try Network(on: stage)
        let devices = try ["laptop", "desktop", "tablet"].map { try Device($0, on: stage, network: network) }
        for device in devices { try device.startDaemon() }
        try devices[0].found(with: [devices[1]])
        try devices[2].join(try devices[1].invite().code)
        let tablet = try #require(devices[2].json("status")["device"]?.string?.split(separator: "-").first)
        try #require(devices[0].daemon).errors.next("the tablet's session") {
            $0.contains("device=\(tablet) ") && $0.hasSuffix("Session opened")
        }
        return devices[0]
    }

    private func names(on device: Device) throws -> [String] {
        try device.json("device", "list").elements.compactMap { $0["name"]?.string }.sorted()
    }
}
