// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// Activities that other devices sent here.
///
/// Each ID of a device is accepted once, and remembered as long as a device that missed the confirmation may send the
/// activity again, perhaps after it was continued here.
struct InboxStateMachine: ~Copyable {
    typealias Key = ListedActivity.Key

    private enum Standing: Hashable {
        case writing(Offer)
        /// On disk. Can transition to: ended, gone.
        case kept(Offer)
        /// Only the ID remains. Can transition to: gone.
        case ended
    }

    private struct Entry {
        let arrived: WallTime
        var standing: Standing

        var until: WallTime {
            switch standing {
            case .writing(let offer), .kept(let offer): offer.end(ofKeepingSince: arrived)
            case .ended: arrived.advanced(by: SendingLimits.keptFor)
            }
        }

        var isHeld: Bool { standing != .ended }
    }

    enum Answer: Hashable, Sendable {
        /// Answer only after `written`.
        case write
        /// Shares the answer to an earlier request.
        case wait
        case taken
        case refuse(Failure)
    }

    enum Action: Hashable, Sendable {
        case noteEnd(Key, arrived: WallTime)
        case remove(Key)
    }

    private var entries: [Key: Entry] = [:]
    private var admitters: [DeviceID: DeviceID] = [:]
    private var paces = Paces<DeviceID>(SendingLimits.arrivals, most: Limits.devicesPerAccount)

    init() {}

    /// Newest first.
    var offers: [DeviceID: [Offer]] {
        var offers: [DeviceID: [Offer]] = [:]
        for (key, entry) in entries {
            if case .kept(let offer) = entry.standing { offers[key.device, default: []].append(offer) }
        }
        return offers.mapValues { $0.sorted(by: Offer.newestFirst) }
    }

    func offer(_ key: Key) -> Offer? {
        if case .kept(let offer)? = entries[key]?.standing { offer } else { nil }
    }

    func senders(of activity: ActivityID) -> Set<DeviceID> {
        Set(entries.keys.filter { $0.activity == activity && offer($0) != nil }.map(\.device))
    }

    mutating func arrived(
        _ offer: Offer, from device: DeviceID, now: Instant, wall: WallTime
    ) -> Answer {
        let key = Key(device: device, activity: offer.activity)
        switch entries[key]?.standing {
        case .kept?, .ended?: return .taken
        case .writing?: return .wait
        case nil: break
        }
        guard offer.end(ofKeepingSince: wall) > wall else {
            return .refuse(Failure(.activityGone, "the activity has expired"))
        }
        guard hasRoom(for: device) else {
            return .refuse(
                Failure(.limitReached, "too many sent activities are already waiting on the other device"))
        }
        guard paces.take(device, at: now) else {
            return .refuse(Failure(.limitReached, "too many activities were sent within a short time"))
        }
        entries[key] = Entry(arrived: wall, standing: .writing(offer))
        return .write
    }

    /// A member shares its limit with devices that it admitted, because a malicious member could admit invented
    /// devices.
    private func hasRoom(for device: DeviceID) -> Bool {
        let held = entries.filter { $0.value.isHeld }.keys.map(\.device)
        guard held.count < SendingLimits.kept, held.count(where: { $0 == device }) < SendingLimits.keptOfDevice else {
            return false
        }
        let lines = held.map { line(of: $0) }
        return line(of: device).dropFirst().allSatisfy { admitter in
            lines.count { $0.contains(admitter) } < SendingLimits.keptOfDevice
        }
    }

    /// The device, its admitter, that member's admitter, and so on, without the founder.
    private func line(of device: DeviceID) -> [DeviceID] {
        var line: [DeviceID] = []
        var next = device
        while let admitter = admitters[next], !line.contains(next) {
            line.append(next)
            next = admitter
        }
        return line
    }

    mutating func written(_ key: Key, _ failure: Failure?) -> Bool {
        guard case .writing(let offer)? = entries[key]?.standing else { return false }
        guard failure == nil else {
            entries[key] = nil
            return false
        }
        entries[key]?.standing = .kept(offer)
        return true
    }

    mutating func restored(_ stored: StoredSend) {
        let key = Key(device: stored.device, activity: stored.activity)
        switch stored.content {
        case .activity(let sent): entries[key] = Entry(arrived: stored.time, standing: .kept(sent.offer))
        case .ended: entries[key] = Entry(arrived: stored.time, standing: .ended)
        case .refused: break
        }
    }

    mutating func ended(_ key: Key) -> [Action] {
        guard let entry = entries[key], case .kept = entry.standing else { return [] }
        entries[key]?.standing = .ended
        let ended = entries.filter { $0.key.device == key.device && $0.value.standing == .ended }
        let surplus = ended.sorted { ($0.value.arrived, $0.key) < ($1.value.arrived, $1.key) }
            .dropLast(SendingLimits.endedOfDevice).map(\.key)
        let noted: [Action] = surplus.contains(key) ? [] : [.noteEnd(key, arrived: entry.arrived)]
        return noted + surplus.map { drop($0) }
    }

    mutating func membersChanged(_ members: Set<DeviceID>) -> [Action] {
        paces.keep(members)
        return entries.keys.filter { !members.contains($0.device) }.sorted().map { drop($0) }
    }

    mutating func admissionsChanged(_ admitters: [DeviceID: DeviceID]) { self.admitters = admitters }

    mutating func deadlineReached(wall: WallTime) -> [Action] {
        entries.filter { $0.value.until <= wall }.keys.sorted().map { drop($0) }
    }

    var nextEnd: WallTime? { entries.values.lazy.map(\.until).min() }

    /// Even during a write: writes to one file happen in order.
    private mutating func drop(_ key: Key) -> Action {
        entries[key] = nil
        return .remove(key)
    }
}
