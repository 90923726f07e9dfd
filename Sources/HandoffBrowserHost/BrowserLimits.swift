// SPDX-License-Identifier: Apache-2.0

/// Words and bounds of a browser that takes part.
package enum BrowserLimits {
    /// What every browser's activity is of.
    package static let activityType = "NSUserActivityTypeBrowsingWeb"
    /// In the `userInfo` from browser to browser: how far down the page its user is, from 0 to 1.
    package static let scrollKey = "scroll"
    /// A changed title of the same page is told at most once in so long.
    package static let titleSpacing: Duration = .seconds(1)
    /// How long the page may take to say where its user is. It goes without its place then.
    package static let placePatience: Duration = .milliseconds(700)
    /// How long the browser may take to open a page.
    package static let openPatience: Duration = .seconds(10)
    /// Lines of the list, so that it fits into one message.
    package static let offersShown = 50
    /// How long the extension may take to say who it is.
    package static let helloPatience: Duration = .seconds(10)
}
