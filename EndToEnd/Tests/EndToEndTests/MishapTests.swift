// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// What goes wrong on a real machine. Every continuation still ends, once.
@Suite(.serialized, .needsNamespaces) struct MishapTests {
    // Shows Y02, Y03.
    @Test func aCableGoesOutAndComesBack() throws {
        try Stage.play { stage in
            let pair = try Pair(on: stage)
            let browser = try pair.browse()
            let watch = try pair.desktop.watchActivities()
            try watch.output.next("the page in the list") { $0.contains(Pair.title) }
            try pair.network.unplug("laptop")
            try watch.output.next("the page to go", within: .seconds(15)) { !$0.contains(Pair.title) }
            try pair.network.plug("laptop")
            try watch.output.next("the page to be back", within: .seconds(3)) { $0.contains(Pair.title) }
            try pair.desktop.handoff("activity", "continue")
            try browser.output.next(starting: "was-continued tab=1")
        }
    }

    // Shows B10, E01: exactly one outcome; afterwards the app publishes again by itself.
    @Test func theOriginsDaemonIsKilledInTheMiddle() throws {
        try Stage.play { stage in
            let pair = try Pair(on: stage)
            let browser = try pair.browse()
            let log = try pair.desktop.log(of: .monkeyBrowser)
            // The app does not answer, so the continuation waits for it.
            browser.send(SIGSTOP)
            let attempt = try pair.desktop.start("activity", "continue")
            try log.next(starting: "continuing tab=1")
            try pair.laptop.killDaemon()
            #expect(try attempt.waitForExit(within: .seconds(20)) != 0)
            try log.next(starting: "failed tab=1")
            #expect(log.count(starting: "continued") == 0)

            browser.send(SIGCONT)
            let watch = try pair.desktop.watchActivities()
            try pair.laptop.startDaemon()
            try watch.output.next("the page to be back") { $0.contains(Pair.title) }
            try pair.desktop.handoff("activity", "continue")
            try log.next(starting: "continued tab=1")
            #expect(log.count(starting: "failed") == 1)
        }
    }

    // Shows B09, E01.
    @Test func theOriginsAppDiesInWillSave() throws {
        try Stage.play { stage in
            let pair = try Pair(on: stage)
            let browser = try pair.browse()
            let log = try pair.desktop.log(of: .monkeyBrowser)
            browser.send(SIGSTOP)
            let attempt = try pair.desktop.start("activity", "continue")
            try log.next(starting: "continuing tab=1")
            browser.send(SIGKILL)
            #expect(try attempt.waitForExit() != 0)
            let failure = try log.next(starting: "failed tab=1")
            #expect(failure.contains("code=460") || failure.contains("code=461"))
            #expect(log.count(starting: "failed") == 1)
            #expect(log.count(starting: "continued") == 0)
        }
    }

    // Shows B11, E03.
    @Test func theOriginsAppDoesNotAnswer() throws {
        try Stage.play { stage in
            let pair = try Pair(on: stage)
            let browser = try pair.browse()
            let log = try pair.desktop.log(of: .monkeyBrowser)
            browser.send(SIGSTOP)
            #expect(try pair.desktop.command(["activity", "continue"], within: .seconds(30)).code != 0)
            #expect(try log.next(starting: "failed tab=1").contains("code=4610"))
        }
    }

    // Shows T02: the third wrong code uses the invite up, so that the right one comes too late.
    @Test func aWrongCodeIsTriedThreeTimes() throws {
        try Stage.play { stage in
            let network = try Network(on: stage)
            let laptop = try Device("laptop", on: stage, network: network)
            let neighbour = try Device("neighbour", on: stage, network: network)
            let phone = try Device("phone", on: stage, network: network)
            for device in [laptop, neighbour, phone] { try device.startDaemon() }
            for device in [laptop, neighbour] { try device.handoff("account", "create") }
            let invitation = try laptop.invite()
            let wrongCode = try neighbour.invite().code
            let address = invitation.address

            // A slip of the finger is noticed here, and costs no try.
            let mistyped = String(invitation.code.dropLast()) + (invitation.code.hasSuffix("A") ? "B" : "A")
            #expect(try phone.command(["account", "join", mistyped, "--address", address]).code != 0)
            for _ in 1...3 {
                #expect(try phone.command(["account", "join", wrongCode, "--address", address]).code != 0)
            }
            #expect(try phone.command(["account", "join", invitation.code, "--address", address]).code != 0)
            #expect(try laptop.json("device", "list").elements.count == 1)
        }
    }
}
