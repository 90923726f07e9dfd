// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire
import Testing

@testable import HandoffDesktop

// Shows L12.
@Suite struct TrayPreferenceTests {
    @Test(arguments: [
        (#"{"tray": "on"}"#, TrayPreference.on), (#"{"tray": "off", "logLevel": "debug"}"#, .off),
        (#"{"tray": "auto"}"#, .automatic), ("{}", .automatic), (#"{"tray": null}"#, .automatic), ("{", .automatic),
        (#"{"tray": [1]}"#, .automatic),
    ])
    func itIsReadFromTheConfiguration(text: String, preference: TrayPreference) throws {
        let root = NSTemporaryDirectory() + "handoff-tray-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: root) }
        let locations = Locations(root: root)
        try FileManager.default.createDirectory(atPath: locations.configuration, withIntermediateDirectories: true)
        try text.write(toFile: locations.configurationFile, atomically: true, encoding: .utf8)
        #expect(TrayPreference(in: locations) == preference)
    }

    @Test func withoutAConfigurationItIsAutomatic() {
        #expect(TrayPreference(in: Locations(root: "/nowhere")) == .automatic)
    }
}
