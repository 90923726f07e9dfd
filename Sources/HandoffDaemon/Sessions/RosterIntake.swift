// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

enum RosterLimits {
    /// Per merge: a few milliseconds of signature checks, which block the loop.
    static let statementsAtOnce = 128
    /// Per device, in bytes that wait for a merge: a full roster.
    static let heldBytes = Limits.rosterBytes
    /// Per sending device: each merge may write the account's file and notify all other devices. A full roster is
    /// merged at once.
    static let merges = PaceLimit(burst: 16, spacing: .seconds(10))
    /// After a merge, the loop is free for so many times its duration.
    static let pauseFactor = 4
    /// Whole rosters sent to one device.
    static let tellings = PaceLimit(burst: 4, spacing: .seconds(30))
    /// For its whole roster, per device, after parts of it were dropped.
    static let questions = PaceLimit(burst: 1, spacing: .seconds(60))
}

/// Account statements from other devices that wait to be merged. A member may send any number, so they wait in parts of
/// a bounded size, and the devices take turns.
///
/// If parts do not fit, the device is later asked for its whole roster, so that no statement of an honest device is
/// lost, even if it passes on another device's flood.
struct RosterIntake: ~Copyable {
    enum Step: Hashable, Sendable {
        case merge(RosterUpdate, from: DeviceID)
        case askForAll(DeviceID)
    }

    private struct Source {
        var statements: [SignedStatement] = []
        var secrets: [BeaconSecret] = []
        var bytes = 0
        var isIncomplete = false
        var merges = Pace()
        var questions = Pace()

        var hasUpdate: Bool { !statements.isEmpty || !secrets.isEmpty }

        var due: Instant? {
            if hasUpdate { return merges.nextFree(RosterLimits.merges) }
            return isIncomplete ? questions.nextFree(RosterLimits.questions) : nil
        }

        mutating func reserve(_ more: Int) -> Bool {
            guard bytes + more <= RosterLimits.heldBytes else { return false }
            bytes += more
            return true
        }
    }

    private var sources: [DeviceID: Source] = [:]
    private var turns: [DeviceID] = []
    private var busyUntil = Instant.zero

    init() {}

    var heldBytes: Int { sources.values.reduce(0) { $0 + $1.bytes } }

    var nextDeadline: Instant? {
        let due = turns.reduce(nil as Instant?) { $0.earlier(sources[$1]?.due) }
        return due.map { max($0, busyUntil) }
    }

    /// False: some were dropped.
    mutating func received(_ update: RosterUpdate, from device: DeviceID) -> Bool {
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

    mutating func next(at now: Instant) -> Step? {
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

    mutating func merged(_ cost: Duration, at now: Instant) {
        busyUntil = now.advanced(by: cost * RosterLimits.pauseFactor)
    }

    mutating func lost(from device: DeviceID) {
        sources[device, default: Source()].isIncomplete = true
        wait(device)
    }

    mutating func keep(_ members: Set<DeviceID>) {
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
            // Secrets are useless before their statements.
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

/// A roster may be large, so repeated requests must be cheap.
struct RosterTelling: ~Copyable {
    private var paces = Paces<DeviceID>(RosterLimits.tellings, most: Limits.rosterStatements)
    private var owed: Set<DeviceID> = []

    init() {}

    var nextDeadline: Instant? { owed.reduce(nil) { $0.earlier(paces.nextFree(of: $1)) } }

    mutating func asked(by device: DeviceID, at now: Instant) -> Bool {
        let isNow = paces.take(device, at: now)
        if isNow { owed.remove(device) } else { owed.insert(device) }
        return isNow
    }

    mutating func due(at now: Instant) -> [DeviceID] {
        owed.sorted().filter { device in asked(by: device, at: now) }
    }

    mutating func keep(_ members: Set<DeviceID>) {
        paces.keep(members)
        owed.formIntersection(members)
    }
}
