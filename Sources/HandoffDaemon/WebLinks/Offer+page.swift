// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

extension Offer {
    var isBrowsedPage: Bool { type == .browsingWeb && hasWebPage }

    /// The host whose apps may continue it. Hosts of other activities are ignored.
    var browsedHost: WebHost? { isBrowsedPage ? webHost : nil }

    /// An offer like a browser's for a page of that host. It belongs to no device, and is never on a board.
    static func page(of host: WebHost?, in account: AccountID?) -> Offer {
        let nobody = AccountID(uncheckedBytes: Array(repeating: 0, count: 32))
        return Offer(
            activity: ActivityID(uncheckedBytes: Array(repeating: 0, count: 16)), type: .browsingWeb,
            appName: DisplayText(cleaning: ""), team: .personal(account ?? nobody), hasWebPage: true,
            since: WallTime(milliseconds: 0), webHost: host)
    }

    /// The offer belongs to a browser, or to a script that acts like one. The position in the page is sent with it, for
    /// another browser.
    var isFromBrowser: Bool { isBrowsedPage && bundle == nil && team.developer == nil }
}
