// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// Bytes between programs on two machines, with the commands for scripts.
@Suite(.serialized, .needsNamespaces) struct StreamTests {
    // Shows C03: in both directions, and repeatedly.
    @Test(arguments: [0, 1, 65_537, 40_000_000]) func aFileArrivesByteForByte(_ size: Int) throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage)
            try pair.begin(with: [])
            let original = try pair.file("original", of: size, on: stage)
            for (origin, receiver) in [(pair.laptop, pair.desktop), (pair.desktop, pair.laptop)] {
                let publisher = try origin.stream(original.path, as: "From \(origin.name)", to: receiver)
                for number in 1...2 {
                    let copy = stage.folder.appending(path: "copy \(number) on \(receiver.name)")
                    try receiver.handoff(
                        "activity", "continue", "--stream-to", copy.path, within: .seconds(60))
                    #expect(FileManager.default.contentsEqual(atPath: original.path, andPath: copy.path))
                    try publisher.output.next("its delivery") { $0.contains("\(receiver.name) has it") }
                }
                publisher.stop()
            }
        }
    }

    // Shows C03: the pipe of the README.
    @Test func aFolderGoesThroughAPipe() throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage)
            try pair.begin(with: [])
            let folders = ["there", "here"].map { stage.folder.appending(path: $0) }
            for folder in folders {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            }
            for (name, size) in [("empty", 0), ("small", 10), ("large", 9_000_000)] {
                try pair.file("there/\(name)", of: size, on: stage)
            }
            let watch = try pair.desktop.watchActivities()
            let sender = try pair.laptop.start(
                script: #"tar c -C "$1" . | "$0" activity publish --type org.example.folder --title Folder --stream -"#,
                with: folders[0].path)
            try watch.output.next("the folder in the list") { $0.contains("Folder") }
            let receiver = try pair.desktop.start(
                script: #"set -o pipefail; "$0" activity continue --stream-to - | tar x -C "$1""#, with: folders[1].path
            )
            #expect(try receiver.waitForExit(within: .seconds(60)) == 0)
            #expect(try sender.waitForExit(within: .seconds(10)) == 0)
            let difference = try RunningProgram.run(["diff", "-r", folders[0].path, folders[1].path])
            #expect(difference.code == 0, "\(difference.output)")
        }
    }

    enum Mishap: CaseIterable {
        case originsDaemonKilled, receiversDaemonKilled, originsProgramKilled, receiversProgramKilled
        case deviceRemoved
    }

    // Shows C05: an interruption is not mistaken for the end.
    @Test(arguments: Mishap.allCases) func interruptedStreamFailsOnBothSides(_ mishap: Mishap) throws {
        try Stage.play { stage in
            let running = try RunningStream(of: Pair(offOn: stage))
            switch mishap {
            case .originsDaemonKilled: try running.pair.laptop.killDaemon()
            case .receiversDaemonKilled: try running.pair.desktop.killDaemon()
            case .originsProgramKilled: running.sender.send(SIGKILL)
            case .receiversProgramKilled: running.receiver.send(SIGKILL)
            case .deviceRemoved: try running.pair.laptop.handoff("device", "remove", "desktop", "--yes")
            }
            try running.expectBothToFail(within: .seconds(5))
            guard mishap == .originsProgramKilled || mishap == .receiversProgramKilled else { return }
            // Later continuations are unaffected.
            let original = try running.pair.file("original", of: 100_000, on: stage)
            let publisher = try running.pair.laptop.stream(original.path, as: "Another", to: running.pair.desktop)
            let copy = stage.folder.appending(path: "copy")
            try running.pair.desktop.handoff("activity", "continue", "--stream-to", copy.path)
            #expect(FileManager.default.contentsEqual(atPath: original.path, andPath: copy.path))
            publisher.stop()
        }
    }

    // Shows C05: while bytes are in transit, and while idle.
    @Test(arguments: [true, false]) func aCableGoesOut(inTheMiddleOfBytes: Bool) throws {
        try Stage.play { stage in
            let running = try RunningStream(of: Pair(offOn: stage))
            try running.pair.network.unplug("laptop")
            if inTheMiddleOfBytes { try running.sender.say("lost") }
            try running.expectBothToFail(within: .seconds(15))
        }
    }

    // Shows C05, C06: longer than the kernel waits for a reader if it is set to a short time.
    @Test func aReaderPauses() throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage)
            try pair.begin(with: [])
            let original = try pair.file("original", of: 400_000_000, on: stage)
            let publisher = try pair.laptop.stream(original.path, as: "Large", to: pair.desktop)
            let copy = stage.folder.appending(path: "copy")
            let receiver = try pair.desktop.start("activity", "continue", "--stream-to", copy.path)
            try publisher.output.next(starting: "streaming", within: .seconds(10))
            receiver.send(SIGSTOP)
            let daemons = try [pair.laptop, pair.desktop].map { try #require($0.daemon) }
            let before = try daemons.map { try $0.vitals().resident }
            for daemon in daemons { try daemon.forgetPeak() }
            // The pause itself is tested.
            Thread.sleep(forTimeInterval: 17)
            for (daemon, before) in zip(daemons, before) { #expect(try daemon.vitals().peak - before < 8 * 1024) }
            #expect(publisher.output.count(containing: "not streamed") == 0)
            receiver.send(SIGCONT)
            #expect(try receiver.waitForExit(within: .seconds(90)) == 0)
            #expect(FileManager.default.contentsEqual(atPath: original.path, andPath: copy.path))
        }
    }

    // Shows C03: a stream takes two descriptors of the daemon. An app has the usual limit.
    @Test func daemonRaisesItsDescriptorLimitAndAppsHaveTheUsualLimit() throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage)
            pair.desktop.daemonPrefix = ["prlimit", "--nofile=1024:8192"]
            try pair.begin()
            _ = try pair.browse()
            let log = try pair.desktop.log(of: .monkeyBrowser)
            try pair.desktop.handoff("activity", "continue")
            try log.next(starting: "continued tab=1")
            let daemon = try #require(pair.desktop.daemon)
            #expect(try softLimit(of: daemon.pid) == "4096")
            // Beside the program of the history.
            let apps = try RunningProgram.run(["pgrep", "-P", "\(daemon.pid)", "MonkeyBrowser"]).output
            let app = try #require(Int32(apps.trimmingCharacters(in: .whitespacesAndNewlines)), "it has one app")
            #expect(try softLimit(of: app) == "1024")
        }
    }

    private func softLimit(of process: Int32) throws -> String? {
        let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8).split(separator: "\n")
        return limits.first { $0.hasPrefix("Max open files") }?.split(separator: " ").dropFirst(3).first.map(
            String.init)
    }
}

/// A stream in progress: one line was received, and the sender has more.
private struct RunningStream {
    let pair: Pair
    let sender: RunningProgram
    let receiver: RunningProgram

    init(of pair: Pair) throws {
        try pair.begin(with: [])
        self.pair = pair
        sender = try pair.laptop.stream("-", as: "Log", to: pair.desktop)
        receiver = try pair.desktop.start("activity", "continue", "--stream-to", "-")
        try sender.say("first")
        try receiver.output.next("the first line") { $0 == "first" }
    }

    /// Both programs end with an error.
    func expectBothToFail(within bound: Duration) throws {
        let deadline = ContinuousClock.now + bound
        for program in [sender, receiver] {
            let left = max(.milliseconds(1), ContinuousClock.now.duration(to: deadline))
            #expect(try program.waitForExit(within: left) != 0)
        }
        #expect(receiver.output.lines.first == "first")
    }
}
