// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// Pages and files for a phone, with real daemons and KDE Connect's real daemon at both ends. Shows M08.
@Suite(.serialized, .needsNamespaces, .enabled(if: KDEConnect.missing == nil, "\(KDEConnect.missing ?? "")"))
struct PhoneTests {
    /// A laptop with an account, and a paired phone on the same network.
    private struct Home {
        let laptop: Device
        let here: KDEConnect
        let phone: KDEConnect
        let bus: RunningProgram
        let stage: Stage

        init(on stage: Stage) throws {
            self.stage = stage
            let network = try Network(on: stage)
            laptop = try Device("laptop", on: stage, network: network)
            let other = try Device("phone", on: stage, network: network)
            let (desktop, screen) = (try laptop.startDesktop(), try other.startDesktop())
            here = try KDEConnect("Laptop", on: laptop, desktop, of: stage)
            phone = try KDEConnect("Anna's Phone", on: other, screen, of: stage)
            try laptop.startDaemon(["--log-level", "debug"])
            try laptop.handoff("account", "create")
            bus = try laptop.startBus()
            try here.pair(with: phone)
            try awaitPhones(1)
        }

        /// Waits until the daemon knows of this many.
        func awaitPhones(_ count: Int) throws {
            try laptop.daemon?.errors.next("\(count) phones", within: .seconds(40)) {
                $0.contains("Reachable phones reported") && $0.contains("count=\(count)")
            }
        }

        func refusal(_ arguments: String...) throws -> String {
            let ended = try laptop.command(["activity", "send", "--to"] + arguments)
            #expect(ended.code != 0)
            return ended.errors
        }
    }

    // Shows M08.
    @Test func pagesAndFilesReachThePhone() throws {
        try Stage.play { stage in
            let home = try Home(on: stage)
            let listed = try home.laptop.json("device", "list").first(where: "name", is: "Anna's Phone")
            #expect(listed?["through"]?.string == "KDE Connect")
            #expect(listed?["device"] == nil)
            let id = try #require(listed?["phone"]?.string)
            #expect(try home.laptop.handoff("device", "list").contains("phone, through KDE Connect"))
            #expect(try home.laptop.handoff("status").contains("Anna's Phone, through KDE Connect"))

            let page = "https://weather.example/tomorrow?a=b%20c"
            let said = try home.laptop.handoff("activity", "send", "--to", "anna's phone", page)
            #expect(said == "handed to KDE Connect for Anna's Phone")
            try home.phone.opened.next("the page", within: .seconds(20)) {
                $0.hasPrefix("https://weather.example/tomorrow")
            }

            let receptions = try home.phone.receptions()
            let file = stage.folder.appending(path: "a letter #1.txt")
            try Data("Dear Anna".utf8).write(to: file)
            let handed = try home.laptop.json("activity", "send", "--to", id, "--file", file.path)
            #expect(handed["handed"]?["through"]?.string == "KDE Connect")
            try receptions.output.next("the file", within: .seconds(20)) { $0.contains("member=shareReceived") }
            let there = home.phone.downloads.appending(path: "a letter #1.txt")
            #expect(try String(contentsOf: there, encoding: .utf8) == "Dear Anna")
            #expect(home.bus.errors.text.isEmpty, "\(home.bus.errors.text)")
        }
    }

    // Shows M08: the page of an activity. Other addresses, and what is not a regular file, are not sent.
    @Test func onlyPagesAndRegularFilesAreSent() throws {
        try Stage.play { stage in
            let home = try Home(on: stage)
            let script = try home.laptop.start(
                "activity", "publish", "--type", "NSUserActivityTypeBrowsingWeb", "--title", "Weather", "--web",
                "https://weather.example/today")
            try script.output.next(starting: "offered as")
            #expect(
                try home.laptop.handoff("activity", "send", "--to", "Anna's Phone")
                    == "handed to KDE Connect for Anna's Phone")
            try home.phone.opened.next("the page", within: .seconds(20)) { $0 == "https://weather.example/today" }

            for url in [
                "file:///etc/passwd", "javascript:alert(1)", "handoff://x", "https://anna:secret@weather.example/",
            ] {
                #expect(try home.refusal("Anna's Phone", url).contains("only addresses of web pages"))
            }
            for path in ["/tmp", "/dev/null"] {
                #expect(try home.refusal("Anna's Phone", "--file", path).contains("is not a regular file"))
            }
            #expect(try home.refusal("Anna's Phone", "--file", "/nonexistent").contains("cannot be read"))
            #expect(try home.refusal("Nokia", "https://weather.example/").contains("no phone"))
        }
    }

    // Shows M08.
    @Test func aPhoneIsListedOnlyWhileItIsReachable() throws {
        try Stage.play { stage in
            let home = try Home(on: stage)
            try home.here.setSharing(false, with: home.phone)
            #expect(
                try home.refusal("Anna's Phone", "https://weather.example/")
                    .contains("KDE Connect's plugin for sharing is off for Anna's Phone"))
            try home.here.setSharing(true, with: home.phone)

            home.phone.stop()
            try home.awaitPhones(0)
            #expect(try !home.laptop.handoff("device", "list").contains("Anna's Phone"))
            #expect(
                try home.refusal("Anna's Phone", "https://weather.example/")
                    .contains("KDE Connect cannot reach Anna's Phone now"))
            try home.phone.start()
            try home.awaitPhones(1)
            home.here.stop()
            try home.awaitPhones(0)
            try home.here.start()
            try home.awaitPhones(1)
            home.bus.stop()
            try home.laptop.daemon?.errors.next("the end of handoff-bus") {
                $0.hasSuffix("Phones are no longer reported")
            }
            #expect(try !home.laptop.handoff("status").contains("Anna's Phone"))
        }
    }
}
