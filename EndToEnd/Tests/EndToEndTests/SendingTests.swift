// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// Sending an activity to a chosen device, with real daemons, disks and apps.
@Suite(.serialized, .needsNamespaces) struct SendingTests {
    // Shows W04: the receiver is off at first, and the sender is off for good when the receiver continues.
    @Test func sendToAnOfflineDeviceContinuesWithoutItsOrigin() throws {
        try Stage.play { stage in
            let pair = try Pair(on: stage)
            let browser = try pair.browse()
            try pair.desktop.killDaemon()
            try pair.laptop.daemon?.errors.next("the end of the session") { $0.hasSuffix("Session closed") }

            let sent = try pair.laptop.json("activity", "send", "--to", "desktop")["sent"]
            #expect(sent?["standing"]?.string == "waiting")
            let id = try #require(sent?["activity"]?.string)
            // Its app and daemon are killed; the sent activity stays.
            browser.send(SIGKILL)
            try browser.waitForExit()
            try pair.laptop.killDaemon()
            try pair.laptop.startDaemon()
            #expect(try pair.laptop.handoff("activity", "sends").hasPrefix(String(id.prefix(8))))

            try pair.desktop.startDaemon()
            let watch = try pair.desktop.watchActivities()
            try watch.output.next("what was sent", within: .seconds(30)) { $0.contains(#""sent":true"#) }
            try pair.laptop.killDaemon()
            try pair.desktop.killDaemon()
            try pair.desktop.startDaemon()

            let log = try pair.desktop.log(of: .monkeyBrowser)
            let outcome = try pair.desktop.json("activity", "continue", String(id.prefix(8)))
            #expect(outcome["target"]?["kind"]?.string == "app")
            #expect(try log.next(starting: "continued tab=1") == "continued tab=1 url=\(Pair.page)")
            #expect(log.count(starting: "failed") == 0)
            let left = try pair.desktop.json("activity", "list", "--all")
            #expect(!left.elements.contains { $0["sent"] == .bool(true) }, "what was continued is gone")
        }
    }

    // Shows W04: a live app is asked to save. The activity is listed twice, and the sent one stays.
    @Test func sentToAConnectedDeviceItOutlivesWhatItWasSentFrom() throws {
        try Stage.play { stage in
            let pair = try Pair(on: stage)
            let browser = try pair.browse()
            #expect(try pair.laptop.handoff("activity", "send", "--to", "desktop") == "sent to desktop")
            #expect(try pair.laptop.handoff("activity", "sends") == "")
            let watch = try pair.desktop.watchActivities()
            let both = try watch.output.next("both") { $0.contains(#""sent":true"#) }
            #expect(try JSON(text: both).elements.count == 2)
            try browser.say("quit")
            let left = try watch.output.next("the one that was sent") { !$0.contains(#""sent":false"#) }
            let id = try #require(try JSON(text: left).elements.first?["activity"]?.string)
            let log = try pair.desktop.log(of: .monkeyBrowser)
            try pair.desktop.handoff("activity", "continue", id)
            #expect(try log.next(starting: "continued tab=1") == "continued tab=1 url=\(Pair.page)")
            try watch.output.next("nothing more") { $0 == "[]" }
        }
    }
}
