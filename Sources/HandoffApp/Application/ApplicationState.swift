// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension UIApplication {
    /// What its user does with the app, as far as the toolkit said.
    public enum State: Int, Sendable {
        /// The user works with it.
        case active = 0
        /// It is on the screen, while the user works with something else; or it is about to be launched.
        case inactive = 1
        /// Nothing of it is to be seen.
        case background = 2
    }

    /// Where no toolkit tells anything, as in a terminal, an app that was launched is the one that its user works with.
    public var applicationState: State {
        guard launch.isOver else { return .inactive }
        if toolkit.isInBackground { return .background }
        return toolkit.isActive || mainWindow != nil || !toolkit.hasSpoken ? .active : .inactive
    }

    /// Posted when nothing of the app is to be seen any more, and before it ends.
    public static let didEnterBackgroundNotification = Notification.Name("HandoffApplicationDidEnterBackground")
    /// Posted when something of the app is to be seen again.
    public static let willEnterForegroundNotification = Notification.Name("HandoffApplicationWillEnterForeground")
}
