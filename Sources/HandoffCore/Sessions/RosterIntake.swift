// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// How much of this device a roster that comes in may cost.
package enum RosterLimits {
    /// Statements of one merge: some milliseconds of signatures, in which nothing else is done.
    package static let statementsAtOnce = 128
    /// Bytes of statements and secrets of one device that wait for a merge: a full roster.
    package static let heldBytes = 384 * 1024
    /// Merges of what one device sends. Each may write the account's file and tell all other devices. A full roster is
    /// taken at once; from then on a device that has more to say waits.
    package static let merges = PaceLimit(burst: 16, spacing: .seconds(10))
    /// After a merge, everything else has so many times as long as it took.
    package static let pauseFactor = 4
    /// Whole rosters sent to one device, be it because it asks or because its own is another as a session opens.
    package static let tellings = PaceLimit(burst: 4, spacing: .seconds(30))
    /// Times that one device is asked for its whole roster, of which something was dropped.
    package static let questions = PaceLimit(burst: 1, spacing: .seconds(60))
}

/// What other devices say of the account, and how much of it is looked at when. A member may say as much as it likes: it
/// waits here, in parts of a bounded size, of each device a part in its turn.
///
/// What does not fit is dropped, and that device asked for all it has once the rest is merged: so nothing is lost for good,
/// of whoever is honest and passes on what somebody else says in a loop.
package struct RosterIntake: ~Copyable {
    package enum Step: Hashable, Sendable {
        /// What came of it is to be told by `merged`.
        case merge(RosterUpdate, from: DeviceID)
        case askForAll(DeviceID)
    }

    private struct Source {
        var statements: [SignedStatement] = []
        var secrets: [BeaconSecret] = []
        var bytes = 0
        /// Something was dropped.
        var isIncomplete = false
        var merges = Pace()
        var questions = Pace()

        var hasUpdate: Bool { !statements.isEmpty || !secrets.isEmpty }

        /// Nil: it has nothing to wait for.
        var due: Instant? {
            if hasUpdate { return merges.nextFree(RosterLimits.merges) }
            return isIncomplete ? questions.nextFree(RosterLimits.questions) : nil
        }

        /// False: there is no room.
        mutating func reserve(_ more: Int) -> Bool {
            guard bytes + more <= RosterLimits.heldBytes else { return false }
            bytes += more
            return true
        }
    }

    private var sources: [DeviceID: Source] = [:]
    /// Those that have something to wait for, in their turns.
    private var turns: [DeviceID] = []
    private var busyUntil = Instant.zero

    package init() {}

    package var heldBytes: Int { sources.values.reduce(0) { $0 + $1.bytes } }

    package var nextDeadline: Instant? {
        let due = turns.reduce(nil as Instant?) { $0.earlier(sources[$1]?.due) }
        return due.map { max($0, busyUntil) }
    }

    /// Of what is not here already. False: some of it was dropped.
    package mutating func received(_ update: RosterUpdate, from device: DeviceID) -> Bool {
        var source = sources.removeValue(forKey: device) ?? Source()
        let statements = update.statements.filter { source.reserve($0.byteCount) }
        let secrets = update.secrets.filter { source.reserve(StatementID.byteCount + $0.secret.count) }
        source.statements += statements
        source.secrets += secrets
        let isWhole = statements.count == update.statements.count && secrets.count == update.secrets.count
        if !isWhole { source.isIncomplete = true }
        sources[device] = source
        wait(device)
        return isWhole
    }

    /// What to do now; nil: nothing, until `nextDeadline` or the next that is received.
    package mutating func next(at now: Instant) -> Step? {
        guard busyUntil <= now,
            let turn = turns.firstIndex(where: { sources[$0]?.due.map { $0 <= now } ?? false })
        else { return nil }
        let device = turns.remove(at: turn)
        defer { wait(device) }
        guard sources[device]?.hasUpdate == true else {
            sources[device]?.isIncomplete = false
            _ = sources[device]?.questions.take(RosterLimits.questions, at: now)
            return .askForAll(device)
        }
        return .merge(part(of: device, at: now), from: device)
    }

    /// How long a merge took, and when it was done.
    package mutating func merged(_ cost: Duration, at now: Instant) {
        busyUntil = now.advanced(by: cost * RosterLimits.pauseFactor)
    }

    /// What came of that device could not be kept.
    package mutating func lost(from device: DeviceID) {
        sources[device, default: Source()].isIncomplete = true
        wait(device)
    }

    /// Nothing of any other device counts any more.
    package mutating func keep(_ members: Set<DeviceID>) {
        sources = sources.filter { members.contains($0.key) }
        turns.removeAll { !members.contains($0) }
    }

    private mutating func part(of device: DeviceID, at now: Instant) -> RosterUpdate {
        guard var source = sources[device] else { return RosterUpdate() }
        _ = source.merges.take(RosterLimits.merges, at: now)
        var update = RosterUpdate(statements: Array(source.statements.prefix(RosterLimits.statementsAtOnce)))
        source.statements.removeFirst(update.statements.count)
        source.bytes -= update.statements.reduce(0) { $0 + $1.byteCount }
        if source.statements.isEmpty {
            // Each is good for nothing before its statement.
            update.secrets = source.secrets
            source.secrets = []
            source.bytes = 0
        }
        sources[device] = source
        return update
    }

    private mutating func wait(_ device: DeviceID) {
        if sources[device]?.due != nil, !turns.contains(device) { turns.append(device) }
    }
}

/// Who is told all of the roster, and when. A roster may be large, and whoever asks again and again is to cost little.
package struct RosterTelling: ~Copyable {
    private var paces = Paces<DeviceID>(RosterLimits.tellings, most: Limits.rosterStatements)
    private var owed: Set<DeviceID> = []

    package init() {}

    package var nextDeadline: Instant? { owed.reduce(nil) { $0.earlier(paces.nextFree(of: $1)) } }

    /// True: now; else it is owed.
    package mutating func asked(by device: DeviceID, at now: Instant) -> Bool {
        let isNow = paces.take(device, at: now)
        if isNow { owed.remove(device) } else { owed.insert(device) }
        return isNow
    }

    /// Who is told now, of those whom it is owed.
    package mutating func due(at now: Instant) -> [DeviceID] {
        owed.sorted().filter { device in asked(by: device, at: now) }
    }

    package mutating func keep(_ members: Set<DeviceID>) {
        paces.keep(members)
        owed.formIntersection(members)
    }
}
