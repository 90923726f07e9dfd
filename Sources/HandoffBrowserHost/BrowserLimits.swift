// SPDX-License-Identifier: Apache-2.0

/// Constants and limits for browsers.
package enum BrowserLimits {
    /// The type of all browsers' activities.
    package static let activityType = "NSUserActivityTypeBrowsingWeb"
    /// In the `userInfo` between browsers: the scroll position, from 0 to 1.
    package static let scrollKey = "scroll"
    /// The shortest interval between title updates of the same page.
    package static let titleSpacing: Duration = .seconds(1)
    /// How long to wait for the scroll position. The page is then sent without it.
    package static let placePatience: Duration = .milliseconds(700)
    /// How long the browser may take to open a page.
    package static let openPatience: Duration = .seconds(10)
    /// Entries of the list, so that it fits into one message.
    package static let offersShown = 50
    /// How long to wait for the extension's hello.
    package static let helloPatience: Duration = .seconds(10)
}
