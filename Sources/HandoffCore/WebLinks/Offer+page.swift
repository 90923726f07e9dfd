// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

// What an offer says of a web page.

extension Offer {
    /// Of a page that its user is reading, in an app or a browser.
    package var isBrowsedPage: Bool { type == .browsingWeb && hasWebPage }

    /// Whose apps may take it. Of other activities it counts for nothing, whatever they say.
    package var browsedHost: WebHost? { isBrowsedPage ? webHost : nil }

    /// As a browser would offer a page of that host; of no device, and never on a board.
    package static func page(of host: WebHost?, in account: AccountID?) -> Offer {
        let nobody = AccountID(uncheckedBytes: Array(repeating: 0, count: 32))
        return Offer(
            activity: ActivityID(uncheckedBytes: Array(repeating: 0, count: 16)), type: .browsingWeb,
            appName: DisplayText(cleaning: ""), team: .personal(account ?? nobody), hasWebPage: true,
            since: WallTime(milliseconds: 0), webHost: host)
    }

    /// Offered by a browser, or by a script in the place of one: what goes with the page is where in it its user is, and
    /// that is for another browser.
    package var isFromBrowser: Bool { isBrowsedPage && bundle == nil && team.developer == nil }
}
