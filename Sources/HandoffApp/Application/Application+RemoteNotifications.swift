// SPDX-License-Identifier: Apache-2.0

internal import Foundation

extension UIApplication {
    /// Always fails, because Linux has no push service. The delegate receives
    /// `application(_:didFailToRegisterForRemoteNotificationsWithError:)`, after the launch.
    public func registerForRemoteNotifications() {
        let text = "Remote notifications are not supported on this system."
        let error = CocoaError(.featureUnsupported, userInfo: [NSLocalizedDescriptionKey: text])
        onMainThread {
            self.whenLaunched { $0.application(self, didFailToRegisterForRemoteNotificationsWithError: error) }
        }
    }

    /// Has no effect.
    public func unregisterForRemoteNotifications() {}

    /// Always false.
    public var isRegisteredForRemoteNotifications: Bool { false }
}

/// Never requested, because no notification arrives.
public enum UIBackgroundFetchResult: UInt, Sendable {
    case newData = 0
    case noData = 1
    case failed = 2
}
