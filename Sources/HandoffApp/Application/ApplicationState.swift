// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension UIApplication {
    /// How the user uses the app.
    public enum State: Int, Sendable {
        /// The user works with the app.
        case active = 0
        /// Visible while the user works with another app, or about to be launched.
        case inactive = 1
        /// Not visible.
        case background = 2
    }

    /// A launched app without a toolkit is active.
    public var applicationState: State {
        guard launch.isOver else { return .inactive }
        if toolkit.isInBackground { return .background }
        return toolkit.isActive || mainWindow != nil || !toolkit.hasSpoken ? .active : .inactive
    }

    /// Posted when the app is no longer visible, and before it ends.
    public static let didEnterBackgroundNotification = Notification.Name("HandoffApplicationDidEnterBackground")
    /// Posted when a part of the app becomes visible again.
    public static let willEnterForegroundNotification = Notification.Name("HandoffApplicationWillEnterForeground")
}
