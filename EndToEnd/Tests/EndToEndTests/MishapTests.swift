// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// Failures of real machines. Each continuation ends exactly once, and the app's delegate receives the reason.
@Suite(.serialized, .needsNamespaces) struct MishapTests {
    // Shows B10, E01, Y02: exactly one outcome; afterwards the app publishes again automatically.
    @Test func theOriginsDaemonIsKilledInTheMiddle() throws {
        try Stage.play { stage in
            let pair = try Pair(on: stage)
            let stuck = try StuckContinuation(of: pair)
            try pair.laptop.killDaemon()
            try stuck.expectOneFailure(code: 4608)

            stuck.browser.send(SIGCONT)
            let watch = try pair.desktop.watchActivities()
            try pair.laptop.startDaemon()
            try watch.output.next("the page to be back", within: .seconds(3)) { $0.contains(Pair.title) }
            try pair.desktop.handoff("activity", "continue")
            try stuck.log.next(starting: "continued tab=1")
            #expect(stuck.log.count(starting: "failed") == 1)
        }
    }

    // Shows B09, E01: the app had saved nothing before.
    @Test func theOriginsAppDiesInWillSave() throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage)
            try pair.begin(options: ["--keep", "0"])
            let stuck = try StuckContinuation(of: pair)
            stuck.browser.send(SIGKILL)
            try stuck.expectOneFailure(code: 4608)
        }
    }

    // Shows B09: the previously saved state is sent instead.
    @Test func theOriginsAppDiesInItsSecondWillSave() throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage)
            try pair.begin(options: Pair.watched)
            let browser = try pair.browse()
            try pair.awaitSavedState()
            let log = try pair.desktop.log(of: .monkeyBrowser)
            browser.send(SIGSTOP)
            let attempt = try pair.desktop.start("activity", "continue", "--json")
            try log.next(starting: "continuing tab=1")
            browser.send(SIGKILL)
            #expect(try log.next(starting: "continued tab=1") == "continued tab=1 url=\(Pair.page)")
            #expect(try attempt.waitForExit() == 0)
            #expect(try JSON(text: attempt.output.text)["saved"]?.string != nil)
            #expect(log.count(starting: "failed") == 0)
        }
    }

    // Shows B11, E03.
    @Test func theOriginsAppDoesNotAnswer() throws {
        try Stage.play { stage in
            let stuck = try StuckContinuation(of: Pair(on: stage))
            try stuck.expectOneFailure(code: 4610, within: .seconds(30))
        }
    }

    // Shows E06: the newest request wins, and the app learns the end of the first before the second begins.
    @Test func theUserTurnsToSomethingElse() throws {
        try Stage.play { stage in
            let pair = try Pair(on: stage)
            let stuck = try StuckContinuation(of: pair)
            let watch = try pair.desktop.watchActivities()
            let another = try App.monkeyBrowser.copied(as: "com.xamarin.othermonkey", to: stage.folder)
            try pair.laptop.install(another)
            let other = try pair.laptop.open(another)
            try other.say("tab 2")
            try other.say("go \(Pair.page)")
            try watch.output.next("the other page in the list") { $0.contains("Favorite Tab") }

            // Continues the newest of the list.
            try pair.desktop.handoff("activity", "continue")
            try stuck.expectOneFailure(code: 3072)
            try stuck.log.next(starting: "continuing tab=2")
            try stuck.log.next(starting: "continued tab=2")
            try other.output.next(starting: "was-continued tab=2")
        }
    }

    // Shows E02: the origin is lost between will-continue and the request for its state.
    @Test func theOriginCannotBeReached() throws {
        try Stage.play { stage in
            let pair = try Pair(on: stage)
            _ = try pair.browse()
            let receiver = try pair.desktop.open(.monkeyBrowser)
            try receiver.output.next(starting: "ready")
            // Once the laptop lists the receiver's page, the desktop's daemon knows that the receiver runs.
            let known = try pair.laptop.watchActivities()
            try receiver.say("tab 4")
            try receiver.say("go \(Pair.page)")
            try known.output.next("the desktop's page") { $0.contains("Work Tab") }
            // The daemon waits for its answer to will-continue before it requests the state.
            receiver.send(SIGSTOP)
            let attempt = try pair.desktop.start("activity", "continue")
            try pair.desktop.daemon?.errors.next("the continuation") { $0.hasSuffix("Continuation started") }
            let watch = try pair.desktop.watchActivities()
            try watch.output.next("the page in the list") { $0.contains(Pair.title) }
            try pair.laptop.killDaemon()
            try watch.output.next("the page to go") { !$0.contains(Pair.title) }
            receiver.send(SIGCONT)
            try receiver.output.next(starting: "continuing tab=1")
            #expect(try receiver.output.next(starting: "failed tab=1").contains("code=4609 "))
            #expect(try attempt.waitForExit() != 0)
            #expect(receiver.output.count(starting: "failed") == 1)
            #expect(receiver.output.count(starting: "continued") == 0)
        }
    }

    // Shows E04, B12: the state contains the address, and 140,000 characters exceed the limit of 128 KiB.
    @Test func theStateIsTooLarge() throws {
        try Stage.play { stage in
            let pair = try Pair(on: stage)
            let browser = try pair.browse(to: Pair.page + "?" + String(repeating: "x", count: 140_000))
            let log = try pair.desktop.log(of: .monkeyBrowser)
            #expect(try pair.desktop.command(["activity", "continue"]).code != 0)
            #expect(try log.next(starting: "failed tab=1").contains("code=4611 "))
            #expect(log.count(starting: "continued") == 0)
            #expect(browser.output.count(starting: "was-continued") == 0)

            // A shorter address is transferred, though too long for a web page.
            try browser.say("go \(Pair.page)?" + String(repeating: "x", count: 100_000))
            try browser.output.next(starting: "current tab=1")
            try pair.desktop.handoff("activity", "continue")
            try log.next(starting: "continued tab=1")
        }
    }

    // Shows T02: three wrong codes do not use up the invite.
    @Test func aWrongCodeCostsTheInviteNothing() throws {
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

            // A typing mistake is detected on the joining device.
            let mistyped = String(invitation.code.dropLast()) + (invitation.code.hasSuffix("A") ? "B" : "A")
            #expect(try phone.tryToJoin(mistyped, at: address).code != 0)
            for _ in 1...3 {
                #expect(try phone.tryToJoin(wrongCode, at: address).code != 0)
            }
            #expect(try laptop.json("device", "list").elements.count == 1)
            #expect(try phone.tryToJoin(invitation.code, at: address).code == 0)
            #expect(try laptop.json("device", "list").elements.count == 2)
        }
    }
}
