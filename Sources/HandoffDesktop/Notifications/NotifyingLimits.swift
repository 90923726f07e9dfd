// SPDX-License-Identifier: Apache-2.0

import HandoffCore

/// How often notifications may disturb the user. Each limit has a test.
struct NotifyingLimits: Hashable, Sendable {
    /// The minimum time between changes of one device's notification, so that short-lived offers are never shown. The
    /// first notification after a quiet time is immediate: a user who just closed the laptop should not wait.
    var dwell = Duration.seconds(1)
    var shownAtOnce = 8
    var retry = Duration.seconds(30)
}
