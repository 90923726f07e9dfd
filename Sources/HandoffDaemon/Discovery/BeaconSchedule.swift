// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

struct BeaconSchedule {
    /// Soonest first, on every interface.
    private var burst: [Instant] = []
    /// Soonest first, on single interfaces that changed.
    private var local: [(at: Instant, interface: UInt32)] = []
    private var periodic: Instant?
    private var lastSent: Instant?
    private var search: Search?

    private struct Search {
        var next: Instant
        let end: Instant
    }

    struct Due: Equatable {
        var account = false
        /// Only if not `account`.
        var interfaces: Set<UInt32> = []
        /// Includes the five-minute beacon.
        var isPeriodic = false
        var invite = false
    }

    var isSearching: Bool { search != nil }

    var nextDeadline: Instant? {
        local.map(\.at).min().earlier(burst.first).earlier(periodic).earlier(search?.next)
    }

    mutating func startBurst(now: Instant, random: inout some RandomNumberGenerator) {
        local = []
        burst = newBurst(now: now, random: &random)
        periodic = periodic ?? now.advanced(by: DiscoveryLimits.beaconInterval)
    }

    mutating func startBurst(on interfaces: Set<UInt32>, now: Instant, random: inout some RandomNumberGenerator) {
        guard !interfaces.isEmpty else { return }
        local.removeAll { interfaces.contains($0.interface) }
        for instant in newBurst(now: now, random: &random) {
            local += interfaces.sorted().map { (instant, $0) }
        }
    }

    private func newBurst(now: Instant, random: inout some RandomNumberGenerator) -> [Instant] {
        let first = max(now, lastSent?.advanced(by: DiscoveryLimits.beaconGap) ?? now)
        return DiscoveryLimits.burst.map { delay in
            delay == .zero
                ? first : first.advanced(by: delay + .random(upTo: DiscoveryLimits.burstJitter, using: &random))
        }
    }

    mutating func silence() {
        burst = []
        local = []
        periodic = nil
    }

    mutating func startSearch(now: Instant) {
        search = Search(next: now, end: now.advanced(by: DiscoveryLimits.searchDuration))
    }

    mutating func endSearch() { search = nil }

    mutating func takeDue(now: Instant) -> Due {
        var due = Due()
        if let first = burst.first, first <= now {
            burst.removeAll { $0 <= now }
            due.account = true
        }
        if let instant = periodic, instant <= now {
            due.account = true
            due.isPeriodic = true
        }
        due.interfaces = Set(local.filter { $0.at <= now }.map(\.interface))
        local.removeAll { $0.at <= now }
        if due.account || !due.interfaces.isEmpty { lastSent = now }
        if due.account {
            // Any beacon serves as the periodic one.
            periodic = now.advanced(by: DiscoveryLimits.beaconInterval)
        }
        if var current = search, current.next <= now {
            due.invite = true
            current.next = now.advanced(by: DiscoveryLimits.searchInterval)
            search = current.next < current.end ? current : nil
        }
        return due
    }
}

extension Duration {
    /// Uniform between zero and `limit`, in microseconds.
    static func random(upTo limit: Duration, using random: inout some RandomNumberGenerator) -> Duration {
        let (seconds, attoseconds) = limit.components
        let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        return .microseconds(Int64.random(in: 0...max(0, microseconds), using: &random))
    }
}

package enum BeaconKeyKind: Hashable, Sendable {
    case account
    /// From before a removal, for a member that missed it. This device never sends with it.
    case former
    /// Derived from an invite's code: a joining device and its inviter find each other.
    case invite
}

struct AnswerLimiter {
    private var recent: [(device: DeviceID, answered: Instant)] = []
    private var windowStart: Instant?
    private var inWindow = 0

    /// Records an allowed answer.
    mutating func allows(_ device: DeviceID, now: Instant) -> Bool {
        if let start = windowStart, start.duration(to: now) < .seconds(1) {
            guard inWindow < DiscoveryLimits.answersPerSecond else { return false }
        } else {
            windowStart = now
            inWindow = 0
        }
        if let index = recent.firstIndex(where: { $0.device == device }) {
            guard recent[index].answered.duration(to: now) >= DiscoveryLimits.answerGap else { return false }
            recent.remove(at: index)
        } else if recent.count >= DiscoveryLimits.answeredDevices {
            recent.removeFirst()
        }
        recent.append((device, now))
        inWindow += 1
        return true
    }
}
