// SPDX-License-Identifier: Apache-2.0

/// How often notifications may disturb the user. Each limit has a test.
package struct NotifyingLimits: Hashable, Sendable {
    /// The minimum time between changes of one device's notification, so that short-lived offers are never shown. The
    /// first notification after a quiet time is immediate: a user who just closed the laptop should not wait.
    package var dwell = Duration.seconds(1)
    package var shownAtOnce = 8
    package var retry = Duration.seconds(30)

    package init() {}
}
