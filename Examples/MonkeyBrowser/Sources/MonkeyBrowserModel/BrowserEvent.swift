// SPDX-License-Identifier: Apache-2.0

/// An event that is reported to the user, or to the program that controls the browser.
package enum BrowserEvent: Hashable, Sendable {
    package struct Row: Hashable, Sendable {
        package var tab: Tab
        package var page: Browser.Page
        package var isSelected: Bool
    }

    case ready
    case selected(Tab, PageAddress?)
    /// This device now offers the page to the others.
    case current(Tab, PageAddress)
    /// The page led to another page.
    case moved(Tab, PageAddress)
    /// The page has loaded, with this position and title.
    case loaded(Tab, PageReading)
    case notLoaded(Tab, address: String, reason: String)
    /// The page was scrolled; its position is reported on request.
    case scrolled(Tab)
    /// The page's position and title, on request; nil if it does not answer.
    case read(Tab, PageReading?)
    /// A window was opened or closed, by its number.
    case windowOpened(Int)
    case windowClosed(Int)
    /// The window that the user switched to, and the page in front in it.
    case windowIsMain(Int, Tab, PageAddress?)
    /// The page is offered only for this long, in seconds.
    case expires(Tab, after: Double)
    case closed(Tab)
    /// The system requests the latest state of this tab, to send it.
    case saving(Tab)
    case continuing(Tab)
    case continued(Tab, PageAddress)
    /// Another device continued the activity of this tab.
    case wasContinued(Tab)
    /// `code` is that of a `CocoaError`, if the system gave one.
    case failed(Tab, code: Int?, reason: String)
    case listed([Row])
    case rejected(BrowserError)
    case helped
    case finished

    /// One stable line for programs; `listed` has one for each tab.
    package var line: String {
        switch self {
        case .ready: "ready"
        case .selected(let tab, let address): "selected tab=\(tab.rawValue) url=\(Self.text(address))"
        case .current(let tab, let address): "current tab=\(tab.rawValue) url=\(address)"
        case .moved(let tab, let address): "moved tab=\(tab.rawValue) url=\(address)"
        case .loaded(let tab, let page): "loaded tab=\(tab.rawValue) \(Self.text(page))"
        case .notLoaded(let tab, let address, let reason):
            "not-loaded tab=\(tab.rawValue) url=\(address) reason=\(reason)"
        case .scrolled(let tab): "scrolled tab=\(tab.rawValue)"
        case .read(let tab, let page): "page tab=\(tab.rawValue) \(page.map(Self.text) ?? "-")"
        case .windowOpened(let window): "opened window=\(window)"
        case .windowClosed(let window): "closed window=\(window)"
        case .windowIsMain(let window, let tab, let address):
            "main window=\(window) tab=\(tab.rawValue) url=\(Self.text(address))"
        case .expires(let tab, let seconds): "expires tab=\(tab.rawValue) seconds=\(seconds)"
        case .closed(let tab): "closed tab=\(tab.rawValue)"
        case .saving(let tab): "saving tab=\(tab.rawValue)"
        case .continuing(let tab): "continuing tab=\(tab.rawValue) text=\(Browser.continuingText)"
        case .continued(let tab, let address): "continued tab=\(tab.rawValue) url=\(address)"
        case .wasContinued(let tab): "was-continued tab=\(tab.rawValue)"
        case .failed(let tab, let code, let reason):
            "failed tab=\(tab.rawValue) code=\(code.map(String.init) ?? "-") reason=\(reason)"
        case .listed(let rows): rows.map(Self.line).joined(separator: "\n")
        case .rejected(let error): "rejected reason=\(error)"
        case .helped: Command.overview
        case .finished: "finished"
        }
    }

    /// The text for a person.
    package var sentence: String {
        switch self {
        case .ready: "MonkeyBrowser. \(Command.overview)"
        case .selected(let tab, let address): "\(tab.name): \(address?.description ?? "no page yet")"
        case .current(let tab, let address): "\(tab.name): \(address)  (offered to your other devices)"
        case .moved(let tab, let address): "\(tab.name): \(address)"
        case .loaded(let tab, let page): "\(tab.name): \(page.title)"
        case .notLoaded(let tab, let address, let reason): "\(tab.name): \(address) could not be shown: \(reason)"
        case .scrolled(let tab): "\(tab.name): scrolled."
        case .read(let tab, let page):
            "\(tab.name): " + (page.map { "\($0.title), at \($0.scroll)" } ?? "the page does not answer")
        case .windowOpened(let window): "Window \(window) is open."
        case .windowClosed(let window): "Window \(window) is closed."
        case .windowIsMain(let window, let tab, let address): "Window \(window), \(tab.name): \(Self.text(address))"
        case .expires(let tab, let seconds): "\(tab.name): offered for \(seconds) more seconds."
        case .closed(let tab): "\(tab.name): closed; other devices do not see this page any more."
        case .saving(let tab): "\(tab.name): another of your devices asks for this page."
        case .continuing(let tab): "\(tab.name): \(Browser.continuingText)"
        case .continued(let tab, let address): "\(tab.name): \(address)  (continued here)"
        case .wasContinued(let tab): "\(tab.name): another of your devices continues this page."
        case .failed(let tab, _, let reason): "\(tab.name): could not continue here: \(reason)"
        case .listed(let rows): rows.map(Self.sentence).joined(separator: "\n")
        case .rejected(let error): "Sorry, \(error)."
        case .helped: Command.overview
        case .finished: "Bye."
        }
    }

    private static func text(_ address: PageAddress?) -> String { address?.description ?? "-" }

    /// The title is last, because it may contain anything.
    private static func text(_ page: PageReading) -> String {
        "url=\(page.address) scroll=\(page.scroll) title=\(page.title)"
    }

    private static func line(_ row: Row) -> String {
        let busy = row.page.busyText.map { " text=\($0)" } ?? ""
        return "tab tab=\(row.tab.rawValue) selected=\(row.isSelected) url=\(text(row.page.address))\(busy)"
    }

    private static func sentence(_ row: Row) -> String {
        let mark = row.isSelected ? "*" : " "
        let content = row.page.busyText ?? row.page.address?.description ?? "no page yet"
        return "\(mark) \(row.tab.rawValue) \(row.tab.name): \(content)"
    }
}
