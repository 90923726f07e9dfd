// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// The daemon and the disk it lives on.
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

    // A new account that cannot be kept is no account: the user is told, and the daemon goes on.
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

    // Shows T10.
    @Test func anotherUserOfThisMachineGetsNoAnswer() throws {
        try Stage.play { stage in
            let laptop = try Device("laptop", on: stage)
            try laptop.startDaemon()
            let nobody = ["setpriv", "--reuid", "65534", "--clear-groups"]
            let ended = try RunningProgram.run(
                nobody + [Builds.commandLine, "status"], environment: ["HANDOFF_ROOT": laptop.root.path])
            #expect(ended.code != 0)
        }
    }
}
