// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// The user's presence, derived from the reports of parts of the desktop.
///
/// A report is valid as long as its connection. The user is present if any report says so, because each source sees
/// only part of the desktop. The user is away only if all reports agree. If no source is connected, the last report
/// remains valid for a grace time.
///
/// Without reports, the user is present. A false absence would disable the program on this device for no visible
/// reason. A false presence shows this device's activities to other devices of the same user, as without a desktop.
///
/// There is no `State` type: all data is plain.
struct PresenceStateMachine: ~Copyable {
    /// How long the last report of a desktop that vanished remains valid. Long enough to restart a crashed part of it,
    /// so that a locked device shows nothing in the meantime.
    static let grace = Duration.seconds(30)

    private var words: [ClientID: (word: PresenceWord, number: UInt64)] = [:]
    private var lastNumber: UInt64 = 0
    private var left: (word: PresenceWord, end: Instant)?

    var word: PresenceWord? {
        // The newest of equal reports, so that the result is deterministic.
        let newest = { (words: [(word: PresenceWord, number: UInt64)]) in words.max { $0.number < $1.number }?.word }
        return newest(words.values.filter { !$0.word.presence.isAway }) ?? newest(Array(words.values)) ?? left?.word
    }

    var nextDeadline: Instant? { left?.end }

    mutating func said(_ word: PresenceWord, by client: ClientID) {
        lastNumber += 1
        words[client] = (word, lastNumber)
        left = nil
    }

    mutating func clientClosed(_ client: ClientID, now: Instant) {
        guard let closed = words.removeValue(forKey: client), words.isEmpty else { return }
        left = (closed.word, now.advanced(by: Self.grace))
    }

    mutating func deadlineReached(now: Instant) {
        if let left, left.end <= now { self.left = nil }
    }
}
