// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// The window of Handoff from the first start until there is something to continue, as in `HandoffWindowTests`.
@Suite(.serialized, .needsNamespaces) struct HandoffWindowSetUpTests {
    private static let patience = Duration.seconds(40)

    // Shows L10, T01, T02: at a machine's speed, which leaves a person most of the minute for reading and typing.
    @Test func fromNothingToTwoDevicesInUnderAMinute() throws {
        try Stage.play { stage in
            let seats = try Seats(on: stage)
            let begun = ContinuousClock.now
            let laptop = try HandoffWindow(of: seats.pair.laptop, at: seats.laptop)
            let desktop = try HandoffWindow(of: seats.pair.desktop, at: seats.desktop)
            try seats.createAccount(in: laptop)
            let code = try laptop.read("^([A-Z2-7]{7}-?){4}$")
            let typo = code.replacing(try Regex("^."), with: code.hasPrefix("A") ? "B" : "A")

            try desktop.press("Join Another Device")
            try desktop.see("On a device of your account")
            // The mistake is shown while the rest is being typed, and Return selects its group.
            try seats.desktop.type(String(typo.prefix(9)))
            try desktop.see("There is a typo in group 1 of 4.")
            try seats.desktop.type(String(typo.dropFirst(9)))
            try seats.desktop.press("Return")
            try seats.desktop.type(String(code.prefix(7)))
            try desktop.loses("There is a typo")
            try seats.desktop.press("Return")
            let here = try desktop.read("^[0-9]{3} [0-9]{3}$")
            #expect(try laptop.read("^[0-9]{3} [0-9]{3}$") == here)
            try laptop.see("“desktop” wants to join")
            try laptop.press("Numbers Match")
            try laptop.see("“desktop” has joined.")
            try laptop.press("Done")
            try desktop.see("What you do in an app on another device appears here.")
            #expect(ContinuousClock.now - begun < .seconds(60))
            #expect(try seats.pair.desktop.json("device", "list").elements.count == 2)
        }
    }

    // Shows L18: at a machine's speed, with what a person types.
    @Test func fromNothingToTwoDevicesByAListInUnderTwentySeconds() throws {
        try Stage.play { stage in
            let seats = try Seats(on: stage)
            let begun = ContinuousClock.now
            let laptop = try HandoffWindow(of: seats.pair.laptop, at: seats.laptop)
            let desktop = try HandoffWindow(of: seats.pair.desktop, at: seats.desktop)
            try seats.createAccount(in: laptop)
            try laptop.see("then “laptop”.")

            try desktop.press("Join Another Device")
            try desktop.press("Join “laptop”")
            let here = try desktop.read("^[0-9]{3} [0-9]{3}$")
            #expect(try laptop.read("^[0-9]{3} [0-9]{3}$") == here)
            try desktop.see("Does “laptop” show the same number?")
            // Return answers neither yes nor no.
            try seats.laptop.press("Return")
            try laptop.press("Numbers Match")
            try desktop.press("Numbers Match")
            try desktop.see("What you do in an app on another device appears here.")
            try laptop.see("“desktop” has joined.")
            #expect(ContinuousClock.now - begun < .seconds(20))
            #expect(try seats.pair.desktop.json("device", "list").elements.count == 2)
        }
    }

    // Shows L10, L18. styly-dev/STYLY-MDM#81: each change of a list of devices took the focus.
    @Test func focusStaysWhileTheListOfDevicesChanges() throws {
        try Stage.play { stage in
            let seats = try Seats(on: stage)
            let window = try HandoffWindow(of: seats.pair.desktop, at: seats.desktop)
            try window.press("Join Another Device")
            for name in ["phone", "tablet"] {
                try inviting(name, on: seats.pair.network, stage)
                try window.see("Join “\(name)”")
            }
            // From the field of the code to the last row before it.
            try seats.desktop.press("shift+Tab")
            try inviting("television", on: seats.pair.network, stage)
            try window.see("Join “television”")
            try seats.desktop.press("Return")
            try window.see("Does “tablet” show the same number?")
        }
    }

    private func inviting(_ name: String, on network: Network, _ stage: Stage) throws {
        let device = try Device(name, on: stage, network: network)
        try device.startDaemon()
        try device.handoff("account", "create")
        _ = try device.start("account", "invite")
    }

    // Shows T01.
    @Test func theRecoveryKeyCanWaitAndIsNotLostWithTheWindow() throws {
        try Stage.play { stage in
            let seats = try Seats(on: stage)
            let papers = seats.pair.laptop.root.appending(path: "home")
            try Data("XDG_DOCUMENTS_DIR=\"\(papers.path)\"\n".utf8)
                .write(to: papers.appending(path: "config/user-dirs.dirs"))
            let window = try HandoffWindow(of: seats.pair.laptop, at: seats.laptop)
            try window.press("This Is My First Device")
            let key = try window.read("^([A-Z2-7]{5}-?){8}$")
            try window.fit(width: 360, height: 640)
            try seats.laptop.press("ctrl+w")
            try window.see("Close Without the Key?")
            try window.press("Cancel")
            try window.loses("Close Without the Key?")
            try window.press("Later")
            try window.see("then “laptop”.")
            try window.press("Later")
            try window.see("This is your only device so far.")
            #expect(try seats.pair.laptop.json("status")["recoveryKey"]?.string == "unconfirmed")

            // A resized window loses the keyboard without a window manager.
            try seats.laptop.turn(to: "^Handoff$")
            try seats.laptop.press("ctrl+2")
            try window.see("Recovery Key Not Confirmed")
            try window.press("Show…")
            #expect(try window.read("^([A-Z2-7]{5}-?){8}$") == key)
            try window.press("Copy")
            try window.see("Copied.")
            let copied = try seats.laptop.pasted()
            #expect(copied.filter(\.isLetter) == key.filter(\.isLetter))
            #expect(try seats.laptop.pasted(as: "TARGETS").contains("x-kde-passwordManagerHint"))
            let file = seats.pair.laptop.root.appending(path: "key.txt")
            try window.press("Save…")
            try seats.laptop.turn(to: "^Recovery Key$")
            // The dialog keeps the extension.
            try seats.laptop.type(String(file.path.dropLast(4)))
            try seats.laptop.press("Return")
            try window.see("Saved.")
            #expect(try String(contentsOf: file, encoding: .utf8) == copied + "\n")
            let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
            #expect(mode == 0o600)

            try seats.laptop.turn(to: "^Your Recovery Key$")
            try window.press("Print…")
            try seats.laptop.turn(to: "^Print$")
            try window.see("Print to File")
            try seats.laptop.press("Tab", "Down", "space")
            try window.see("output.pdf")
            try seats.laptop.press("alt+p")
            let printed = try stage.follow(papers.appending(path: "output.pdf"), name: "printed key")
            try printed.next("a document", within: Self.patience) { $0.hasPrefix("%PDF") }

            try seats.laptop.turn(to: "^Your Recovery Key$")
            try seats.laptop.type(String(key.suffix(4)) + "A")
            try seats.laptop.press("Return")
            try window.see("That doesn’t match the end of the key.")
            try seats.laptop.type(String(key.suffix(5)))
            try seats.laptop.press("Return")
            try window.see("Lets you back in if you lose all your devices")
            #expect(try seats.pair.laptop.json("status")["recoveryKey"]?.string == "confirmed")
            try window.loses("Your Recovery Key")
            #expect(throws: (any Error).self) { try seats.laptop.pasted() }
        }
    }

    // Shows L10, L06: what a person finds on the page that is empty after the first run.
    @Test func emptyPageSetsABrowserUp() throws {
        try Stage.play { stage in
            let seats = try Seats(on: stage)
            try seats.pair.laptop.found(with: [seats.pair.desktop])
            let home = seats.pair.laptop.root.appending(path: "home")
            let profile = home.appending(path: ".mozilla/firefox")
            try FileManager.default.createDirectory(at: profile, withIntermediateDirectories: true)
            let window = try HandoffWindow(
                of: seats.pair.laptop, at: seats.laptop,
                ["HOME": home.path, "XDG_CONFIG_HOME": home.path + "/.config"])
            try window.see("Firefox, Not set up yet")
            #expect(try window.nameless() == "nameless: scroll pane")
            try window.press("Set Up Firefox")
            try window.see("about:debugging#/runtime/this-firefox")
            try window.see("Extension/manifest.json")
            let told = home.appending(path: ".mozilla/native-messaging-hosts/handoff.browser_host.json")
            let program = try JSON(text: String(contentsOf: told, encoding: .utf8))["path"]?.string
            let host = try stage.start(
                [try #require(program)], environment: seats.pair.laptop.environment, name: "browser host")
            func say(_ message: String) throws {
                // Its length comes first, and its end may be a line's.
                try host.say("\(UnicodeScalar(UInt8(message.utf8.count + 1)))\0\0\0" + message)
            }
            // The steps close when the browser is heard, also if its page is an activity at once.
            try say(#"{"type":"hello","browser":"Firefox"}"#)
            try say(#"{"type":"page","url":"https://coffee.example/","title":"Coffee"}"#)
            try window.see("Firefox is ready.")
            try window.loses("about:debugging")
            try window.see("Send “Coffee” to another device")
            try say(#"{"type":"left"}"#)
            try window.see("Firefox, Ready. Open a page in it")
        }
    }

    // Shows L10, M01.
    @Test func emptyPageListsProgramsWithWhatTheyOffer() throws {
        try Stage.play { stage in
            let seats = try Seats(on: stage)
            try seats.pair.laptop.found(with: [seats.pair.desktop])
            let window = try HandoffWindow(of: seats.pair.laptop, at: seats.laptop)
            try window.see("mpv Media Player")
            try window.see("Your other devices see the address, title and position of what it plays")
        }
    }
}
