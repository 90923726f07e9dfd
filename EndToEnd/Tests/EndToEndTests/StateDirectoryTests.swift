// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// The daemon and the disk of its state.
@Suite(.serialized, .needsNamespaces) struct StateDirectoryTests {
    @Test func refusesAStateDirectoryThatCannotBeWritten() throws {
        try Stage.play { stage in
            let laptop = try Device("laptop", on: stage)
            try stage.mountMemory(at: laptop.root.appending(path: "state"), options: "ro")
            let daemon = try laptop.launchDaemon()
            #expect(try daemon.waitForExit() > 0)
            #expect(daemon.errors.text.contains("state"))
        }
    }

    // An account that cannot be stored is not created: the user gets an error, and the daemon continues.
    @Test func saysThatTheDiskIsFull() throws {
        try Stage.play { stage in
            let laptop = try Device("laptop", on: stage)
            let state = laptop.root.appending(path: "state")
            try stage.mountMemory(at: state, options: "size=128k,mode=0700")
            try laptop.startDaemon()
            try stage.fill(state)
            #expect(try laptop.command(["account", "create"]).code != 0)
            #expect(try laptop.command(["status"]).code == 0)
            try stage.empty(state)
            try laptop.handoff("account", "create")
        }
    }

    // As the report nemo 3515.
    @Test func startsAlthoughAFolderOfAppsDoesNotRespond() throws {
        try Stage.play { stage in
            let laptop = try Device("laptop", on: stage)
            let silent = stage.folder.appending(path: "share")
            try stage.mountSilence(at: silent)
            try laptop.install(.monkeyBrowser)
            laptop.environment["XDG_DATA_DIRS"] = silent.path + ":/usr/share"
            try laptop.startDaemon()
            let early = try laptop.json("status")["warnings"]?.elements.compactMap(\.string) ?? []
            #expect(early.contains { $0.contains("the installed apps are still being read") }, "\(early)")
            try laptop.daemon?.errors.next("the apps", within: .seconds(20)) { $0.hasSuffix("Installed apps read") }
            #expect(try laptop.json("app", "list").elements.first?["bundle"]?.string == App.monkeyBrowser.bundle)
            let later = try laptop.json("status")["warnings"]?.elements.compactMap(\.string) ?? []
            #expect(later.contains { $0.contains("\(silent.path) does not respond") }, "\(later)")
        }
    }

    // A continuation works even if the desktop cannot write to its disk; confirmed state is still there afterwards.
    @Test func continuesWithAFullDisk() throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage)
            let state = pair.desktop.root.appending(path: "state")
            try stage.mountMemory(at: state, options: "size=256k,mode=0700")
            try pair.begin()
            let browser = try pair.browse()
            try stage.fill(state)
            let outcome = try pair.desktop.json("activity", "continue")
            #expect(outcome["target"]?["app"]?.string == App.monkeyBrowser.bundle)
            try browser.output.next(starting: "was-continued tab=1")
            #expect(browser.output.count(starting: "saving") == 1)

            try stage.empty(state)
            try pair.desktop.stopDaemon()
            try pair.desktop.startDaemon()
            #expect(try pair.desktop.json("device", "list").elements.count == 2)
            #expect(try pair.desktop.json("app", "list").elements.count == 1)
        }
    }

    // Shows Q02: two users of one machine.
    @Test func theSecondDaemonOfAMachineNamesItsPort() throws {
        try Stage.play { stage in
            let network = try Network(on: stage)
            let laptop = try Device("laptop", on: stage, network: network)
            try laptop.startDaemon()
            #expect(try laptop.json("status")["warnings"]?.elements == [])
            let root = stage.folder.appending(path: "second").path
            let second = try laptop.start(program: [Builds.daemon, "--root", root, "--name", "second"], name: "second")
            try second.errors.next("\"Ready\"") { $0.hasSuffix("Ready") }
            let status = try laptop.json("status", "--root", root)
            let port = try #require(status["listening"]?.string?.split(separator: ":").last)
            #expect(port != "47474")
            let warning = try #require(status["warnings"]?.elements.first?.string)
            #expect(warning.contains("another program has port 47474") && warning.contains("on TCP port \(port)"))
        }
    }

    // Shows Q07, Y06: a home mounted by two machines, each with its own network and runtime folder.
    @Test func oneHomeOnTwoHostsHasOneDaemon() throws {
        try Stage.play { stage in
            let network = try Network(on: stage)
            let home = stage.folder.appending(path: "home")
            var hosts: [String: [String]] = [:]
            for host in ["study", "kitchen"] {
                let called = ["unshare", "--uts", "sh", "-c", #"hostname "$0" && exec "$@""#, host]
                hosts[host] = try network.connect(host) + called
                for folder in [home, stage.folder.appending(path: host)] {
                    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                }
            }
            func startDaemon(on host: String) throws -> RunningProgram {
                try stage.start(
                    (hosts[host] ?? []) + [Builds.daemon],
                    environment: [
                        "HOME": home.path, "XDG_RUNTIME_DIR": stage.folder.appending(path: host).path,
                    ], name: "handoffd on \(host)")
            }
            func isReady(_ line: String) -> Bool { line.hasSuffix("Ready") }
            let first = try startDaemon(on: "study")
            try first.errors.next("\"Ready\"", where: isReady)
            let second = try startDaemon(on: "kitchen")
            #expect(try second.waitForExit() > 0)
            #expect(second.errors.text.contains("handoffd on the host study (process"))
            let doctor = try RunningProgram.run(
                (hosts["kitchen"] ?? []) + [Builds.commandLine, "doctor"],
                environment: ["HOME": home.path, "XDG_RUNTIME_DIR": stage.folder.appending(path: "kitchen").path])
            #expect(doctor.output.contains("handoffd on the host study uses this state"), "\(doctor.output)")
            first.send(SIGKILL)
            try first.waitForExit()
            try startDaemon(on: "kitchen").errors.next("\"Ready\"", where: isReady)
        }
    }

    @Test func refusesToShareItsRoot() throws {
        try Stage.play { stage in
            let laptop = try Device("laptop", on: stage)
            try laptop.startDaemon()
            let second = try laptop.launchDaemon()
            #expect(try second.waitForExit() > 0)
            #expect(!second.errors.lines.isEmpty)
            #expect(try laptop.command(["status"]).code == 0)
        }
    }

    // Shows T10: neither with the closed directory nor after its user has opened everything.
    @Test func anotherUserOfThisMachineGetsNoAnswer() throws {
        try Stage.play { stage in
            let laptop = try Device("laptop", on: stage)
            try laptop.startDaemon()
            func askAsNobody(_ words: String...) throws -> Ended {
                let nobody = ["setpriv", "--reuid", "65534", "--clear-groups"]
                return try RunningProgram.run(
                    nobody + [Builds.commandLine] + words, environment: ["HANDOFF_ROOT": laptop.root.path])
            }
            // The program itself runs for every user.
            #expect(try askAsNobody("--help").code == 0)
            #expect(try askAsNobody("status").code != 0)
            let run = laptop.root.appending(path: "run")
            #expect(try RunningProgram.run(["chmod", "-R", "a+rwX", run.path]).code == 0)
            #expect(try askAsNobody("status").code != 0)
            #expect(try laptop.command(["status"]).code == 0)
        }
    }
}
