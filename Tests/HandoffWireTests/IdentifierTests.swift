// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import Testing

@testable import HandoffWire

@Suite struct IdentifierTests {
    @Test(arguments: 0..<100) func deviceIdRoundTripsThroughItsText(seed: UInt64) throws {
        var random = Randomness.seeded(seed)
        let laptop = DeviceID.random(using: &random)
        #expect(laptop.description.count == 63)
        #expect(try DeviceID(text: laptop.description) == laptop)
        #expect(try DeviceID(text: laptop.description.lowercased().replacing("-", with: " ")) == laptop)
    }

    @Test func slipsOfTheEyeAreForgiven() throws {
        let device = try DeviceID(bytes: [UInt8](repeating: 0x73, count: 32))
        let typed = device.description.replacing("O", with: "0").replacing("I", with: "1").replacing("B", with: "8")
        #expect(try DeviceID(text: typed) == device)
    }

    @Test func anySingleWrongCharacterIsNoticed() {
        var random = Randomness.seeded(1)
        let text = Array(DeviceID.random(using: &random).description)
        for index in text.indices where text[index] != "-" {
            var wrong = text
            wrong[index] = text[index] == "A" ? "C" : "A"
            #expect(throws: WireError(.badIdentifier, "")) { try DeviceID(text: String(wrong)) }
        }
    }

    @Test func identifierOfAnotherLengthIsRefused() {
        #expect(throws: WireError(.badIdentifier, "")) { try DeviceID(bytes: [1, 2, 3]) }
        #expect(throws: WireError(.badIdentifier, "")) { try ActivityID(hex: "zz") }
        #expect(throws: WireError(.badIdentifier, "")) { try DeviceID(text: "") }
    }

    @Test(arguments: [
        "../../etc", "com/example", "", ".", "com..example", "com.example/", "com.exam ple", "com.example\n", ".com",
        "com.", String(repeating: "a", count: 156), "cöm.example",
    ])
    func bundleIdThatIsAPathOrWorseIsRefused(name: String) {
        #expect(throws: WireError(.badIdentifier, "")) { try BundleID(name) }
    }

    @Test func usualBundleIdsAreTaken() throws {
        #expect(try BundleID("com.xamarin.monkeybrowser").name == "com.xamarin.monkeybrowser")
        #expect(try BundleID("org.example.My-App_2").name == "org.example.My-App_2")
    }

    @Test func activityTypeThatIsEmptyOrTooLongIsRefused() throws {
        #expect(throws: WireError(.badIdentifier, "")) { try ActivityType("") }
        #expect(throws: WireError(.badIdentifier, "")) { try ActivityType(String(repeating: "a", count: 256)) }
        #expect(throws: WireError(.badIdentifier, "")) { try ActivityType("com.example\u{7}") }
        #expect(try ActivityType(String(repeating: "a", count: 255)).name.count == 255)
    }

    @Test(arguments: ["abcde12345", "ABCDE1234", "ABCDE123456", "ABCDE-2345", ""])
    func teamIdIsTenOfAToZAndDigits(name: String) {
        #expect(throws: WireError(.badIdentifier, "")) { try TeamID(name) }
    }

    @Test func launchTokenDoesNotShowItself() {
        var random = Randomness.seeded(3)
        let token = LaunchToken.random(using: &random)
        #expect("\(token)" == "launch token")
    }
}

@Suite struct DisplayTextTests {
    @Test func bytesAreLimitedToo() {
        // One character with many combining marks.
        let tower = "o" + String(repeating: "\u{301}", count: 50)
        let text = DisplayText(cleaning: String(repeating: tower, count: 5), limit: 64).text
        #expect(text.utf8.count <= 64 * Limits.shownBytesPerCharacter)
        // Only complete characters.
        #expect(text == tower + tower + "…")
        #expect(DisplayText(cleaning: text, limit: 64).text == text)
    }

    @Test func aCharacterThatIsTooLongIsLeftOutWhole() {
        let tower = "o" + String(repeating: "\u{301}", count: 100_000)
        #expect(DisplayText(cleaning: tower).text == "…")
        #expect(DisplayText(cleaning: "a" + tower).text == "a…")
        let family = "👩‍👩‍👧‍👦"
        #expect(DisplayText(cleaning: String(repeating: family, count: 3), limit: 3).text == "…")
        #expect(DisplayText(cleaning: String(repeating: "日本", count: 32), limit: 64).text.count == 64)
    }

    @Test func controlCharactersAndDirectionOverridesAreTakenOut() {
        #expect(DisplayText(cleaning: "in\u{202E}voice\u{7}.pdf\u{1B}[31m").text == "invoice.pdf[31m")
        #expect(DisplayText(cleaning: "a\u{2066}b\u{2069}c\u{200F}d\u{61C}e").text == "abcde")
    }

    @Test func invisibleLettersAreNotAName() {
        for filler in ["\u{3164}", "\u{2800}", "\u{115F}\u{1160}", "\u{FFA0}"] {
            #expect(DisplayText(cleaning: filler).isEmpty)
            #expect(DisplayText(cleaning: "a\(filler)b").text == "a b")
        }
    }

    /// Otherwise two devices' names could look alike.
    @Test func joinersThatJoinNothingAreTakenOut() {
        for text in ["lap\u{200D}top", "\u{200C}laptop", "laptop\u{200D}", "lap\u{200D}\u{200D}top"] {
            #expect(DisplayText(cleaning: text).text == "laptop")
        }
        let persian = "می\u{200C}خواهم"
        #expect(DisplayText(cleaning: persian).text == persian)
    }

    @Test func severalLinesBecomeOne() {
        #expect(DisplayText(cleaning: "one\ntwo\r\nthree\u{2028}four\tfive").text == "one two three four five")
    }

    @Test func longTextIsCut() {
        let text = DisplayText(cleaning: String(repeating: "x", count: 10_000)).text
        #expect(text.count == Limits.titleCharacters)
        #expect(text.hasSuffix("…"))
    }

    @Test func scriptsAndEmojiStayWhole() {
        for text in ["日本語", "עברית", "العربية", "👨‍👩‍👧", "नमस्ते"] {
            #expect(DisplayText(cleaning: text).text == text)
        }
    }
}

@Suite struct WebPageURLTests {
    /// Shows A15, X12.
    @Test(arguments: ["ftp://example.com", "file:///etc/passwd", "javascript:alert(1)", "", "example.com", "1http://x"])
    func otherSchemesAreRefused(url: String) { #expect(!WebPageURL.isAllowed(url)) }

    /// Shows A14.
    @Test(arguments: ["https://example.com/?q=a#b", "HTTP://EXAMPLE.COM"])
    func webAddressesAreTaken(url: String) { #expect(WebPageURL.isAllowed(url)) }
}
