// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// The window of Handoff with real daemons. Each has a screen and a keyboard, and is read as by a screen reader.
@Suite(.serialized, .needsNamespaces) struct HandoffWindowTests {
    private static let patience = Duration.seconds(40)

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
    @Test func returnContinuesTheNewestActivity() throws {
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

    // Shows L10, W05: by the keyboard, from a typed word to the note in its app.
    @Test func typedWordFindsOpensAndForgetsWhatWasDoneHere() throws {
        try Stage.play { stage in
            let seats = try Seats(on: stage)
            let laptop = seats.pair.laptop
            try laptop.found(with: [seats.pair.desktop])
            let app = try App.almanac(in: stage.folder)
            try laptop.install(app)
            let almanac = try laptop.open(app)
            try almanac.say("note 7 zanzibarian soup")
            try almanac.output.next(starting: "saves Note 7")
            let window = try HandoffWindow(of: laptop, at: seats.laptop)
            try window.see("What you do in an app on another device appears here.")
            // Return opens what these words find, not what was found before.
            try almanac.say("note 8 poem")
            try almanac.output.next(starting: "saves Note 8")
            try seats.laptop.press("ctrl+f")
            try window.see("Note 8, Almanac")
            try seats.laptop.type("zanzi")
            try seats.laptop.press("Return")
            try almanac.output.next(starting: "found 7")
            try window.see("Search in Almanac")
            #expect(try window.see("Note 7, Almanac · ").hasPrefix("list item: "))
            try window.press("Search in Almanac")
            try almanac.output.next(starting: "searches zanzi")
            try window.press("Forget Note 7")
            try window.loses("Note 7, Almanac")
            #expect(try laptop.json("history", "list").elements.count == 1)
            // Also by another program.
            try seats.laptop.press("ctrl+a", "BackSpace")
            try window.see("Forget Note 8")
            try laptop.handoff("history", "forget", "--all")
            try window.loses("Forget Note 8")
            try seats.laptop.press("Escape")
            try window.see("What you do in an app on another device appears here.")
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
            try window.see("Find Problems")
            try seats.laptop.press("Up", "Return")
            try window.see("The Handoff contributors")
            try window.see("0.1.0")
        }
    }

    // Shows L10, G01: also without a daemon.
    @Test func problemsAreFoundFromTheMenu() throws {
        try Stage.play { stage in
            let seats = try Seats(on: stage)
            try seats.pair.laptop.found(with: [seats.pair.desktop])
            let window = try HandoffWindow(of: seats.pair.laptop, at: seats.laptop)
            try window.see("Add a Device")
            try seats.pair.laptop.handoff("policy", "off", "advertising")
            try seats.laptop.press("F10")
            try window.see("Find Problems")
            try seats.laptop.press("Up", "Up", "Up", "Return")
            try window.see("Problem, advertising is switched off on this device, run: handoff policy on")
            try window.see("In order, desktop is connected")
            try seats.pair.laptop.stopDaemon()
            try window.press("Try Again")
            try window.see("Problem, Handoff is not running")
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
