// SPDX-License-Identifier: Apache-2.0

import HandoffStrings
import HandoffWire
import Testing

@testable import HandoffWindowModel

// Shows L10.
@Suite struct SettingsPageTests {
    private func app(_ bundle: String, _ name: String, isTrusted: Bool = true) throws -> AppSummary {
        AppSummary(
            bundle: try BundleID(bundle), name: DisplayText(cleaning: name), version: "1", team: .developer(try team()),
            teamName: DisplayText(cleaning: "Makers"), isInDevelopment: false, isTrusted: isTrusted, activityTypes: [],
            path: "/", isRunning: false)
    }

    @Test func aSwitchIsOnUntilSomethingSaysOff() throws {
        var page = SettingsPage()
        let app = try BundleID("com.example.notes")
        #expect(page.line(.receiving, strings).isOn)
        page.heard(.policy(.policy(PolicySummary(off: [PolicySwitch(PolicySubject(.receiving))]))))
        let line = page.line(.receiving, strings)
        #expect(!line.isOn && line.isChangeable)
        #expect(page.line(.receiving, of: app, strings).isOn, "an app has a switch of its own")
        #expect(line.turned(on: true) == .policy(.setPolicy(PolicyChange(PolicySubject(.receiving), isOff: false))))
        #expect(line.turned(on: false) == nil, "it is off")
    }

    @Test func administratorsSettingCannotBeChanged() {
        var page = SettingsPage()
        let off = PolicySwitch(PolicySubject(.advertising), isByAdministrator: true)
        page.heard(.policy(.policy(PolicySummary(off: [off]))))
        let line = page.line(.advertising, strings)
        #expect(!line.isOn && !line.isChangeable)
        #expect(line.details == "Switched off by the administrator")
        #expect(line.turned(on: true) == nil)
    }

    // Shows M01.
    @Test func programIsOffUntilSwitchedOnAndSaysWhatItOffers() throws {
        var page = SettingsPage()
        var mpv = try app("com.example.mpv", "mpv")
        mpv.bundle = try BundleID(systemProgram: "mpv")
        page.heard(.launching(.appList([mpv, try app("com.example.notes", "Notes")])))
        #expect(page.apps.map(\.name.text) == ["Notes"])
        // Icons are read, and missing apps recognized, from both.
        #expect(page.installed?.map(\.name.text) == ["Notes", "mpv"])
        let off = try #require(page.programLines(strings).first)
        #expect(off.title == "mpv" && !off.isOn && off.isChangeable)
        #expect(off.details.hasSuffix("see the address, title and position of what it plays, and can fetch the file"))
        var gedit = mpv
        gedit.bundle = try BundleID(systemProgram: "org.gnome.gedit")
        page.heard(.launching(.appList([gedit])))
        #expect(try #require(page.programLines(strings).first).details.hasSuffix("opened last, and can fetch the file"))
        page.heard(.launching(.appList([mpv])))
        let change = PolicyChange(PolicySubject(.advertising, of: mpv.bundle), isOff: false)
        #expect(off.turned(on: true) == .policy(.setPolicy(change)))
        page.heard(.policy(.policy(PolicySummary(programs: [mpv.bundle]))))
        #expect(page.programLines(strings).map(\.isOn) == [true])
        let ruled = PolicySwitch(change.subject, isByAdministrator: true)
        page.heard(.policy(.policy(PolicySummary(off: [ruled], programs: [mpv.bundle]))))
        let line = page.programLines(strings).first
        #expect(line?.isOn == false && line?.details == "Switched off by the administrator")
    }

    // Shows M01.
    @Test func programForAKindOfContentIsChosen() throws {
        var page = SettingsPage()
        var programs = try ["mpv", "vlc", "org.kde.okular"].map { entry in
            var program = try app("com.example.program", entry)
            program.bundle = try BundleID(systemProgram: entry)
            return program
        }
        page.heard(.launching(.appList(programs)))
        let line = try #require(page.preferenceLines(strings).first)
        #expect(page.preferenceLines(strings).count == 1, "there is one viewer, so there is nothing to choose")
        #expect(line.choice.title == "Films and music" && line.choice.titles == ["Automatic", "mpv", "vlc"])
        #expect(line.selected == 0 && line.chose(0) == nil && line.chose(3) == nil)
        #expect(line.chose(2) == .launching(.preferApp(programs[1].bundle, isPreferred: true)))
        programs[1].isPreferred = true
        page.heard(.launching(.appList(programs)))
        let chosen = try #require(page.preferenceLines(strings).first)
        #expect(chosen.selected == 2)
        #expect(chosen.chose(0) == .launching(.preferApp(programs[1].bundle, isPreferred: false)))
    }

    @Test func aSiteHasItsAppsToChooseFrom() throws {
        var page = SettingsPage()
        let (host, notes) = (try WebHost("notes.example"), try BundleID("com.example.notes"))
        page.heard(.launching(.appList([try app("com.example.notes", "Notes")])))
        page.heard(.webLinks(.siteList([SiteSummary(host: host, standing: .answered, apps: [notes])])))
        let line = try #require(page.siteLines(strings).first)
        #expect(line.titles == ["Automatic", "Notes", "Browser"])
        #expect(line.selected == 0)
        #expect(line.chose(2) == .webChoices(.chooseForHost(host, .browser)))
        #expect(line.chose(0) == nil)
        #expect(line.chose(3) == nil, "there is no such line")
        page.heard(.webChoices(.webChoices([WebChoice(host, .app(notes))])))
        #expect(page.siteLines(strings)[0].selected == 1)
    }

    @Test func aChoiceForASiteThatNoAppClaimsCanBeTakenBack() throws {
        var page = SettingsPage()
        let (host, gone) = (try WebHost("old.example"), try BundleID("com.example.gone"))
        page.heard(.webChoices(.webChoices([WebChoice(host, .app(gone))])))
        let line = try #require(page.siteLines(strings).first)
        #expect(line.titles == ["Automatic", "com.example.gone", "Browser"])
        #expect(line.chose(0) == .webChoices(.chooseForHost(host, nil)))
    }

    @Test func anAppSaysWhoMadeItOrWhyItTakesNoPart() throws {
        let page = SettingsPage()
        #expect(page.details(of: try app("com.example.a", "A"), strings) == "Makers")
        #expect(page.details(of: try app("com.example.a", "A", isTrusted: false), strings).hasPrefix("Off: "))
    }
}
