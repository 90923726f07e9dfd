// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// What the daemon takes of the user from what parts of the desktop say.
///
/// A word counts as long as the connection on which it was said. The user is here if anybody says so, since whoever sees
/// somebody sees more than whoever sees nobody; and is away if all who speak say so. What was said last on a connection that
/// ended counts for a grace time if nobody else speaks, and is then forgotten.
///
/// Nobody speaks: the user is here. To be taken for away by mistake costs all of what this program is for, on this device, and
/// nobody would see why; to be taken for here by mistake shows what is on this device to other devices of the same user, as
/// without any desktop.
///
/// There is no `State`: what it holds is plain data.
package struct PresenceStateMachine: ~Copyable {
    private let limits: PresenceLimits
    /// Of those who are connected.
    private var words: [ClientID: (word: PresenceWord, number: UInt64)] = [:]
    private var lastNumber: UInt64 = 0
    /// Of the last who left.
    private var left: (word: PresenceWord, end: Instant)?

    package init(limits: PresenceLimits = PresenceLimits()) { self.limits = limits }

    /// What counts; nil: nobody speaks.
    package var word: PresenceWord? {
        // The newest of those that say the same, so that it is one and the same for the same events.
        let newest = { (words: [(word: PresenceWord, number: UInt64)]) in words.max { $0.number < $1.number }?.word }
        return newest(words.values.filter { !$0.word.presence.isAway }) ?? newest(Array(words.values)) ?? left?.word
    }

    package var nextDeadline: Instant? { left?.end }

    package mutating func said(_ word: PresenceWord, by client: ClientID) {
        lastNumber += 1
        words[client] = (word, lastNumber)
        left = nil
    }

    package mutating func clientClosed(_ client: ClientID, now: Instant) {
        guard let closed = words.removeValue(forKey: client), words.isEmpty else { return }
        left = (closed.word, now.advanced(by: limits.grace))
    }

    package mutating func deadlineReached(now: Instant) {
        if let left, left.end <= now { self.left = nil }
    }
}
