// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Handoff
package import HandoffApp
import MonkeyBrowserModel

/// The app: carries out the user's commands, and answers the system's hooks by the model.
@MainActor
package final class TerminalBrowser: HandoffApplicationDelegate {
    private var browser = Browser()
    private var activities: [Tab: NSUserActivity] = [:]
    /// The tab of each announced activity, by its type.
    private var receivers: [String: Tab] = [:]
    private let face: Face
    private let tabActivities: TabActivities

    /// The application holds its delegate weakly, and lives as long as the process.
    private static let app = TerminalBrowser(face: Face())

    package static func run() {
        HandoffApplication.shared.delegate = app
        app.start()
        HandoffApplication.shared.run()
    }

    private init(face: Face) {
        self.face = face
        tabActivities = TabActivities(report: { face.show($0) })
    }

    private func start() {
        face.show(.ready)
        Task {
            for await line in face.lines() { perform(line) }
            // The end of a terminal ends the app. If a script ends, or the system that started the app, the browser stays
            // open.
            if face.isInteractive { quit() }
        }
    }

    private func perform(_ line: String) {
        do throws(BrowserError) {
            guard let command = try Command(line: line) else { return face.showPrompt() }
            try perform(command)
        } catch {
            face.show(.rejected(error))
        }
    }

    private func perform(_ command: Command) throws(BrowserError) {
        switch command {
        case .select(let tab):
            face.show(browser.select(tab))
            activities[tab]?.becomeCurrent()
        case .go(let address):
            let event = browser.go(to: address)
            let tab = browser.selected
            activities.removeValue(forKey: tab)?.invalidate()
            let activity = tabActivities.activity(of: tab, at: address)
            activities[tab] = activity
            activity.becomeCurrent()
            face.show(event)
        case .expire(let seconds):
            let event = try browser.expire(after: seconds)
            activities[browser.selected]?.expirationDate = Date(timeIntervalSinceNow: seconds)
            face.show(event)
        case .close:
            let event = try browser.close()
            // It can stay here, because it can never become current again.
            activities[browser.selected]?.invalidate()
            face.show(event)
        case .tabs: face.show(browser.listing)
        case .help: face.show(.helped)
        case .page, .scroll, .openWindow: throw .needsWindow(command)
        case .quit: quit()
        }
    }

    private func quit() {
        for activity in activities.values { activity.invalidate() }
        face.show(.finished)
        HandoffApplication.shared.terminate()
    }

    // MARK: Continuing

    package func application(
        _ application: HandoffApplication, willContinueUserActivityWithType userActivityType: String
    ) -> Bool {
        guard let tab = receiver(of: userActivityType) else { return false }
        receivers[userActivityType] = tab
        face.show(browser.prepareToHandoff(tab))
        return true
    }

    package func application(
        _ application: HandoffApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
    ) -> Bool {
        guard let tab = receiver(of: userActivity.activityType) else { return false }
        receivers[userActivity.activityType] = nil
        let event = browser.performHandoff(
            tab, userInfo: userActivity.userInfo, webpageURL: userActivity.webpageURL)
        if case .continued(_, let address) = event {
            let own = tabActivities.adopt(userActivity, of: tab, at: address)
            activities.updateValue(own, forKey: tab)?.invalidate()
            own.becomeCurrent()
        }
        face.show(event)
        return true
    }

    package func application(
        _ application: HandoffApplication, didFailToContinueUserActivityWithType userActivityType: String,
        error: any Error
    ) {
        guard let tab = receiver(of: userActivityType) else { return }
        receivers[userActivityType] = nil
        let code = (error as? CocoaError)?.code.rawValue ?? (error as NSError).code
        face.show(browser.handoffFailed(tab, code: code, reason: error.localizedDescription))
    }

    /// The tab of that type; for a page from any browser, the tab in front.
    private func receiver(of activityType: String) -> Tab? {
        receivers[activityType] ?? Tab(activityType: activityType)
            ?? (activityType == NSUserActivityTypeBrowsingWeb ? browser.selected : nil)
    }
}
