// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// What the extension says. Extension/README.md has the words.
package enum BrowserMessage: Hashable, Sendable {
    /// First of all, with the name that people know the browser by.
    case hello(browser: String)
    /// This page is in front now, or its title changed.
    case page(BrowsedPage)
    /// No page is in front that may be offered.
    case left
    /// Somebody looks at the list: what is known is asked for anew.
    case look
    /// The user continues this. `inBrowser`: as a page, also where an app would take it.
    case goOn(request: Int, activity: ActivityID, device: DeviceID?, inBrowser: Bool)
    /// Answers `HostMessage.place`. Nil: the page does not say.
    case place(request: Int, scroll: Double?)
    /// Answers `HostMessage.open`. Nil: it is open.
    case opened(request: Int, problem: String?)
    /// Of a newer extension.
    case unknown(String)
}

/// A page as the extension tells of it.
package struct BrowsedPage: Hashable, Sendable {
    package var url: String
    package var title: String

    package init(url: String, title: String) {
        self.url = url
        self.title = title
    }
}

/// Why a message of the extension is not one.
package struct BrowserMessageError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
    init(_ description: String) { self.description = description }
}
