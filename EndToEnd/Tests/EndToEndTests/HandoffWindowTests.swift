// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// The window of Handoff with real daemons. Each has a screen and a keyboard, and is read as by a screen reader.
@Suite(.serialized, .needsNamespaces) struct HandoffWindowTests {
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

    // Shows L10, L03: the bell of a device's row.
    @Test func notificationsOfADeviceAreSwitchedInItsRow() throws {
        try Stage.play { stage in
            let seats = try Seats(on: stage)
            try seats.pair.laptop.found(with: [seats.pair.desktop])
            let window = try HandoffWindow(of: seats.pair.laptop, at: seats.laptop)
            try seats.laptop.press("ctrl+2")
            try window.press("Notifications from “desktop”")
            let written = try stage.follow(seats.pair.laptop.configurationFile, name: "settings")
            try written.next("the silence", within: Self.patience) {
                $0.contains("notifications.device.") && $0.contains(#""off""#)
            }
            try window.press("Notifications from “desktop”")
            try written.next("the end of the silence", within: Self.patience) { !$0.contains("notifications.device.") }
        }
    }

    // Shows L10, L03: a page, and no app here that can continue it.
    @Test func returnGoesOnWithTheNewestActivity() throws {
        try Stage.play { stage in
            let seats = try Seats(on: stage)
            try seats.pair.laptop.found(with: [seats.pair.desktop])
            let opened = try stage.follow(try seats.pair.desktop.setDefaultBrowser(), name: "opened pages")
            let window = try HandoffWindow(of: seats.pair.desktop, at: seats.desktop)
            let script = try seats.offer("Coffee <b>roasters</b> & more", page: "https://coffee.example/roasters")
            // Markup in a title is shown as text.
            let line = try window.see("Coffee <b>roasters</b> & more, Reader · laptop")
            #expect(line.hasPrefix("list item: "))
            #expect(try window.see("Continue “Coffee").hasPrefix("push button: "))
            try seats.desktop.press("Return")
            try opened.next(starting: "https://coffee.example/roasters", within: Self.patience)
            script.stop()
            try window.see("What you do in an app on another device appears here.")
        }
    }

    // Shows L10, L02: so that the app may raise its window.
    @Test func anAppIsStartedWithTheTokenOfTheKeyThatWasPressed() throws {
        try Stage.play { stage in
            let seats = try Seats(on: stage) { try $0.desktop.addReader() }
            try seats.pair.laptop.found(with: [seats.pair.desktop])
            let window = try HandoffWindow(of: seats.pair.desktop, at: seats.desktop)
            let script = try seats.offer("Letter", page: "https://letters.example")
            try window.see("Continue “Letter” from laptop")
            let log = try stage.follow(
                seats.pair.desktop.root.appending(path: "state/logs/com.example.reader.log"), name: "log of the app")
            try seats.desktop.press("Return")
            // X11's tokens contain the launching program and a time.
            let token = try log.next(starting: "token handoff-desktop", within: Self.patience)
            let time = try #require(token.split(separator: "_TIME").last.flatMap { UInt32($0) })
            #expect(time > 0)
            script.stop()
        }
    }

    // Shows L10: settings of config.json, changed on either side, with the keyboard only.
    @Test func settingsAreThoseOfTheConfigurationFile() throws {
        try Stage.play { stage in
            let seats = try Seats(on: stage)
            try seats.pair.laptop.found(with: [seats.pair.desktop])
            let window = try HandoffWindow(of: seats.pair.laptop, at: seats.laptop)
            try window.see("What you do in an app on another device appears here.")
            try seats.laptop.press("ctrl+3")
            try window.see("Notifications, Silent")
            try seats.pair.laptop.handoff("config", "set", "notifications", "always")
            try window.see("Notifications, With sound")
            try Data(#"{"tray": "sometimes"}"#.utf8).write(to: seats.pair.laptop.configurationFile)
            try window.see(#"error here: tray: "sometimes" is not auto, on or off"#)
            try Data("{".utf8).write(to: seats.pair.laptop.configurationFile)
            try window.see("The settings cannot be read:")
        }
    }

    // Shows L10: a disconnected device has a time.
    @Test func aDeviceThatWentSaysWhenItWasSeen() throws {
        try Stage.play { stage in
            let seats = try Seats(on: stage)
            try seats.pair.laptop.found(with: [seats.pair.desktop])
            let window = try HandoffWindow(of: seats.pair.laptop, at: seats.laptop)
            try window.see("What you do in an app on another device appears here.")
            try seats.laptop.press("ctrl+2")
            try window.see("desktop, Connected")
            try seats.pair.desktop.stopDaemon()
            try window.see("desktop, Last seen just now")
            let device = try #require(
                try seats.pair.laptop.json("device", "list").first(where: "name", is: "desktop"))
            #expect(device["lastSeen"]?.string != nil)
            #expect(device["connected"]?.bool == false)
        }
    }

    // Shows L10: without a terminal.
    @Test func windowStartsTheDaemonByItsService() throws {
        try Stage.play { stage in
            let seats = try Seats(on: stage)
            try seats.pair.laptop.stopDaemon()
            let window = try HandoffWindow(of: seats.pair.laptop, at: seats.laptop)
            try window.press("Start")
            try window.see("this session has no systemd user manager")
            let manager = try stage.start(
                [Builds.root.appending(path: "EndToEnd/manager").path, "handoffd.service"],
                environment: seats.pair.laptop.environment, name: "service manager")
            try manager.output.next("its name", within: Self.patience) { $0 == "ready" }
            try window.press("Start")
            try manager.output.next("a job", within: Self.patience) { $0 == "start" }
            try manager.say("failed")
            try window.see("journalctl --user --unit handoffd.service")
            try window.press("Start")
            try manager.output.next("a job", within: Self.patience) { $0 == "start" }
            try seats.pair.laptop.startDaemon()
            try manager.say("done")
            try window.see("This Is My First Device")
        }
    }

    // Shows L10: by the keyboard only.
    @Test func menuShowsTheKeysAndTheVersion() throws {
        try Stage.play { stage in
            let seats = try Seats(on: stage)
            let window = try HandoffWindow(of: seats.pair.laptop, at: seats.laptop)
            try window.see("This Is My First Device")
            try seats.laptop.press("ctrl+question")
            try window.see("Close the Window")
            try seats.laptop.press("Escape")
            try window.loses("Close the Window")
            try seats.laptop.turn(to: "^Handoff$")
            try seats.laptop.press("F10")
            try window.see("Keyboard Shortcuts")
            try seats.laptop.press("Up", "Return")
            try window.see("The Handoff contributors")
            try window.see("0.1.0")
        }
    }

    // Shows L10: for users of screen readers and of the keyboard.
    @Test func everythingThatTakesTheFocusHasAName() throws {
        try Stage.play { stage in
            let seats = try Seats(on: stage)
            try seats.pair.laptop.found(with: [seats.pair.desktop])
            let window = try HandoffWindow(of: seats.pair.laptop, at: seats.laptop)
            let script = try seats.offer("Letter", from: seats.pair.desktop, page: "https://letters.example")
            try window.see("Continue “Letter” from desktop")
            let nameless = try window.nameless()
            #expect(nameless == "nameless: scroll pane")
            try seats.laptop.press("ctrl+2")
            try window.see("desktop, Connected")
            try window.press("Rename “desktop”")
            try seats.laptop.turn(to: "Rename")
            try seats.laptop.press("ctrl+a")
            try seats.laptop.type("study")
            try seats.laptop.press("Return")
            try window.see("study, Connected")
            try seats.laptop.turn(to: "^Handoff$")
            try seats.laptop.press("ctrl+n")
            let code = try window.read("^([A-Z2-7]{7}-?){4}$")
            try window.press("Other Ways")
            #expect(try window.see("The code as a picture").contains("picture"))
            try seats.laptop.turn(to: "Add a Device")
            try seats.laptop.press("Escape")
            // An invite ends with the window that shows it.
            let late = try seats.pair.desktop.tryToJoin(code)
            #expect(late.code != 0)
            script.stop()
        }
    }

    // Shows L10, W04.
    @Test func ownActivityIsSentToTheChosenDevice() throws {
        try Stage.play { stage in
            let seats = try Seats(on: stage)
            try seats.pair.laptop.found(with: [seats.pair.desktop])
            let window = try HandoffWindow(of: seats.pair.laptop, at: seats.laptop)
            let script = try seats.offer("Letter", page: "https://letters.example")
            try window.press("Send “Letter” to another device")
            #expect(try window.nameless() == "nameless: scroll pane")
            try window.choose("desktop")
            try window.see("Sent to desktop.")
            let there = try HandoffWindow(of: seats.pair.desktop, at: seats.desktop)
            script.stop()
            try there.see("Letter, Reader · laptop · just now")
            try there.press("Dismiss “Letter”")
            try there.see("What you do in an app on another device appears here.")
        }
    }

    // Shows L10, W04.
    @Test func sendWaitingForAnAbsentDeviceIsTakenBack() throws {
        try Stage.play { stage in
            let seats = try Seats(on: stage)
            try seats.pair.laptop.found(with: [seats.pair.desktop])
            let window = try HandoffWindow(of: seats.pair.laptop, at: seats.laptop)
            let script = try seats.offer("Letter", page: "https://letters.example")
            try seats.pair.desktop.stopDaemon()
            try window.press("Send “Letter” to another device")
            try window.choose("desktop")
            try window.see("Letter, For desktop, as soon as it can be reached")
            #expect(try window.nameless() == "nameless: scroll pane")
            try window.fit(width: 360, height: 640)
            try window.press("Take back “Letter”")
            try window.loses("Letter, For desktop")
            script.stop()
        }
    }

    // Shows L10. gpodder/gpodder#1837: labels of buttons that do not wrap made a window wider than a phone.
    @Test(arguments: ["en_US", "de_DE"]) func itFitsOnAPhoneWithTextOfTwiceTheSize(language: String) throws {
        try Stage.play { stage in
            let seats = try Seats(on: stage)
            try seats.laptop.doubleText()
            let window = try HandoffWindow(of: seats.pair.laptop, at: seats.laptop, ["LANG": "\(language).UTF-8"])
            func fits() throws { try window.fit(width: 360, height: 640) }
            let isEnglish = language == "en_US"
            try window.press(isEnglish ? "Join Another Device" : "Mit anderem Gerät verbinden")
            try window.see(isEnglish ? "Looking for devices" : "Suche nach Geräten")
            try fits()
            try window.press(isEnglish ? "Back" : "Zurück")
            try window.press(isEnglish ? "This Is My First Device" : "Das ist mein erstes Gerät")
            try window.see(isEnglish ? "Your Recovery Key" : "Dein Wiederherstellungsschlüssel")
            try fits()
            try window.press(isEnglish ? "Later" : "Später")
            try window.see(isEnglish ? "Valid once" : "Einmal gültig")
            try fits()
        }
    }

    // Shows L10: every language at the width of a phone; German has the longest words.
    @Test(arguments: ["en_US", "de_DE", "fr_FR", "es_ES", "it_IT", "zh_CN"])
    func itFitsOnAPhoneInEveryLanguage(language: String) throws {
        try Stage.play { stage in
            let seats = try Seats(on: stage)
            let window = try HandoffWindow(of: seats.pair.laptop, at: seats.laptop, ["LANG": "\(language).UTF-8"])
            let width = 360
            try window.see(
                [
                    "en_US": "Join Another", "de_DE": "verbinden", "fr_FR": "Rejoindre", "es_ES": "Unirse",
                    "zh_CN": "加入另一台设备",
                ][language] ?? "Unisciti")
            try window.fit(width: width, height: 640)
            try seats.pair.laptop.found(with: [seats.pair.desktop])
            let script = try seats.offer(
                "A letter with a long title that no phone has room for on one line of its list",
                from: seats.pair.desktop,
                page: "https://letters.example")
            try window.see("A letter with a long title")
            try window.fit(width: width, height: 640)
            script.stop()
        }
    }
}

/// A person's two devices with a screen each, without an account.
private struct Seats {
    let pair: Pair
    let laptop: Desktop
    let desktop: Desktop

    /// `prepare`: runs before any program is started.
    init(on stage: Stage, _ prepare: (Pair) throws -> Void = { _ in }) throws {
        pair = try Pair(offOn: stage)
        try prepare(pair)
        laptop = try pair.laptop.startDesktop()
        desktop = try pair.desktop.startDesktop()
        for device in [pair.laptop, pair.desktop] { try device.startDaemon() }
    }

    /// On the laptop, with the recovery key confirmed.
    func createAccount(in window: HandoffWindow) throws {
        try window.press("This Is My First Device")
        let key = try window.read("^([A-Z2-7]{5}-?){8}$")
        try laptop.type(String(key.suffix(5)))
        try laptop.press("Return")
    }

    /// A script offers a page, by default from the laptop.
    func offer(_ title: String, from device: Device? = nil, page: String) throws -> RunningProgram {
        try (device ?? pair.laptop).start(
            "activity", "publish", "--type", "com.example.reading", "--title", title, "--name", "Reader", "--web", page)
    }
}

extension Device {
    fileprivate var configurationFile: URL { root.appending(path: "config/config.json") }

    /// An app that only reports the token with which it was started.
    func addReader() throws {
        let data = root.appending(path: "data")
        let entries = data.appending(path: "applications")
        try FileManager.default.createDirectory(at: entries, withIntermediateDirectories: true)
        let program = data.appending(path: "reader")
        try Data("#!/bin/sh\necho \"token $XDG_ACTIVATION_TOKEN\"\nexec sleep 60\n".utf8).write(to: program)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
        let entry = """
            [Desktop Entry]
            Type=Application
            Name=Reader
            X-Handoff-ActivityTypes=com.example.reading;
            Exec="\(program.path)"

            """
        try Data(entry.utf8).write(to: entries.appending(path: "com.example.reader.desktop"))
        environment["XDG_DATA_HOME"] = data.path
        environment["XDG_DATA_DIRS"] = root.appending(path: "system").path
    }
}
