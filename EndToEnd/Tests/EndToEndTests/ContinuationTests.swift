// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

@Suite(.serialized, .needsNamespaces) struct ContinuationTests {
    // Shows T02, Y01, L02, A29, B01, B06, B08, B26, D01, D03, H01, H03, X06.
    @Test func devicesDiscoverEachOtherAndContinueAPage() throws {
        try Stage.play { stage in
            let pair = try Pair(on: stage)
            let browser = try pair.browse()
            let log = try pair.desktop.log(of: .monkeyBrowser)
            try pair.desktop.handoff("activity", "continue")
            try log.next(starting: "continuing tab=1")
            #expect(try log.next(starting: "continued tab=1") == "continued tab=1 url=\(Pair.page)")
            try browser.output.next(starting: "saving tab=1")
            try browser.output.next(starting: "was-continued tab=1")
            #expect(log.count(starting: "continuing") == 1)
            #expect(log.count(starting: "continued") == 1)
            #expect(log.count(starting: "failed") == 0)
        }
    }

    // Shows B24: two machines and a cable, with link-local addresses only.
    @Test func devicesContinueAPageOverADirectCable() throws {
        try Stage.play { stage in
            let pair = try Pair(on: stage, .init(ipv4: false, defaultRoute: false, linkLocalOnly: true))
            let routes = try pair.laptop.output(of: "ip", "-6", "route", "show", "table", "main")
            #expect(!routes.isEmpty && routes.allSatisfy { $0.hasPrefix("fe80::") }, "\(routes)")
            let browser = try pair.browse()
            let log = try pair.desktop.log(of: .monkeyBrowser)
            try pair.desktop.handoff("activity", "continue")
            #expect(try log.next(starting: "continued tab=1") == "continued tab=1 url=\(Pair.page)")
            try browser.output.next(starting: "was-continued tab=1")
        }
    }

    // Shows B22: a device like a watch.
    @Test func aDeviceThatOnlySends() throws {
        try Stage.play { stage in
            let pair = try Pair(on: stage)
            let (watch, desktop) = (pair.laptop, pair.desktop)
            try watch.handoff("policy", "off", "receiving")
            let log = try watch.log(of: .monkeyBrowser)
            let browser = try pair.browse()
            try desktop.handoff("activity", "continue")
            try browser.output.next(starting: "was-continued tab=1")

            // The desktop has it now, and the watch gets nothing back.
            let all = try watch.start("activity", "list", "--all", "--watch", "--json")
            let line = try all.output.next("the desktop's page") { $0.contains(#""deviceName":"desktop""#) }
            let offer = try #require(try JSON(text: line).elements.first { $0["deviceName"]?.string == "desktop" })
            #expect(offer["target"]?["kind"]?.string == "nothing")
            #expect(try watch.json("activity", "list").elements.isEmpty)
            let id = try #require(offer["activity"]?.string)
            #expect(try watch.command(["activity", "continue", id]).code != 0)
            #expect(log.lines.isEmpty, "no app was started")
            #expect(browser.output.count(starting: "continuing") == 0)
        }
    }

    // Shows B23: an activity continued here is offered from here, and can continue on another device.
    @Test func aContinuedPageContinuesBackOnTheFirstDevice() throws {
        try Stage.play { stage in
            let pair = try Pair(on: stage)
            let browser = try pair.browse()
            let watch = try pair.laptop.watchActivities()
            try pair.desktop.handoff("activity", "continue")
            try browser.output.next(starting: "was-continued tab=1")
            try watch.output.next("the desktop's activity") { $0.contains("desktop") }
            try pair.laptop.handoff("activity", "continue")
            #expect(try browser.output.next(starting: "continued tab=1") == "continued tab=1 url=\(Pair.page)")
        }
    }

    // Shows L09, B25.
    @Test func scriptsHandWorkToEachOther() throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage)
            try pair.begin(with: [])
            try handOver(from: pair.laptop, to: pair.desktop)
        }
    }

    // Shows G06, L09, B25: loopback only.
    @Test func twoDevicesAreOneMachine() throws {
        try Stage.play { stage in
            let devices = try ["laptop", "desktop"].map { try Device($0, on: stage) }
            for device in devices { try device.startDaemon(["--listen", "127.0.0.1:0", "--beacons", "false"]) }
            try devices[0].handoff("account", "create")
            let invitation = try devices[0].invite()
            try devices[1].join(invitation.code, at: invitation.address)
            try handOver(from: devices[0], to: devices[1])
        }
    }

    // The origin ends its copy when it is notified that another device has it.
    private func handOver(from laptop: Device, to desktop: Device) throws {
        let watch = try desktop.watchActivities()
        let publisher = try laptop.start(
            "activity", "publish", "--once", "--type", "com.example.notes.editing", "--title", "Shopping",
            "--user-info", #"{"line": 7, "words": ["milk", "tea"]}"#)
        try watch.output.next("the script's activity") { $0.contains("Shopping") }
        let state = try desktop.json("activity", "continue")
        #expect("\(state)".contains("milk"))
        try publisher.output.next("that it was continued") { $0.contains("desktop") }
        #expect(try publisher.waitForExit() == 0)
        try watch.output.next("an empty list") { $0 == "[]" }
    }

    // Shows B14, B23, G04.
    @Test func activityContinuesOnOneOfThreeDevicesAndThenAnother() throws {
        try Stage.play { stage in
            let network = try Network(on: stage)
            let devices = try ["laptop", "desktop", "tablet"].map { try Device($0, on: stage, network: network) }
            for device in devices { try device.startDaemon() }
            try devices[0].found(with: Array(devices.dropFirst()))
            for device in devices { try device.install(.monkeyBrowser) }
            let watches = try devices.dropFirst().map { try $0.watchActivities() }
            let browser = try devices[0].open(.monkeyBrowser)
            try browser.say("go \(Pair.page)")
            for watch in watches { try watch.output.next("the page in the list") { $0.contains(Pair.title) } }

            let logs = try devices.map { try $0.log(of: .monkeyBrowser) }
            try devices[2].handoff("activity", "continue")
            try logs[2].next(starting: "continued tab=1")
            try browser.output.next(starting: "was-continued tab=1")
            #expect(logs[1].lines.isEmpty)

            try watches[0].output.next("the page on the tablet") { $0.contains("\"deviceName\":\"tablet\"") }
            try devices[1].handoff("activity", "continue", "--device", "tablet")
            #expect(try logs[1].next(starting: "continued tab=1") == "continued tab=1 url=\(Pair.page)")
            try logs[2].next(starting: "was-continued tab=1")
            #expect(browser.output.count(starting: "was-continued") == 1)
        }
    }

    // Two apps of one team declare the same type, and the user's choice decides.
    @Test func theUserChoosesBetweenTwoApps() throws {
        try Stage.play { stage in
            let pair = try Pair(on: stage)
            let other = try App.monkeyBrowser.copied(as: "com.xamarin.othermonkey", to: stage.folder)
            try pair.desktop.install(other)
            _ = try pair.browse()

            let log = try pair.desktop.log(of: .monkeyBrowser)
            let otherLog = try pair.desktop.log(of: other)
            try pair.desktop.handoff("activity", "continue", "--app", other.bundle)
            try otherLog.next(starting: "continued tab=1")
            #expect(log.lines.isEmpty)
        }
    }
}
