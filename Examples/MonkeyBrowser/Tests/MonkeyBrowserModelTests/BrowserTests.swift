// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import MonkeyBrowserModel

/// Shows L07.
@Suite struct BrowserTests {
    private let forecast = try! PageAddress(entered: "https://weather.example/today")
    private let roastery = try! PageAddress(entered: "https://coffee.example/")

    @Test func startsOnTheWeatherTabWithoutAPage() {
        let browser = Browser()
        #expect(browser.selected == .weather)
        #expect(Tab.allCases.allSatisfy { browser.page($0) == Browser.Page() })
    }

    @Test func eachTabRemembersItsOwnPage() {
        var browser = Browser()
        #expect(browser.go(to: forecast) == .current(.weather, forecast))
        #expect(browser.select(.coffeeBreak) == .selected(.coffeeBreak, nil))
        #expect(browser.go(to: roastery) == .current(.coffeeBreak, roastery))
        #expect(browser.select(.weather) == .selected(.weather, forecast))
        #expect(browser.page(.coffeeBreak).address == roastery)
    }

    @Test func showsThatAContinuationIsOnItsWay() {
        var browser = Browser()
        #expect(browser.prepareToHandoff(.coffeeBreak) == .continuing(.coffeeBreak))
        #expect(browser.page(.coffeeBreak).busyText == "Continuing Activity...")
        #expect(browser.selected == .weather)
    }

    @Test func continuesInTheTabOfTheActivityType() {
        var browser = Browser()
        _ = browser.prepareToHandoff(.coffeeBreak)
        let event = browser.performHandoff(.coffeeBreak, userInfo: roastery.userInfo, webpageURL: nil)
        #expect(event == .continued(.coffeeBreak, roastery))
        #expect(browser.selected == .coffeeBreak)
        #expect(browser.page(.coffeeBreak) == Browser.Page(address: roastery))
    }

    @Test func continuesFromTheWebPageWithoutUserInfo() {
        var browser = Browser()
        #expect(
            browser.performHandoff(.work, userInfo: nil, webpageURL: forecast.url) == .continued(.work, forecast))
    }

    @Test func refusesAContinuedAddressThatIsNotAWebPage() {
        var browser = Browser()
        _ = browser.go(to: forecast)
        _ = browser.prepareToHandoff(.weather)
        let event = browser.performHandoff(.weather, userInfo: ["Url": "file:///etc/passwd"], webpageURL: nil)
        #expect(event.line.hasPrefix("failed tab=1 code=- reason="))
        #expect(browser.page(.weather) == Browser.Page(address: forecast))
    }

    @Test func keepsItsPageWhenAContinuationFails() {
        var browser = Browser()
        _ = browser.go(to: forecast)
        _ = browser.prepareToHandoff(.weather)
        let event = browser.handoffFailed(.weather, code: 4608, reason: "the other device is gone")
        #expect(event.line == "failed tab=1 code=4608 reason=the other device is gone")
        #expect(browser.page(.weather) == Browser.Page(address: forecast))
    }

    @Test func closesThePageOfTheSelectedTab() throws {
        var browser = Browser()
        _ = browser.go(to: forecast)
        #expect(try browser.expire(after: 60) == .expires(.weather, after: 60))
        #expect(try browser.close() == .closed(.weather))
        #expect(browser.page(.weather) == Browser.Page())
        #expect(throws: BrowserError.noPage(.weather)) { try browser.close() }
        #expect(throws: BrowserError.noPage(.weather)) { try browser.expire(after: 60) }
    }

    @Test func listsItsTabsForProgramsAndForPeople() {
        var browser = Browser()
        _ = browser.go(to: forecast)
        _ = browser.prepareToHandoff(.work)
        #expect(
            browser.listing.line == """
                tab tab=1 selected=true url=https://weather.example/today
                tab tab=2 selected=false url=-
                tab tab=3 selected=false url=-
                tab tab=4 selected=false url=- text=Continuing Activity...
                """)
        #expect(
            browser.listing.sentence == """
                * 1 Weather: https://weather.example/today
                  2 Favorite: no page yet
                  3 Coffee Break: no page yet
                  4 Work: Continuing Activity...
                """)
    }

    @Test func offersTheActivityTypesOfItsBundle() {
        #expect(Tab.allCases.map(\.activityType) == (1...4).map { "com.xamarin.monkeybrowser.tab\($0)" })
        #expect(Tab.allCases.map(\.name) == ["Weather", "Favorite", "Coffee Break", "Work"])
        #expect(Tab(activityType: "com.xamarin.monkeybrowser.tab3") == .coffeeBreak)
        #expect(Tab(activityType: "com.xamarin.monkeybrowser.tab5") == nil)
    }
}
