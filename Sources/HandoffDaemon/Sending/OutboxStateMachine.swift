// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// Activities that this device sends, from the user's request to exactly one end: taken, refused, unsent or dropped.
///
///     saving --write--> writing --> waiting <--> handing --> refused, if no client waits for the answer
///                                      ^            |
///                                      +- heldBack <+
///
/// An activity can become gone from every state.
///
/// It stays on disk until the other device confirms it. Each device receives one activity at a time, in the order of
/// sending, so at most one per device is in doubt.
struct OutboxStateMachine: ~Copyable {
    enum Standing: Hashable, Sendable {
        /// Can transition to: writing, gone.
        case saving
        /// Can transition to: waiting, handing, gone.
        case writing
        /// On disk. `problem`: the last attempt's failure. Can transition to: handing, gone.
        case waiting(problem: Failure?)
        /// On disk; a policy switch prevents sending. Can transition to: waiting, gone.
        case heldBack(Failure)
        /// Can transition to: waiting, refused, gone.
        case handing(attempt: UInt64)
        /// Permanently, when no client waited for the answer; kept for the user to see. Can transition to: gone.
        case refused(Failure)
    }

    struct Entry: Hashable, Sendable {
        let device: DeviceID
        var offer: Offer
        let sent: WallTime
        var standing: Standing
        var isAwaited: Bool

        var until: WallTime { offer.end(ofKeepingSince: sent) }
    }

    enum Outcome: Hashable, Sendable {
        case taken
        /// On disk. `problem` nil: the device is not connected.
        case kept(problem: Failure?)
        case refused(Failure)
    }

    enum Action: Hashable, Sendable {
        /// `written` follows.
        case write(SentActivity)
        /// Replaces the file by the failure.
        case note(ActivityID, Failure)
        case remove(ActivityID)
        /// `answered` follows, once.
        case handOver(ActivityID, to: DeviceID, attempt: UInt64)
        case tell(Entry, Outcome)
    }

    private struct Pause {
        let end: Instant
        let problem: Failure
    }

    private var entries: [ActivityID: Entry] = [:]
    private var connected: Set<DeviceID> = []
    private var pauses: [DeviceID: Pause] = [:]
    private var lastAttempt: UInt64 = 0

    init() {}

    var list: [Entry] { entries.values.sorted(by: Self.isBefore) }
    subscript(activity: ActivityID) -> Entry? { entries[activity] }

    private static func isBefore(_ one: Entry, _ other: Entry) -> Bool {
        (one.sent, one.offer.activity) < (other.sent, other.offer.activity)
    }

    // MARK: From the request to the disk

    /// Sends the offer under `id`. `saved` follows.
    mutating func wished(
        _ id: ActivityID, _ offer: Offer, to device: DeviceID, at wall: WallTime
    ) throws(Failure) {
        guard entries.count < SendingLimits.waiting else {
            throw Failure(.limitReached, "\(SendingLimits.waiting) activities are already waiting to be sent")
        }
        var offer = offer
        offer.activity = id
        offer.since = wall
        offer.supportsStreams = false
        entries[id] = Entry(device: device, offer: offer, sent: wall, standing: .saving, isAwaited: true)
    }

    mutating func saved(
        _ result: Result<ActivityState, Failure>, kept: SavedState? = nil, of id: ActivityID
    ) -> [Action] {
        guard var entry = entries[id], entry.standing == .saving else { return [] }
        var state: ActivityState
        switch (result, kept) {
        case (.success(let saved), _): state = saved
        case (.failure(let failure), let kept?) where failure.code == .appGone:
            state = kept.state
            entry.offer.saved = kept.saved
        case (.failure(let failure), _): return end(id, .refused(failure))
        }
        state.supportsStreams = false
        guard NamedFiles(in: state.userInfo) == nil else { return end(id, .refused(.namesFiles)) }
        let sent: SentActivity
        do throws(WireError) {
            sent = SentActivity(offer: entry.offer, state: try CarriedState(state))
            try sent.check()
        } catch {
            let code: Failure.Code = error.code == .tooLarge ? .payloadTooLarge : .malformed
            return end(id, .refused(Failure(code, error.reason)))
        }
        entry.standing = .writing
        entries[id] = entry
        return [.write(sent)]
    }

    /// `failure` nil: on disk.
    mutating func written(_ id: ActivityID, _ failure: Failure?) -> [Action] {
        guard let entry = entries[id], entry.standing == .writing else {
            return entries[id] == nil && failure == nil ? [.remove(id)] : []
        }
        if let failure { return end(id, .refused(failure)) }
        entries[id]?.standing = .waiting(problem: nil)
        guard connected.contains(entry.device) else { return tell(id, .kept(problem: nil)) }
        return handNext(to: entry.device)
    }

    mutating func restored(_ stored: StoredSend) {
        switch stored.content {
        case .activity(let sent): restore(sent.offer, stored, .waiting(problem: nil))
        case .refused(let offer, let failure): restore(offer, stored, .refused(failure))
        case .ended: break
        }
    }

    private mutating func restore(_ offer: Offer, _ stored: StoredSend, _ standing: Standing) {
        entries[offer.activity] = Entry(
            device: stored.device, offer: offer, sent: stored.time, standing: standing, isAwaited: false)
    }

    // MARK: From the disk to the device

    mutating func sessionOpened(_ device: DeviceID) -> [Action] {
        connected.insert(device)
        pauses[device] = nil
        return handNext(to: device)
    }

    mutating func sessionClosed(_ device: DeviceID) -> [Action] {
        connected.remove(device)
        pauses[device] = nil
        return rest(device, problem: nil)
    }

    mutating func obstaclesChanged() -> [Action] {
        pauses = [:]
        for (id, entry) in entries {
            if case .heldBack = entry.standing { entries[id]?.standing = .waiting(problem: nil) }
        }
        return connected.sorted().flatMap { handNext(to: $0) }
    }

    /// `obstaclesChanged` follows when it may leave.
    mutating func heldBack(_ id: ActivityID, attempt: UInt64, _ problem: Failure) -> [Action] {
        guard let entry = entries[id], entry.standing == .handing(attempt: attempt) else { return [] }
        entries[id]?.standing = .heldBack(problem)
        return tell(id, .kept(problem: problem)) + handNext(to: entry.device)
    }

    mutating func answered(
        _ result: Result<Void, Failure>, of id: ActivityID, attempt: UInt64, at now: Instant
    ) -> [Action] {
        guard let entry = entries[id], entry.standing == .handing(attempt: attempt) else { return [] }
        switch result {
        case .success: return end(id, .taken, isOnDisk: true) + handNext(to: entry.device)
        case .failure(let failure) where failure.isForNow:
            if connected.contains(entry.device) {
                pauses[entry.device] = Pause(end: now.advanced(by: SendingLimits.retry), problem: failure)
            }
            return rest(entry.device, problem: failure.isOfTheConnection ? nil : failure)
        case .failure(let answer):
            let failure = answer.code == .unimplemented ? .olderVersion : answer
            guard !entry.isAwaited else {
                return end(id, .refused(failure), isOnDisk: true) + handNext(to: entry.device)
            }
            entries[id]?.standing = .refused(failure)
            return [.note(id, failure)] + handNext(to: entry.device)
        }
    }

    /// The oldest, unless another is under way or the device is paused.
    private mutating func handNext(to device: DeviceID) -> [Action] {
        guard connected.contains(device), pauses[device] == nil else {
            return rest(device, problem: pauses[device]?.problem)
        }
        let ofDevice = entries.values.filter { $0.device == device }
        guard !ofDevice.contains(where: { $0.standing.isHanding }),
            let next = ofDevice.filter({ $0.standing.isWaiting }).min(by: Self.isBefore)
        else { return [] }
        lastAttempt += 1
        entries[next.offer.activity]?.standing = .handing(attempt: lastAttempt)
        return [.handOver(next.offer.activity, to: device, attempt: lastAttempt)]
    }

    private mutating func rest(_ device: DeviceID, problem: Failure?) -> [Action] {
        var actions: [Action] = []
        for entry in list where entry.device == device {
            let id = entry.offer.activity
            guard entry.standing.isHanding || entry.standing.isWaiting else { continue }
            entries[id]?.standing = .waiting(problem: problem)
            actions += tell(id, .kept(problem: problem))
        }
        return actions
    }

    // MARK: Other ends

    /// Returns the former `entry`.
    mutating func unsent(_ id: ActivityID) throws(Failure) -> (entry: Entry, actions: [Action]) {
        guard let entry = entries[id], entry.standing != .saving, entry.standing != .writing else {
            throw Failure(.activityGone, "no such activity is waiting to be sent")
        }
        // The device may already have it.
        guard !entry.standing.isHanding else {
            throw Failure(.limitReached, "the activity is being handed over now; try again in a few seconds")
        }
        let actions = end(id, .refused(Failure(.cancelled, "it was taken back")), isOnDisk: true)
        return (entry, actions + handNext(to: entry.device))
    }

    mutating func membersChanged(_ members: Set<DeviceID>) -> [Action] {
        list.filter { !members.contains($0.device) }.flatMap { entry in
            let removed = Failure(.deviceRemoved, "the device is no longer a member of the account")
            return end(entry.offer.activity, .refused(removed), isOnDisk: entry.standing.isOnDisk)
        }
    }

    mutating func deadlineReached(now: Instant, wall: WallTime) -> [Action] {
        var actions: [Action] = []
        for entry in list where entry.standing.isOnDisk && entry.until <= wall {
            let expired = Failure(.activityGone, "it expired before the other device took it")
            actions += end(entry.offer.activity, .refused(expired), isOnDisk: true)
            actions += handNext(to: entry.device)
        }
        for (device, pause) in pauses.sorted(by: { $0.key < $1.key }) where pause.end <= now {
            pauses[device] = nil
            actions += handNext(to: device)
        }
        return actions
    }

    func nextDeadline(now: Instant, wall: WallTime) -> Instant? {
        let end = entries.values.lazy.filter(\.standing.isOnDisk).map(\.until).min()
        let expiry = end.map { Instant.look(for: $0, now: now, wall: wall) }
        return [expiry, pauses.values.lazy.map(\.end).min()].compactMap(\.self).min()
    }

    // MARK: -

    private mutating func end(_ id: ActivityID, _ outcome: Outcome, isOnDisk: Bool = false) -> [Action] {
        let told = tell(id, outcome)
        entries[id] = nil
        return isOnDisk ? [.remove(id)] + told : told
    }

    private mutating func tell(_ id: ActivityID, _ outcome: Outcome) -> [Action] {
        guard let entry = entries[id], entry.isAwaited else { return [] }
        entries[id]?.isAwaited = false
        return [.tell(entry, outcome)]
    }
}

extension OutboxStateMachine.Standing {
    fileprivate var isHanding: Bool { if case .handing = self { true } else { false } }
    fileprivate var isWaiting: Bool { if case .waiting = self { true } else { false } }
    fileprivate var isOnDisk: Bool { self != .saving && self != .writing }
}

extension Offer {
    func end(ofKeepingSince time: WallTime) -> WallTime {
        let end = time.advanced(by: SendingLimits.keptFor)
        return expires.map { min($0, end) } ?? end
    }
}

extension Failure {
    fileprivate static let namesFiles = Failure(
        .filesOnlyThere,
        """
        it names files on this device, and files cannot be sent; continue it on the other device instead, while this \
        device is connected
        """)

    fileprivate static let olderVersion = Failure(
        .unimplemented, "the other device runs an older version of Handoff, which cannot receive activities")

    fileprivate var isForNow: Bool {
        isOfTheConnection || [.appTimedOut, .stateNotWritable, .limitReached].contains(code)
    }

    fileprivate var isOfTheConnection: Bool { code == .connectionUnavailable || code == .deviceLost }
}
