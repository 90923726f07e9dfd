// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import MonkeyBrowserModel

/// Answers of pages, and scroll positions. Shows L07.
@Suite struct PageTests {
    private let forecast = try! PageAddress(entered: "https://weather.example/today")
    private let tomorrow = try! PageAddress(entered: "https://weather.example/tomorrow")

    // Shows L07.
    @Test func takesAPageToWhereItWasOnTheOtherDevice() throws {
        let position = try #require(ScrollPosition(x: 0, y: 340))
        var browser = Browser()
        let userInfo = forecast.userInfo.merging(position.userInfo) { $1 }
        _ = browser.performHandoff(.weather, userInfo: userInfo, webpageURL: nil, title: "The weather")
        #expect(browser.page(.weather).title?.text == "The weather")
        #expect(browser.moved(.weather, to: tomorrow) == .moved(.weather, tomorrow))
        #expect(browser.loaded(.weather) == position)
        #expect(browser.loaded(.weather) == nil, "a page that is loaded again stays where it is")
    }

    @Test func goesToTheTopOfAPageThatTheUserChose() {
        var browser = Browser()
        _ = browser.go(to: forecast)
        #expect(browser.loaded(.weather) == nil)
    }

    @Test func followsThePageWhereItLeads() {
        var browser = Browser()
        _ = browser.go(to: forecast)
        #expect(browser.moved(.weather, to: forecast) == nil)
        browser.titled(.weather, PageTitle("Today"))
        #expect(browser.moved(.weather, to: tomorrow)?.line == "moved tab=1 url=https://weather.example/tomorrow")
        #expect(browser.page(.weather) == Browser.Page(address: tomorrow))
    }

    @Test func anEmptyTabHasNoTitle() {
        var browser = Browser()
        browser.titled(.work, PageTitle("about:blank"))
        #expect(browser.page(.work) == Browser.Page())
    }

    @Test(arguments: [
        ["ScrollY": -1.0], ["ScrollY": Double.nan], ["ScrollY": Double.infinity], ["ScrollY": 1e12],
        ["ScrollX": 5.0], ["ScrollX": -5.0, "ScrollY": 5.0],
    ])
    func refusesAPlaceThatIsOnNoPage(userInfo: [String: Double]) {
        #expect(ScrollPosition(userInfo: userInfo) == nil)
    }

    @Test func rejectsANonNumericScrollPosition() {
        #expect(ScrollPosition(userInfo: ["ScrollY": "down"]) == nil)
        #expect(ScrollPosition(userInfo: nil) == nil)
    }

    @Test func readsWhatAPageSays() throws {
        let answer = #"{"url":"https://weather.example/today","title":" The\n weather ","x":0,"y":120.4}"#
        let page = try #require(PageReading(answer: answer))
        #expect(
            BrowserEvent.loaded(.weather, page).line
                == "loaded tab=1 url=https://weather.example/today scroll=0,120 title=The weather")
    }

    @Test func staysOnThePageThatIsPulledBeyondItsEdge() throws {
        let page = try #require(PageReading(answer: #"{"url":"https://a.example/","title":"","x":-3,"y":-40}"#))
        #expect(page.scroll == .top)
    }

    @Test(arguments: ["", "undefined", "null", "[]", #"{"url":1}"#, #"{"url":"u","title":"t","x":"0","y":0}"#])
    func takesNoOtherAnswer(answer: String) {
        #expect(PageReading(answer: answer) == nil)
    }

    @Test func showsOneLineOfATitle() {
        #expect(PageTitle("  \n\t") == nil)
        #expect(PageTitle("a\u{1B}[2J\u{202E}\r\nb")?.text == "a [2J\u{202E} b")
        #expect(PageTitle(String(repeating: "x", count: 5000))?.text.count == PageTitle.longest)
    }
}
