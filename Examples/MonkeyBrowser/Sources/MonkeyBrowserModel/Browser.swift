// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The state of the browser. It has no side effects: each method is an event, and returns the events to report to the
/// user.
package struct Browser: Sendable {
    package struct Page: Hashable, Sendable {
        package var address: PageAddress?
        package var title: PageTitle?
        /// The scroll position on the other device, until the page is shown at this position here.
        package var arrival: ScrollPosition?
        /// Shown over the page while the next page is arriving.
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

    /// The user opened a page in the selected tab.
    package mutating func go(to address: PageAddress) -> BrowserEvent {
        pages[selected] = Page(address: address)
        return .current(selected, address)
    }

    /// The page of a tab has changed: by a link, a redirection, a step back.
    package mutating func moved(_ tab: Tab, to address: PageAddress) -> BrowserEvent? {
        guard page(tab).address != address else { return nil }
        // A redirection on arrival is part of the arrival.
        pages[tab] = Page(address: address, arrival: page(tab).arrival, busyText: page(tab).busyText)
        return .moved(tab, address)
    }

    /// The page of a tab is shown with this title.
    package mutating func titled(_ tab: Tab, _ title: PageTitle?) {
        guard page(tab).address != nil else { return }
        pages[tab]?.title = title
    }

    /// The page of a tab has loaded completely. Returns the scroll position to restore, the first time.
    package mutating func loaded(_ tab: Tab) -> ScrollPosition? {
        defer { pages[tab]?.arrival = nil }
        return page(tab).arrival
    }

    /// The page of the selected tab is offered only for the next `seconds`.
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

    /// The user has requested this tab's activity; its content is still on the other device.
    package mutating func prepareToHandoff(_ tab: Tab) -> BrowserEvent {
        pages[tab, default: Page()].busyText = Self.continuingText
        return .continuing(tab)
    }

    package mutating func performHandoff(
        _ tab: Tab, userInfo: [AnyHashable: Any]?, webpageURL: URL?, title: String? = nil
    ) -> BrowserEvent {
        pages[tab, default: Page()].busyText = nil
        do {
            let address = try PageAddress(userInfo: userInfo, webpageURL: webpageURL)
            pages[tab] = Page(
                address: address, title: title.flatMap(PageTitle.init), arrival: ScrollPosition(userInfo: userInfo))
            selected = tab
            return .continued(tab, address)
        } catch {
            return .failed(tab, code: nil, reason: error.description)
        }
    }

    /// The activity did not arrive. The tab keeps its page.
    package mutating func handoffFailed(_ tab: Tab, code: Int, reason: String) -> BrowserEvent {
        pages[tab, default: Page()].busyText = nil
        return .failed(tab, code: code, reason: reason)
    }

    package var listing: BrowserEvent {
        .listed(Tab.allCases.map { .init(tab: $0, page: page($0), isSelected: $0 == selected) })
    }
}
