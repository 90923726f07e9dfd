// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

@Suite(.serialized, .needsNamespaces) struct ContinuationTests {
    // Shows T02, Y01, L02, A29, B01, B06, B08, B26, D01, D03, H01, H03.
    @Test func devicesFindEachOtherAndGoOnWithAPage() throws {
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

    // Shows B23: what was continued is offered from here, and can go on to its next device.
    @Test func aContinuedPageGoesBack() throws {
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

    // Shows L09, Y01: with IPv4 alone, with IPv6 alone, and where nothing says how to leave this network.
    @Test(arguments: [
        Network.Options(ipv6: false), .init(ipv4: false), .init(defaultRoute: false),
    ])
    func scriptsHandWorkToEachOther(options: Network.Options) throws {
        try Stage.play { stage in
            let network = try Network(on: stage, options)
            let laptop = try Device("laptop", on: stage, network: network)
            let desktop = try Device("desktop", on: stage, network: network)
            for device in [laptop, desktop] { try device.startDaemon() }
            try laptop.found(with: [desktop])
            let watch = try desktop.watchActivities()
            let publisher = try laptop.start(
                "activity", "publish", "--type", "com.example.notes.editing", "--title", "Shopping",
                "--user-info", #"{"line": 7, "words": ["milk", "tea"]}"#)
            try watch.output.next("the script's activity") { $0.contains("Shopping") }
            let state = try desktop.json("activity", "continue")
            #expect("\(state)".contains("milk"))
            try publisher.output.next("that it was continued") { $0.contains("desktop") }
        }
    }

    // Shows B14, G04.
    @Test func ofThreeDevicesOneGoesOn() throws {
        try Stage.play { stage in
            let network = try Network(on: stage)
            let devices = try ["laptop", "desktop", "tablet"].map { try Device($0, on: stage, network: network) }
            for device in devices { try device.startDaemon() }
            try devices[0].found(with: Array(devices.dropFirst()))
            for device in devices { try device.handoff("app", "install", App.monkeyBrowser.path) }
            let watches = try devices.dropFirst().map { try $0.watchActivities() }
            let browser = try devices[0].open(.monkeyBrowser)
            try browser.say("go \(Pair.page)")
            for watch in watches { try watch.output.next("the page in the list") { $0.contains(Pair.title) } }

            let logs = try devices.map { try $0.log(of: .monkeyBrowser) }
            try devices[2].handoff("activity", "continue")
            try logs[2].next(starting: "continued tab=1")
            try browser.output.next(starting: "was-continued tab=1")
            #expect(logs[1].lines.isEmpty)
        }
    }

    // Two apps of one team declare one type; the user's word chooses.
    @Test func theUserChoosesBetweenTwoApps() throws {
        try Stage.play { stage in
            let pair = try Pair(on: stage)
            let other = try App.monkeyBrowser.copied(as: "com.xamarin.othermonkey", to: stage.folder)
            try pair.desktop.handoff("app", "install", other.path)
            _ = try pair.browse()

            let log = try pair.desktop.log(of: .monkeyBrowser)
            let otherLog = try pair.desktop.log(of: other)
            try pair.desktop.handoff("activity", "continue", "--app", other.bundle)
            try otherLog.next(starting: "continued tab=1")
            #expect(log.lines.isEmpty)
        }
    }
}
