// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import Testing

@testable import HandoffCore

/// Shows L01.
@Suite struct NotificationSettingsTests {
    private func settings(_ members: String) throws -> NotificationSettings {
        try NotificationSettings(ConfigurationFile(Array("{\(members)}".utf8), path: "config.json"))
    }

    // Shows L01.
    @Test func deviceOrAppSettingOverridesGeneralSetting() throws {
        let article = Offers.article(1)
        #expect(try settings("").level(for: article) == .quiet)
        #expect(try settings("\"notifications\": \"off\"").level(for: article) == .off)
        let device = #""notifications": "off", "notifications.device.Laptop": "quiet""#
        #expect(try settings(device).level(for: article) == .quiet)
        #expect(try settings(device).level(for: Offers.article(1, from: Offers.phone)) == .off)
        #expect(try settings(#""notifications.app.com.example.reader": "off""#).level(for: article) == .off)
        #expect(try settings(#""notifications.app.reader": "quiet""#).level(for: article) == .quiet)
    }

    @Test func quieterOfDeviceAndAppSettingsApplies() throws {
        let both =
            #""notifications.device.laptop": "always", "notifications.app.Reader": "quiet", "notifications": "off""#
        #expect(try settings(both).level(for: Offers.article(1)) == .quiet)
    }

    @Test func aDeviceIsNamedByTheBeginningOfItsId() throws {
        let id = Offers.laptop.description
        let article = Offers.article(1)
        #expect(try settings("\"notifications.device.\(id.prefix(7))\": \"off\"").level(for: article) == .off)
        #expect(try settings("\"notifications.device.\(id.prefix(6))\": \"off\"").level(for: article) == .quiet)
    }

    /// A rule for the name has priority, so a rule beside it for the id would not apply.
    @Test func aDeviceIsSilencedByTheRuleThatApplies() throws {
        let article = Offers.article(1)
        let id = Offers.laptop.description.lowercased()
        #expect(
            try settings("").key(ofDevice: article.device, named: article.deviceName)
                == "notifications.device.\(id.prefix(7))")
        let byName = #""notifications.device.laptop": "always", "notifications.device.\#(id.prefix(9))": "quiet""#
        #expect(
            try settings(byName).key(ofDevice: article.device, named: article.deviceName)
                == "notifications.device.laptop")
        let byID = "\"notifications.device.\(id.prefix(9))\": \"quiet\""
        #expect(
            try settings(byID).key(ofDevice: article.device, named: article.deviceName)
                == "notifications.device.\(id.prefix(9))")
    }

    @Test func aRuleThatCannotBeIsNamed() {
        #expect(throws: SettingsError.self) { try settings(#""notifications.app.reader": "loud""#) }
        #expect(throws: SettingsError.self) { try settings(#""notifications": 3"#) }
    }
}
