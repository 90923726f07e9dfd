// SPDX-License-Identifier: Apache-2.0

extension LocalMessage {
    /// Whether anybody sits at this device.
    package enum Presence: Hashable, Sendable {
        case setPresence(PresenceWord)
    }
}

/// Whether this device's user is at it, and if not, why one would think so.
package enum Presence: Int, Hashable, Sendable, CaseIterable {
    case here = 1
    /// The screen is.
    case locked = 2
    /// Nothing was touched for some time.
    case idle = 3
    /// Another session has the screen: of another user, or the one in which the next logs in.
    case elsewhere = 4

    package var isAway: Bool { self != .here }
}

/// A part that a desktop usually has.
package enum DesktopPart: Int, Hashable, Sendable, CaseIterable {
    case sessionBus = 1
    case notificationServer = 2
    case tray = 3
    /// A program that says when the screen is locked.
    case screenLock = 4
}

/// What a part of the desktop says of the user.
package struct PresenceWord: Hashable, Sendable {
    package var presence: Presence
    /// Why that may be wrong, for people; nil: nothing is known to be.
    package var problem: DisplayText?
    package var missing: Set<DesktopPart>

    package init(_ presence: Presence, problem: DisplayText? = nil, missing: Set<DesktopPart> = []) {
        self.presence = presence
        self.problem = problem
        self.missing = missing
    }
}
