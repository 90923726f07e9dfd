// SPDX-License-Identifier: Apache-2.0

package enum BrowserLimits {
    package static let activityType = "NSUserActivityTypeBrowsingWeb"
    /// In the `userInfo` between browsers: the scroll position, from 0 to 1.
    package static let scrollKey = "scroll"
    /// Between title updates of the same page.
    package static let titleSpacing: Duration = .seconds(1)
    /// The page is then sent without its scroll position.
    package static let placePatience: Duration = .milliseconds(700)
    package static let openPatience: Duration = .seconds(10)
    /// Entries of the list, so that it fits into one message.
    package static let offersShown = 50
    package static let helloPatience: Duration = .seconds(10)
}
