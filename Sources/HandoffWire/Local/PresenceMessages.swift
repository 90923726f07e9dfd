// SPDX-License-Identifier: Apache-2.0

extension LocalMessage {
    package enum Presence: Hashable, Sendable {
        case setPresence(PresenceWord)
    }
}

package enum Presence: Int, Hashable, Sendable, CaseIterable {
    case here = 1
    case locked = 2
    /// No input for some time.
    case idle = 3
    /// Another session has the screen: another user's, or the log-in screen's.
    case elsewhere = 4

    package var isAway: Bool { self != .here }
}

package enum DesktopPart: Int, Hashable, Sendable, CaseIterable {
    case sessionBus = 1
    case notificationServer = 2
    case tray = 3
    /// A program that reports when the screen is locked.
    case screenLock = 4
}

package struct PresenceWord: Hashable, Sendable {
    package var presence: Presence
    /// Why the report may be wrong, for display.
    package var problem: DisplayText?
    package var missing: Set<DesktopPart>

    package init(_ presence: Presence, problem: DisplayText? = nil, missing: Set<DesktopPart> = []) {
        self.presence = presence
        self.problem = problem
        self.missing = missing
    }
}
