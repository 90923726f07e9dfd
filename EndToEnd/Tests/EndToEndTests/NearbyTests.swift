// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// Joining a device that is chosen from a list, at a terminal. Shows L18.
@Suite(.serialized, .needsNamespaces, .timeLimit(.minutes(2))) struct NearbyTests {
    // Shows L18, T02.
    @Test func deviceJoinsWithoutACodeOnceBothUsersHaveCompared() throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage)
            for device in [pair.laptop, pair.desktop] { try device.startDaemon() }
            try pair.laptop.handoff("account", "create")
            let (_, inviting) = try pair.laptop.inviteAsking()
            let joining = try pair.desktop.start("account", "join", "--nearby", "--json")
            let shown = try JSON(text: try joining.output.next("a number") { $0.contains("number") })
            #expect(try inviting.asked() == shown["number"]?.string)
            try joining.say("y")
            try inviting.say("y")
            #expect(try joining.waitForExit() == 0)
            #expect(try inviting.waitForExit() == 0)
            #expect(try pair.laptop.json("device", "list").elements.count == 2)
        }
    }

    // Shows L18, X06.
    @Test func deviceWhoseUserSeesAnotherNumberDoesNotJoin() throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage)
            for device in [pair.laptop, pair.desktop] { try device.startDaemon() }
            try pair.laptop.handoff("account", "create")
            let (_, inviting) = try pair.laptop.inviteAsking()
            let joining = try pair.desktop.start("account", "join", "--nearby", "--device", "LapTop", "--json")
            try joining.output.next("a number") { $0.contains("number") }
            _ = try inviting.asked()
            try joining.say("n")
            #expect(try joining.waitForExit() != 0)
            try inviting.say("y")
            // The invite is open again.
            let again = try pair.desktop.start("account", "join", "--nearby", "--json")
            let shown = try JSON(text: try again.output.next("a number") { $0.contains("number") })
            #expect(try inviting.asked() == shown["number"]?.string)
            try inviting.say("y")
            try again.say("y")
            #expect(try again.waitForExit() == 0)
        }
    }

    // Shows L18, X06: magic-wormhole#349. A neighbour asks while the user types.
    @Test func answerTypedBeforeTheQuestionAdmitsNothing() throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage)
            for device in [pair.laptop, pair.desktop] { try device.startDaemon() }
            try pair.laptop.handoff("account", "create")
            let (terminal, inviting) = try invite(on: pair.laptop)
            try terminal.type("y")
            let first = try pair.desktop.start("account", "join", "--nearby", "--json")
            try terminal.wait(for: "the question") { $0.text.contains("Does it show the number") }
            // The second answer is for no question either.
            first.stop()
            try terminal.wait(for: "its end") { $0.text.contains("desktop no longer asks to join") }
            try terminal.type("y")
            let second = try pair.desktop.start("account", "join", "--nearby", "--json")
            try second.output.next("a number") { $0.contains("number") }
            try terminal.wait(for: "the question") { $0.text.components(separatedBy: "[y/N]").count == 3 }
            try second.say("y")
            try terminal.type("n")
            #expect(try second.waitForExit() != 0)
            #expect(try pair.laptop.json("device", "list").elements.count == 1)
            inviting.stop()
            _ = try terminal.close()
        }
    }

    // Shows L18: thexhr/isscrolls#19, element-web#11638.
    @Test func signalEndsTheInviteDuringItsQuestionAndNotifiesThePeer() throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage)
            for device in [pair.laptop, pair.desktop] { try device.startDaemon() }
            try pair.laptop.handoff("account", "create")
            let (terminal, inviting) = try invite(on: pair.laptop)
            let joining = try pair.desktop.start("account", "join", "--nearby", "--json")
            try terminal.wait(for: "the question") { $0.text.contains("Does it show the number") }
            inviting.stop(within: .seconds(3))
            #expect(try terminal.close().text.contains("the code is no longer valid"))
            #expect(try joining.waitForExit() != 0)
        }
    }

    private func invite(on device: Device) throws -> (TerminalWindow, RunningProgram) {
        let terminal = try TerminalWindow(columns: 200)
        let ends = RunningProgram.Ends(input: terminal.end, output: terminal.end, errors: terminal.end)
        let inviting = try device.start("account", "invite", ends: ends)
        try terminal.wait(for: "the invite") { $0.text.contains("waiting for the other device") }
        return (terminal, inviting)
    }

    // Shows L18, X01, X05: on the cable.
    @Test func networkSeesAnAnnouncementOnlyWhileAnInviteIsOpen() throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage)
            let cable = try pair.network.capture("laptop")
            for device in [pair.laptop, pair.desktop] { try device.startDaemon() }
            try pair.laptop.handoff("account", "create")
            try pair.laptop.inviteWaiting().1.stop()
            let hidden = try pair.laptop.start("account", "invite", "--hidden", "--json")
            try hidden.output.next("an invite") { $0.hasPrefix("{") }
            let looking = try pair.desktop.start("account", "join", "--nearby", "--json")
            #expect(try cable.traffic().announcements.isEmpty)

            let (invitation, inviting) = try pair.laptop.inviteAsking()
            #expect(try hidden.waitForExit() != 0)
            try looking.output.next("the number") { $0.contains("number") }
            let announced = try cable.traffic().announcements
            #expect(Set(announced).count == 1)
            let text = try #require(announced.first.map { String(decoding: $0, as: UTF8.self) })
            #expect(text.contains("laptop"))
            // The typed code is another one, and the new device says nothing about itself.
            #expect(!text.contains(invitation.code))
            #expect(!announced.contains { $0.range(of: Data("desktop".utf8)) != nil })
            inviting.stop()
            #expect(try looking.waitForExit() != 0)
            let all = try cable.traffic().announcements.count
            try pair.desktop.run("sleep", "3")
            #expect(try cable.traffic().announcements.count == all)
        }
    }
}

extension Traffic {
    /// Each once, although it is sent to two groups.
    fileprivate var announcements: [Data] { datagrams.map(\.bytes).filter { $0.first == 0x81 } }
}
