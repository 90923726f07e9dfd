// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// What the browser shows. It does nothing by itself: each method is something that happened, and returns what to
/// tell the user.
package struct Browser: Sendable {
    package struct Page: Hashable, Sendable {
        package var address: PageAddress?
        /// Shown over the page while its successor is on the way.
        package var busyText: String?
    }

    package static let continuingText = "Continuing Activity..."

    package private(set) var selected: Tab = .weather
    private var pages: [Tab: Page] = [:]

    package init() {}

    package func page(_ tab: Tab) -> Page { pages[tab] ?? Page() }

    package mutating func select(_ tab: Tab) -> BrowserEvent {
        selected = tab
        return .selected(tab, page(tab).address)
    }

    /// The user went to a page in the selected tab.
    package mutating func go(to address: PageAddress) -> BrowserEvent {
        pages[selected] = Page(address: address)
        return .current(selected, address)
    }

    /// The page of the selected tab is for the next `seconds` only.
    package func expire(after seconds: Double) throws(BrowserError) -> BrowserEvent {
        guard page(selected).address != nil else { throw .noPage(selected) }
        return .expires(selected, after: seconds)
    }

    /// The user closed the page of the selected tab.
    package mutating func close() throws(BrowserError) -> BrowserEvent {
        guard page(selected).address != nil else { throw .noPage(selected) }
        pages[selected] = nil
        return .closed(selected)
    }

    /// The user asked for this tab's activity here; its content is still on the other device.
    package mutating func prepareToHandoff(_ tab: Tab) -> BrowserEvent {
        pages[tab, default: Page()].busyText = Self.continuingText
        return .continuing(tab)
    }

    package mutating func performHandoff(_ tab: Tab, userInfo: [AnyHashable: Any]?, webpageURL: URL?) -> BrowserEvent {
        pages[tab, default: Page()].busyText = nil
        do {
            let address = try PageAddress(userInfo: userInfo, webpageURL: webpageURL)
            pages[tab] = Page(address: address)
            selected = tab
            return .continued(tab, address)
        } catch {
            return .failed(tab, code: nil, reason: error.description)
        }
    }

    /// It did not come. The tab keeps the page that it had.
    package mutating func handoffFailed(_ tab: Tab, code: Int, reason: String) -> BrowserEvent {
        pages[tab, default: Page()].busyText = nil
        return .failed(tab, code: code, reason: reason)
    }

    package var listing: BrowserEvent {
        .listed(Tab.allCases.map { .init(tab: $0, page: page($0), isSelected: $0 == selected) })
    }
}
