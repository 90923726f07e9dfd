// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// An app that quit after it had saved. Shows B09.
@Suite(.serialized, .needsNamespaces) struct KeptActivityTests {
    // Shows B09: killed, and terminated as at the end of a session, without ending its page.
    @Test(arguments: [SIGKILL, SIGTERM])
    func savedActivityOfAnAppThatQuitIsContinued(signal: Int32) throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage)
            try pair.begin(options: Pair.watched)
            let browser = try pair.browse()
            try pair.awaitSavedState()
            let watch = try pair.desktop.watchActivities()
            try watch.output.next("the page in the list") { $0.contains(Pair.title) }
            browser.send(signal)
            try browser.waitForExit()
            let line = try watch.output.next("that its app has quit") { $0.contains(#""saved":"#) }
            #expect(try JSON(text: line).elements.first?["title"]?.string == Pair.title)
            #expect(try pair.desktop.handoff("activity", "list").contains("(quit, saved "))

            let log = try pair.desktop.log(of: .monkeyBrowser)
            let outcome = try pair.desktop.json("activity", "continue", "--device", "laptop")
            #expect(outcome["saved"]?.string != nil)
            #expect(try log.next(starting: "continued tab=1") == "continued tab=1 url=\(Pair.page)")
            #expect(log.count(starting: "failed") == 0)
        }
    }

    // Shows B09, B13: after the configured time.
    @Test func itIsGoneAfterItsTime() throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage)
            try pair.begin(options: Pair.watched + ["--keep", "2s"])
            let browser = try pair.browse()
            try pair.awaitSavedState()
            let watch = try pair.desktop.watchActivities()
            browser.send(SIGKILL)
            try watch.output.next("that its app has quit") { $0.contains(#""saved":"#) }
            try watch.output.next("an empty list", within: .seconds(5)) { $0 == "[]" }
            #expect(try pair.desktop.command(["activity", "continue"]).code != 0)
        }
    }

    // Shows B02, B13: an app that ends its pages leaves nothing, nor does an app that runs again.
    @Test func endedActivityIsWithdrawnImmediately() throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage)
            try pair.begin(options: Pair.watched)
            let browser = try pair.browse()
            try pair.awaitSavedState()
            let watch = try pair.desktop.watchActivities()
            try watch.output.next("the page in the list") { $0.contains(Pair.title) }
            try browser.say("quit")
            let end = try watch.output.next("its end") { !$0.contains(Pair.title) }
            #expect(end == "[]")

            let second = try pair.browse()
            try pair.awaitSavedState()
            second.send(SIGKILL)
            try watch.output.next("that its app has quit") { $0.contains(#""saved":"#) }
            let third = try pair.laptop.open(.monkeyBrowser)
            try third.say("tab 2")
            try third.say("go \(Pair.page)")
            let line = try watch.output.next("the next page") { $0.contains("Favorite Tab") }
            #expect(try JSON(text: line).elements.count == 1)
        }
    }

    // Shows A18, B02.
    @Test func unattendedActivityExpires() throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage)
            try pair.begin(options: ["--expiry", "3s", "--keep", "0"])
            let browser = try pair.browse()
            let watch = try pair.desktop.watchActivities()
            try watch.output.next("its end") { $0 == "[]" }
            try browser.say("tab 1")
            try watch.output.next("the page again, as its user turned to it") { $0.contains(Pair.title) }
        }
    }
}
