// SPDX-License-Identifier: Apache-2.0

import CWebKitGTK
import Foundation
import HandoffGTK
import MonkeyBrowserModel
import MonkeyBrowserTerminal

/// The app: its windows, one of which is the main window, and the commands of the user and of controlling programs.
@MainActor
final class WindowBrowser: GTKApplicationDelegate {
    /// No browsing data is stored on disk.
    private let session: OpaquePointer = webkit_network_session_new_ephemeral()
    private let face = Face(forProgram: true)
    private var lastNumber = 0
    /// The main window that was reported last.
    private weak var knownMain: BrowserWindow?
    /// The window and tab of each announced activity, by its type.
    private var receivers: [String: (window: BrowserWindow, tab: Tab)] = [:]

    func application(
        _ application: HandoffApplication,
        didFinishLaunchingWithOptions launchOptions: [HandoffApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        Style.load()
        let app = GTKApplication.shared
        for action in WindowAction.OfApp.allCases {
            app.addAction(action.rawValue, keys: action.keys) { [weak self] in
                switch action {
                case .window: self?.open()
                case .quit: self?.quit()
                }
            }
        }
        WindowAction.setTabKeys()
        return true
    }

    func applicationActivated(_ application: GTKApplication) {
        // Started again while it is running.
        guard lastNumber == 0 else { return main.makeKeyAndOrderFront(nil) }
        open()
        face.show(.ready)
        Task {
            for await line in face.lines() { perform(line) }
        }
    }

    // MARK: Windows

    @discardableResult
    private func open() -> BrowserWindow {
        lastNumber += 1
        let face = face
        let window = BrowserWindow(
            lastNumber, session: session, face: face,
            host: .init(show: { face.show($0) }, becameMain: { [weak self] in self?.becameMain($0) }))
        // It becomes the main window when its user switches to it.
        window.orderFront(nil)
        face.show(.windowOpened(lastNumber))
        return window
    }

    /// From the framework, the frontmost first.
    private var windows: [BrowserWindow] { HandoffApplication.shared.windows.compactMap { $0 as? BrowserWindow } }
    private var main: BrowserWindow { windows.first ?? open() }

    private func becameMain(_ window: BrowserWindow) {
        guard knownMain !== window else { return }
        knownMain = window
        let tab = window.browser.selected
        face.show(.windowIsMain(window.number, tab, window.browser.page(tab).address))
    }

    // MARK: Commands

    private func perform(_ line: String) {
        do throws(BrowserError) {
            if let command = try Command(line: line) { try perform(command) }
        } catch {
            face.show(.rejected(error))
        }
    }

    private func perform(_ command: Command) throws(BrowserError) {
        switch command {
        case .select(let tab): main.select(tab)
        case .go(let address): main.go(to: address)
        case .expire(let seconds): try main.expire(after: seconds)
        case .close: try main.closePage()
        case .tabs: face.show(main.browser.listing)
        case .page: main.readPage()
        case .scroll(let position): main.scroll(to: position)
        case .openWindow: open()
        case .help: face.show(.helped)
        case .quit: quit()
        }
    }

    private func quit() { HandoffApplication.shared.terminate() }

    func applicationWillTerminate(_ application: HandoffApplication) {
        for window in windows { window.end() }
        face.show(.finished)
    }

    // MARK: Continuing

    func application(
        _ application: HandoffApplication, willContinueUserActivityWithType userActivityType: String
    ) -> Bool {
        guard let receiver = newReceiver(of: userActivityType) else { return false }
        receivers[userActivityType] = receiver
        receiver.window.prepareToHandoff(receiver.tab)
        return true
    }

    func application(
        _ application: HandoffApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
    ) -> Bool {
        guard let receiver = receiver(of: userActivity.activityType) else { return false }
        restorationHandler([receiver.window.tab(receiver.tab)])
        return true
    }

    func application(
        _ application: HandoffApplication, didFailToContinueUserActivityWithType userActivityType: String,
        error: any Error
    ) {
        guard let receiver = receiver(of: userActivityType) else { return }
        let code = (error as? CocoaError)?.code.rawValue ?? (error as NSError).code
        receiver.window.handoffFailed(receiver.tab, code: code, reason: error.localizedDescription)
    }

    /// The tab of that type; for a page from any browser, the tab in front.
    private func newReceiver(of activityType: String) -> (window: BrowserWindow, tab: Tab)? {
        if let tab = Tab(activityType: activityType) { return (main, tab) }
        guard activityType == NSUserActivityTypeBrowsingWeb else { return nil }
        let window = main
        return (window, window.browser.selected)
    }

    /// The window may have been closed in the meantime.
    private func receiver(of activityType: String) -> (window: BrowserWindow, tab: Tab)? {
        guard let receiver = receivers.removeValue(forKey: activityType), receiver.window.isOpen else {
            return newReceiver(of: activityType)
        }
        return receiver
    }
}
