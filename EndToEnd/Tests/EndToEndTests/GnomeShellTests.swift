// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// Handoff's extension in a real GNOME Shell, with real daemons, used by a pointer.
// Shows L19.
@Suite(
    .serialized, .needsNamespaces, .enabled(if: GnomeShell.isInstalled, "Scripts/setup test installs gnome-shell"))
struct GnomeShellTests {
    private static let row = "Continue “\(Pair.title)” from laptop"

    // Shows L19, B16.
    @Test func clickInQuickSettingsContinuesInTheApp() throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage)
            let shell = try GnomeShell(of: pair.desktop)
            try pair.begin()
            _ = try pair.desktop.startBus()
            try shell.enable()
            let idle = try shell.see("a toggle") { $0.toggle }
            #expect(!idle.icon && !idle.isOn)
            let browser = try pair.browse()
            try shell.see("an icon") { $0.icon && $0.isOn && $0.summary == "1 activity on another device" }
            let log = try pair.desktop.log(of: .monkeyBrowser)
            try shell.openQuickSettings()
            try shell.press("Handoff")
            try shell.see("the page") { $0.rows.contains(Self.row) }
            try shell.press(Self.row)
            #expect(try log.next(starting: "continued tab=1") == "continued tab=1 url=\(Pair.page)")
            try browser.output.next(starting: "was-continued tab=1")
            try shell.see("closed quick settings") { $0.rows.isEmpty }
            try browser.say("close")
            let after = try shell.see("no icon") { !$0.icon }
            #expect(after.toggle && !after.isOn)
        }
    }

    // Shows L19, L02: so that the app may raise its window.
    @Test func appIsStartedWithATokenOfTheShell() throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage)
            let shell = try GnomeShell(of: pair.desktop)
            try pair.desktop.addReader()
            try pair.begin(with: [])
            _ = try pair.desktop.startBus()
            try shell.enable()
            let script = try pair.laptop.start(
                "activity", "publish", "--type", "com.example.reading", "--title", "Letter", "--name", "Reader")
            try shell.see("an icon") { $0.icon }
            let log = try stage.follow(
                pair.desktop.root.appending(path: "state/logs/com.example.reader.log"), name: "log of the app")
            try shell.openQuickSettings()
            try shell.press("Handoff")
            try shell.see("the letter") { $0.rows.contains("Continue “Letter” from laptop") }
            try shell.press("Continue “Letter” from laptop")
            let token = try log.next(starting: "token ", within: .seconds(40)).dropFirst("token ".count)
            #expect(UUID(uuidString: String(token)) != nil, "\(token)")
            script.stop()
        }
    }

    // Shows M03.
    @Test(.enabled(if: HomePair.isInstalled("zathura")))
    func documentWhoseWindowHasTheFocusIsOffered() throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage)
            let shell = try GnomeShell(of: pair.laptop)
            try shell.bus.start("org.handoff.Adapters", by: [Builds.adapters])
            try pair.begin(with: [])
            _ = try pair.laptop.startBus()
            try pair.laptop.awaitBusName("org.handoff.Handoff1")
            try pair.laptop.handoff("programs", "on", "org.pwmt.zathura")
            try shell.enable()
            try shell.hideOverview()
            let watch = try pair.desktop.watchActivities()
            for name in ["one.pdf", "two.pdf"] {
                let file = shell.home.appending(path: name)
                try SampleBook.pages(3).write(to: file)
                try shell.start(["zathura", file.path], name: name)
                try watch.output.next("the document \(name)", within: .seconds(40)) { $0.contains(name) }
            }
            for name in ["one.pdf", "two.pdf", "one.pdf"] {
                try shell.focus(name)
                try watch.output.next("\(name) in front", within: .seconds(20)) { $0.contains(name) }
            }
            // As when the screen is locked and unlocked: zagortenay333/cronomix#4.
            try shell.disable()
            try shell.focus("two.pdf")
            try shell.enable()
            try watch.output.next("the document in front after the lock", within: .seconds(20)) {
                $0.contains("two.pdf")
            }
        }
    }

    @Test func openMenuKeepsItsRowsUntilItClosesOrTheExtensionIsOff() throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage)
            let shell = try GnomeShell(of: pair.desktop)
            let before = try shell.see("the Shell") { _ in true }
            try pair.begin()
            _ = try pair.desktop.startBus()
            try shell.enable()
            let browser = try pair.browse()
            try shell.see("an icon") { $0.icon }
            try shell.openQuickSettings()
            try shell.press("Handoff")
            try shell.see("the page") { $0.rows.contains(Self.row) }
            try browser.say("close")
            try shell.see("a row that cannot be pressed") { $0.rows.contains("(\(Self.row))") }
            try browser.say("tab 2")
            try browser.say("go \(Pair.page)")
            let grown = try shell.see("another activity") { $0.summary == "1 activity on another device" }
            #expect(grown.rows.contains("(\(Self.row))"))
            #expect(!grown.rows.contains { $0.contains("Favorite Tab") })
            try shell.closeQuickSettings()
            try shell.openQuickSettings()
            try shell.press("Handoff")
            try shell.see("the new row") { shown in
                shown.rows.contains { $0.contains("Favorite Tab") } && !shown.rows.contains { $0.contains(Pair.title) }
            }
            // As when the screen is locked.
            try shell.disable()
            try shell.see("the Shell alone") { $0.children == before.children && $0.rows.isEmpty }
        }
    }

    @Test func lastRowOpensTheWindow() throws {
        try Stage.play { stage in
            let desktop = try Device("desktop", on: stage)
            let shell = try GnomeShell(of: desktop)
            try shell.bus.start(
                "org.handoff.Handoff",
                by: [Builds.programs.appending(path: "handoff-desktop").path, "--gapplication-service"])
            try desktop.startDaemon()
            _ = try desktop.startBus()
            try shell.enable()
            try shell.see("a toggle") { $0.toggle }
            try shell.openQuickSettings()
            try shell.press("Handoff")
            try shell.see("the menu") { $0.rows == ["Open Handoff"] }
            try shell.press("Open Handoff")
            try shell.see("the window") { $0.windows == ["Handoff"] }
        }
    }

    @Test func toggleIsThereWhileHandoffRunsInTheLanguageOfTheSession() throws {
        try Stage.play { stage in
            let desktop = try Device("desktop", on: stage)
            let shell = try GnomeShell(of: desktop, language: "de")
            try shell.enable()
            // Without a daemon.
            let bus = try desktop.startBus()
            try shell.see("a toggle") { $0.toggle && $0.summary == "Nichts zum Fortsetzen" }
            bus.stop()
            try shell.see("no toggle") { !$0.toggle }
            _ = try desktop.startBus()
            try shell.see("the toggle again") { $0.toggle }
        }
    }

    @Test func extensionIsOffAtFirstStartsNothingAndLeavesNothingBehind() throws {
        try Stage.play { stage in
            let desktop = try Device("desktop", on: stage)
            let started = stage.folder.appending(path: "started")
            let shell = try GnomeShell(of: desktop)
            try shell.bus.start("org.handoff.Handoff1", by: ["/usr/bin/touch", started.path])
            let before = try shell.see("the Shell") { _ in true }
            for _ in 1...2 {
                try shell.enable()
                try shell.see("the extension") { $0.children != before.children }
                try shell.disable()
                let after = try shell.see("the Shell alone") { $0.children == before.children }
                #expect(after == before)
            }
            #expect(!FileManager.default.fileExists(atPath: started.path))
        }
    }
}
