// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import MonkeyBrowserModel

@Suite struct CommandTests {
    @Test func readsEachCommand() throws {
        #expect(try Command(line: "tab 3") == .select(.coffeeBreak))
        #expect(try Command(line: " go  example.com/a?b ") == .go(try PageAddress(entered: "example.com/a?b")))
        #expect(try Command(line: "expire 2.5") == .expire(2.5))
        #expect(try Command(line: "close") == .close)
        #expect(try Command(line: "tabs") == .tabs)
        #expect(try Command(line: "page") == .page)
        #expect(try Command(line: "scroll 120.5") == .scroll(try #require(ScrollPosition(x: 0, y: 120.5))))
        #expect(try Command(line: "window") == .openWindow)
        #expect(try Command(line: "HELP") == .help)
        #expect(try Command(line: "quit") == .quit)
        #expect(try Command(line: "   ") == nil)
    }

    @Test(arguments: ["tab", "tab 0", "tab 5", "tab one"])
    func knowsFourTabsOnly(line: String) {
        #expect(throws: BrowserError.self) { try Command(line: line) }
    }

    @Test(arguments: ["expire", "expire soon", "expire -1", "expire nan", "expire 86401"])
    func knowsTimesWithinADay(line: String) {
        #expect(throws: BrowserError.self) { try Command(line: line) }
    }

    @Test(arguments: ["scroll", "scroll down", "scroll -1", "scroll inf"])
    func knowsPlacesOnAPageOnly(line: String) {
        #expect(throws: BrowserError.self) { try Command(line: line) }
    }

    @Test func saysWhatItDoesNotKnow() {
        #expect(throws: BrowserError.noSuchCommand("fly")) { try Command(line: "fly away") }
    }

    @Test func addsTheSchemeThatPeopleLeaveOut() throws {
        #expect(try PageAddress(entered: "example.com").url.absoluteString == "https://example.com")
        #expect(try PageAddress(entered: "http://example.com/").url.absoluteString == "http://example.com/")
    }

    @Test(arguments: ["", "ftp://example.com/", "https://", "file:///etc/passwd", "a b", "https://a.example/\u{1B}[2J"])
    func refusesWhatIsNotAWebPage(text: String) {
        #expect(throws: BrowserError.self) { try PageAddress(entered: text) }
    }

    @Test func carriesItsAddressAsTheArticleDoes() throws {
        let address = try PageAddress(entered: "https://example.com/")
        #expect(address.userInfo["Url"] as? String == "https://example.com/")
        #expect(try PageAddress(userInfo: address.userInfo, webpageURL: nil) == address)
        #expect(throws: BrowserError.noAddress) { try PageAddress(userInfo: ["Other": 1], webpageURL: nil) }
    }
}
