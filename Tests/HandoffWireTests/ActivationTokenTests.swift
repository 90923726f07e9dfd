// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffWire

// Shows L02.
@Suite struct ActivationTokenTests {
    @Test func tokensOfBothDesktopsAreTaken() throws {
        for text in ["3f5f9a0e-2c1b-4c7e-9d69-8a2f6c1f7f11", "gnome-shell/Notes/1234-5-anna_TIME123456"] {
            #expect(try ActivationToken(text).text == text)
        }
    }

    @Test(arguments: ["", "a\nb", "a\0b", "\u{202E}x", String(repeating: "x", count: Limits.activationTokenBytes + 1)])
    func invalidTokenIsRejected(text: String) {
        #expect(throws: WireError.self) { try ActivationToken(text) }
    }

    @Test func aTokenHasAtMostSoManyBytes() throws {
        #expect(try ActivationToken(String(repeating: "x", count: 512)).text.utf8.count == Limits.activationTokenBytes)
    }

    @Test func aProgramWasGivenItInItsEnvironment() throws {
        let new = try ActivationToken("new")
        #expect(ActivationToken(environment: ["XDG_ACTIVATION_TOKEN": "new", "DESKTOP_STARTUP_ID": "old"]) == new)
        #expect(ActivationToken(environment: ["DESKTOP_STARTUP_ID": "old"])?.text == "old")
        #expect(ActivationToken(environment: ["XDG_ACTIVATION_TOKEN": "a\nb"]) == nil)
        #expect(ActivationToken(environment: [:]) == nil)
    }
}
