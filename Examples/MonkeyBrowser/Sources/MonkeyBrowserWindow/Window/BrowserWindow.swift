// SPDX-License-Identifier: Apache-2.0

import CWebKitGTK
import Foundation
import HandoffGTK
import MonkeyBrowserModel
import MonkeyBrowserTerminal

/// One window: carries out its user's commands by the model, and has an activity for each tab.
final class BrowserWindow: GTKWindow {
    /// Implemented by the browser that owns this window.
    struct Host {
        var show: @MainActor (BrowserEvent) -> Void
        /// The user switched to this window.
        var becameMain: @MainActor (BrowserWindow) -> Void
    }

    let number: Int
    private(set) var browser = Browser()
    private var tabs: [Tab: TabController] = [:]
    private lazy var frame = WindowFrame(of: self, Tab.allCases.map { ($0, tab($0).page.widget) })
    private let host: Host

    init(_ number: Int, session: OpaquePointer, face: Face, host: Host) {
        self.number = number
        self.host = host
        super.init(gtk_application_window_new(GTKApplication.shared.application).cast(to: GtkWindow.self))
        for tab in Tab.allCases {
            let page = PageView(tab, in: session)
            let controller = TabController(tab, page, face: face)
            controller.nextResponder = self
            controller.perform = { [weak self] in self?.performHandoff(tab, $0) }
            page.report = { [weak self] in self?.happened($0, in: tab) }
            tabs[tab] = controller
        }
        frame.report = { [weak self] in self?.happened($0) }
        showSelected()
    }

    var selected: TabController { tab(browser.selected) }
    func tab(_ tab: Tab) -> TabController { tabs[tab]! }

    /// Its activities can no longer be continued.
    func end() {
        for controller in tabs.values { controller.userActivity = nil }
    }

    /// A command in a window makes it the main window, even if no toolkit reports that it has the focus.
    private func turnTo() {
        if !isMainWindow { makeKeyAndOrderFront(nil) }
    }

    override func becameMain() {
        super.becameMain()
        host.becameMain(self)
    }

    override func closed() {
        super.closed()
        end()
        host.show(.windowClosed(number))
    }

    // MARK: Commands

    func go(to address: PageAddress) {
        turnTo()
        let event = browser.go(to: address)
        selected.go(to: address)
        showSelected()
        host.show(event)
    }

    func select(_ tab: Tab) {
        turnTo()
        host.show(browser.select(tab))
        showSelected()
    }

    func expire(after seconds: Double) throws(BrowserError) {
        let event = try browser.expire(after: seconds)
        selected.userActivity?.expirationDate = Date(timeIntervalSinceNow: seconds)
        host.show(event)
    }

    func closePage() throws(BrowserError) {
        let event = try browser.close()
        selected.close()
        showSelected()
        host.show(event)
    }

    func readPage() {
        let tab = browser.selected
        selected.page.read { [host] in host.show(.read(tab, $0)) }
    }

    func scroll(to position: ScrollPosition) {
        let tab = browser.selected
        selected.page.read(afterScrollingTo: position) { [host] in host.show(.read(tab, $0)) }
    }

    // MARK: Continuing

    func prepareToHandoff(_ tab: Tab) {
        // The user has requested it, so it is brought to the front.
        _ = browser.select(tab)
        host.show(browser.prepareToHandoff(tab))
        showSelected()
        makeKeyAndOrderFront(nil)
    }

    private func performHandoff(_ tab: Tab, _ activity: NSUserActivity) {
        let event = browser.performHandoff(
            tab, userInfo: activity.userInfo, webpageURL: activity.webpageURL, title: activity.title)
        if case .continued(_, let address) = event {
            self.tab(tab).adopt(activity, at: address)
            self.tab(tab).page.takeFocus()
        }
        showOutcome(event, of: tab)
    }

    func handoffFailed(_ tab: Tab, code: Int, reason: String) {
        showOutcome(browser.handoffFailed(tab, code: code, reason: reason), of: tab)
    }

    private func showOutcome(_ event: BrowserEvent, of tab: Tab) {
        if case .failed = event { showMessage(event.sentence) }
        showSelected()
        host.show(event)
    }

    // MARK: Events

    private func happened(_ event: WindowFrame.Event) {
        switch event {
        case .entered(let text):
            do throws(BrowserError) {
                go(to: try PageAddress(entered: text))
                selected.page.takeFocus()
            } catch {
                showMessage(BrowserEvent.rejected(error).sentence)
                host.show(.rejected(error))
            }
        case .selected(let tab): select(tab)
        case .action(.address): frame.addressBar.takeFocus()
        case .action(.back): selected.page.goBack()
        case .action(.forward): selected.page.goForward()
        case .action(.reload): selected.page.reload()
        case .action(.close): close()
        }
    }

    private func happened(_ event: PageView.Event, in tab: Tab) {
        let controller = self.tab(tab)
        switch event {
        case .moved(let text):
            guard let address = try? PageAddress(entered: text), let event = browser.moved(tab, to: address) else {
                break
            }
            controller.moved(to: address)
            host.show(event)
        case .titled(let text):
            let title = PageTitle(text)
            browser.titled(tab, title)
            controller.titled(title)
        case .progress(let fraction):
            if tab == browser.selected { frame.addressBar.show(progress: fraction) }
            return
        case .loaded:
            guard browser.page(tab).address != nil else { return }
            controller.page.read(afterScrollingTo: browser.loaded(tab)) { [host] page in
                host.show(page.map { .loaded(tab, $0) } ?? .read(tab, nil))
            }
        case .failed(let address, let reason):
            host.show(.notLoaded(tab, address: address, reason: reason))
        case .scrolled:
            controller.userActivity?.needsSave = true
            host.show(.scrolled(tab))
            return
        }
        if tab == browser.selected { showSelected() }
    }

    /// Updates all widgets from the model, and `busyText` in every tab.
    private func showSelected() {
        let (tab, page) = (browser.selected, browser.page(browser.selected))
        for (tab, controller) in tabs { controller.page.showBusy(browser.page(tab).busyText) }
        frame.show(tab)
        UIApplication.shared.toolkit.firstResponderChanged(to: selected, in: self)
        title = "\(page.title?.text ?? tab.name) — MonkeyBrowser"
        frame.addressBar.text = page.address?.description ?? ""
        frame.enable(.back, selected.page.canGoBack)
        frame.enable(.forward, selected.page.canGoForward)
        frame.enable(.reload, page.address != nil)
    }
}
