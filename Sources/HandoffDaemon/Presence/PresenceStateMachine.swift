// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// The user's presence, by reports from parts of the desktop.
///
/// A report is valid as long as its connection. Each source sees only part of the desktop, so the user is away only if
/// all reports agree.
///
/// Without reports, the user is present: a false absence would disable the program for no visible reason, and a false
/// presence shows activities only to the user's own devices.
///
/// There is no `State` type: all data is plain.
struct PresenceStateMachine: ~Copyable {
    /// The last report outlives its connection for so long: a locked device shows nothing while a crashed part of the
    /// desktop restarts.
    static let grace = Duration.seconds(30)

    private var words: [ClientID: (word: PresenceWord, number: UInt64)] = [:]
    private var lastNumber: UInt64 = 0
    private var left: (word: PresenceWord, end: Instant)?

    var word: PresenceWord? {
        // The newest of equal reports makes the result deterministic.
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
