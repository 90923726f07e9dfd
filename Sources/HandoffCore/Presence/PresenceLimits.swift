// SPDX-License-Identifier: Apache-2.0

package struct PresenceLimits: Hashable, Sendable {
    /// How long the last report of a vanished source remains valid. Long enough to restart a crashed part of the
    /// desktop, so that a locked device shows nothing in the meantime.
    package var grace: Duration = .seconds(30)
    /// How long after the start an unanswered source is treated as absent. The presence is unknown until then. Shorter
    /// than `grace`.
    package var firstAnswers: Duration = .seconds(5)
    /// How long a request to lock the screen is treated as a lock. By then the locker has reported the lock, unless it
    /// never does.
    package var lockRequest: Duration = .seconds(10)
    /// The number of sessions examined; the newest are preferred.
    package var sessions = 64

    package init() {}
}
