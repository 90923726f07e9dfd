// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffStrings
import HandoffWire
import Testing

@testable import HandoffWindowModel

// Shows L10: the settings of the user's config.json.
@Suite final class PreferencesTests {
    private let folder = NSTemporaryDirectory() + "handoff-preferences-" + UUID().uuidString
    private let file: PreferencesFile

    init() {
        file = PreferencesFile(Locations(root: folder, environment: [:], workingDirectory: "/", userID: getuid()))
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private var path: String { folder + "/config/config.json" }

    private func write(_ text: String) throws {
        try FileManager.default.createDirectory(atPath: folder + "/config", withIntermediateDirectories: true)
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    private func line(_ setting: Setting) throws -> ChoiceLine {
        try #require(file.read().lines(strings).first { $0.key == setting.key })
    }

    @Test func withoutAFileTheStandardsAreShown() throws {
        #expect(file.read().problem(strings) == nil)
        let lines = file.read().lines(strings)
        #expect(lines.map(\.title) == ["Notifications", "Icon in the tray", "Find devices on the local network"])
        #expect(lines.map { $0.titles[$0.selected ?? -1] } == ["Silent", "If the desktop has a tray", ""])
        #expect(lines.map { $0.titles.last ?? "" } == ["Off", "Never", ""])
        #expect(lines.map(\.isSwitch) == [false, false, true])
        #expect(lines.last?.isOn == true)
    }

    @Test func eachOptionIsWhatItsSettingCanBeAndThereIsOneForEach() throws {
        for line in file.read().lines(strings) {
            let setting = try #require(Setting.find(line.key)?.setting)
            for value in line.values { try setting.check(value) }
            if case .choice(let all) = setting.form { #expect(Set(line.values.map(\.description)) == Set(all)) }
        }
    }

    private func desk(_ name: String = "desk") -> DeviceSummary {
        var device = device(name)
        device.device = laptop
        return device
    }

    @Test func deviceIsSilencedAndHeardAgainByTheGeneralLevel() throws {
        #expect(file.read().notifies(of: desk()) == true)
        #expect(file.setNotifications(of: desk(), on: false) == nil)
        #expect(file.read().notifies(of: desk()) == false)
        #expect(file.read().notifies(of: device("other")) == true)
        #expect(file.setNotifications(of: desk(), on: true) == nil)
        #expect(file.read().notifies(of: desk()) == true)
        #expect(try !String(contentsOfFile: path, encoding: .utf8).contains("device"), "no rule of its own is left")
    }

    @Test func deviceIsHeardAlthoughTheOthersAreNot() throws {
        try write(#"{ "notifications": "off", "notifications.device.desk": "off" }"#)
        #expect(file.read().notifies(of: desk()) == false)
        #expect(file.setNotifications(of: desk(), on: true) == nil)
        #expect(file.read().notifies(of: desk()) == true)
        #expect(file.read().notifies(of: device("other")) == false)
    }

    @Test func wrongRuleOfADeviceIsNotSwitchedHere() throws {
        try write(#"{ "notifications.device.desk": "loud" }"#)
        #expect(file.read().notifies(of: desk()) == nil)
        #expect(file.setNotifications(of: desk(), on: false) == nil)
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("loud"))
    }

    @Test func choiceIsWrittenAndOtherSettingsAreKept() throws {
        try write(#"{ "name": "study",  "tray": "on" }"#)
        let tray = try line(.tray)
        #expect(tray.selected == 1)
        #expect(tray.chose(1) == nil, "it is that")
        #expect(tray.chose(3) == nil, "there is no such option")
        let value = try #require(tray.chose(2))
        #expect(file.set(tray.key, to: value) == nil)
        let beacons = try line(.beacons)
        #expect(file.set(beacons.key, to: try #require(beacons.chose(1))) == nil)
        #expect(try line(.tray).selected == 2)
        #expect(try !line(.beacons).isOn)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains(#""name": "study","#))
        let read = try ConfigurationFile(Array(text.utf8), path: path)
        #expect(try read.value(of: .tray, "tray") == .text("off"))
        #expect(try read.value(of: .beacons, "beacons") == .flag(false))
    }

    @Test func eachChoiceTakesEffectAtOnce() throws {
        for setting in [Setting.notifications, .tray, .beacons] {
            #expect(setting.effect == .atOnce)
            #expect(try line(setting).details == "")
        }
    }

    @Test func anInvalidValueIsReportedAndCanBeCorrected() throws {
        try write(#"{"notifications": "loud"}"#)
        let wrong = try line(.notifications)
        #expect(wrong.selected == nil && wrong.isChangeable)
        #expect(
            wrong.details == """
                The configuration file has an error here: notifications: "loud" is not off, quiet or always
                """)
        #expect(try line(.tray).selected == 0, "the others are as they are")
        #expect(file.set(wrong.key, to: try #require(wrong.chose(1))) == nil)
        #expect(try line(.notifications).selected == 1)
    }

    @Test func aFileThatCannotBeUnderstoodIsNamedAndStaysAsItIs() throws {
        try write("{ oops")
        #expect(file.read().problem(strings)?.contains(path) == true)
        #expect(file.read().lines(strings).allSatisfy { !$0.isChangeable && $0.selected == nil && $0.chose(0) == nil })
        #expect(file.set("tray", to: .text("off"))?.contains(path) == true)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "{ oops")
    }
}
