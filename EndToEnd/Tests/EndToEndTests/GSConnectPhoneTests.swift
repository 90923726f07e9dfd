// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// Pages and files for a phone, with real daemons and GSConnect's real service at both ends. Shows M08.
@Suite(.serialized, .needsNamespaces, .enabled(if: GSConnect.missing == nil, "\(GSConnect.missing ?? "")"))
struct GSConnectPhoneTests {
    @Test func pagesAndFilesReachThePhone() throws {
        try Stage.play { stage in
            let network = try Network(on: stage)
            let laptop = try Device("laptop", on: stage, network: network, host: "laptop")
            let phone = try Device("phone", on: stage, network: network, host: "pixel")
            let (desktop, screen) = (try laptop.startDesktop(), try phone.startDesktop())
            let opened = try stage.follow(try phone.setDefaultBrowser(), name: "pages of the phone")
            let (here, there) = (try GSConnect(on: laptop, desktop), try GSConnect(on: phone, screen))
            try laptop.startDaemon(["--log-level", "debug"])
            try laptop.handoff("account", "create")
            let bus = try laptop.startBus()
            try here.pair(with: there, at: try network.address(of: "phone"))
            try laptop.daemon?.errors.next("the phone", within: .seconds(20)) {
                $0.contains("Reachable phones reported") && $0.contains("count=1")
            }
            #expect(try laptop.handoff("device", "list").contains("phone, through GSConnect"))

            let page = "https://weather.example/tomorrow?a=b%20c"
            let said = try laptop.handoff("activity", "send", "--to", "Pixel", page)
            #expect(said == "handed to GSConnect for pixel")
            let shown = try opened.next("the page", within: .seconds(20)) { !$0.isEmpty }
            #expect(shown == page)

            let file = stage.folder.appending(path: "a letter #1.txt")
            try Data("Dear Anna\n".utf8).write(to: file)
            let stored = try stage.follow(there.downloads.appending(path: "a letter #1.txt"), name: "the file")
            #expect(try laptop.handoff("activity", "send", "--to", "pixel", "--file", file.path) == said)
            let content = try stored.next("the file", within: .seconds(20)) { !$0.isEmpty }
            #expect(content == "Dear Anna")
            #expect(bus.errors.text.isEmpty, "\(bus.errors.text)")
        }
    }
}
