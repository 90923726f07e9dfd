// SPDX-License-Identifier: Apache-2.0

/// What notifications may cost their reader. Each limit has a test.
package struct NotifyingLimits: Hashable, Sendable {
    /// One device's notification changes once in this time, so that what is passed by on the way is never shown: an offer that
    /// follows another has to stay until then. The first one of a device that was quiet for so long is shown at once: whoever
    /// closed the laptop to go on here should not wait.
    package var dwell = Duration.seconds(1)
    /// Of all devices together, count.
    package var shownAtOnce = 8
    /// After the server took none.
    package var retry = Duration.seconds(30)

    package init() {}
}
