// SPDX-License-Identifier: Apache-2.0

internal import Foundation

extension UIApplication {
    /// Always fails, because Linux has no service that sends notifications to an app. The delegate's
    /// `application(_:didFailToRegisterForRemoteNotificationsWithError:)` is called after its launch hooks.
    public func registerForRemoteNotifications() {
        let text = "Remote notifications are not supported on this system."
        let error = CocoaError(.featureUnsupported, userInfo: [NSLocalizedDescriptionKey: text])
        onMainThread {
            self.whenLaunched { $0.application(self, didFailToRegisterForRemoteNotificationsWithError: error) }
        }
    }

    /// Without effect.
    public func unregisterForRemoteNotifications() {}

    /// False.
    public var isRegisteredForRemoteNotifications: Bool { false }
}

/// The result of an app's fetch for a remote notification. No notification arrives, so nothing asks for it.
public enum UIBackgroundFetchResult: UInt, Sendable {
    case newData = 0
    case noData = 1
    case failed = 2
}
