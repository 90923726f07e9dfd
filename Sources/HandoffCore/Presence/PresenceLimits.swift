// SPDX-License-Identifier: Apache-2.0

/// How long what was said of the user counts when whoever said it is gone, and how much of it is looked at.
package struct PresenceLimits: Hashable, Sendable {
    /// A word of somebody who is gone: long enough for a part of the desktop that crashed to be started again, so that nothing
    /// shows up meanwhile of a device whose screen is locked.
    package var grace: Duration = .seconds(30)
    /// From the start until who has not answered counts as not there; nothing is said of the user before. Shorter than
    /// `grace`.
    package var firstAnswers: Duration = .seconds(5)
    /// A request to lock the screen counts for so long as a lock. Until then the locker says by itself that the screen is
    /// locked, or it is one that never says so.
    package var lockRequest: Duration = .seconds(10)
    /// Sessions of this user that are looked at, those that began last.
    package var sessions = 64

    package init() {}
}
