// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import Testing

@testable import HandoffDesktop

// Shows L12.
@Suite struct TrayPreferenceTests {
    @Test(arguments: [
        (#"{"tray": "on"}"#, TrayPreference.on), (#"{"tray": "off", "logLevel": "debug"}"#, .off),
        (#"{"tray": "auto"}"#, .automatic), ("{}", .automatic),
    ])
    func itIsReadFromTheConfiguration(text: String, preference: TrayPreference) throws {
        let file = try ConfigurationFile(Array(text.utf8), path: "config.json")
        #expect(try DesktopSettings(file).tray == preference)
    }

    @Test(arguments: [#"{"tray": null}"#, #"{"tray": [1]}"#, #"{"tray": "loud"}"#])
    func aValueThatCannotBeIsNamed(text: String) throws {
        let file = try ConfigurationFile(Array(text.utf8), path: "config.json")
        #expect(throws: SettingsError.self) { try DesktopSettings(file) }
    }

    @Test func withoutAConfigurationItIsAutomatic() { #expect(DesktopSettings().tray == .automatic) }
}
