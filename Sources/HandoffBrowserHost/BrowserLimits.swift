// SPDX-License-Identifier: Apache-2.0

enum BrowserLimits {
    static let activityType = "NSUserActivityTypeBrowsingWeb"
    /// In the `userInfo` between browsers: the scroll position, from 0 to 1.
    static let scrollKey = "scroll"
    /// Between title updates of the same page.
    static let titleSpacing: Duration = .seconds(1)
    /// The page is then sent without its scroll position.
    static let placePatience: Duration = .milliseconds(700)
    static let openPatience: Duration = .seconds(10)
    /// Entries of the list, so that it fits into one message.
    static let offersShown = 50
    static let helloPatience: Duration = .seconds(10)
}
