// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Extension/README.md documents them.
package enum BrowserMessage: Hashable, Sendable {
    /// The first message. `browser`: a display name.
    case hello(browser: String)
    /// In front now, or with a new title.
    case page(BrowsedPage)
    /// No page in front may be offered.
    case left
    /// The user opened the list, so refresh it.
    case look
    /// `inBrowser`: even if an app would accept it.
    case goOn(request: Int, activity: ActivityID, device: DeviceID?, inBrowser: Bool)
    /// Answers `HostMessage.place`.
    case place(request: Int, PagePlace)
    /// Answers `HostMessage.open`. Nil on success.
    case opened(request: Int, problem: String?)
    /// The user sends this page, whether it is offered or not.
    case send(request: Int, page: BrowsedPage, to: PageReceiver, PagePlace)
    /// `activity`: as in `HostMessage.sent`.
    case takeBack(request: Int, activity: ActivityID)
    case openHandoff(request: Int)
    /// From a newer extension.
    case unknown(String)
}

package enum PageReceiver: Hashable, Sendable, CustomStringConvertible {
    case device(DeviceID)
    case phone(PhoneID)

    package var description: String {
        switch self {
        case .device(let device): device.description
        case .phone(let phone): phone.text
        }
    }
}

package struct BrowsedPage: Hashable, Sendable {
    package var url: String
    package var title: String

    package init(url: String, title: String) {
        self.url = url
        self.title = title
    }
}

package struct BrowserMessageError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
    init(_ description: String) { self.description = description }
}
