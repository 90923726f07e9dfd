// SPDX-License-Identifier: Apache-2.0

/// When our own beacons leave.
struct BeaconSchedule {
    /// What is left of a burst, soonest first.
    private var burst: [Instant] = []
    private var periodic: Instant?
    private var lastSent: Instant?
    private var search: Search?

    private struct Search {
        var next: Instant
        let end: Instant
    }

    struct Due: Equatable {
        var account = false
        /// The five-minute beacon was among them.
        var isPeriodic = false
        var invite = false
    }

    var isSearching: Bool { search != nil }

    var nextDeadline: Instant? {
        burst.first.earlier(periodic).earlier(search?.next)
    }

    mutating func startBurst(now: Instant, random: inout some RandomNumberGenerator) {
        let first = max(now, lastSent?.advanced(by: DiscoveryLimits.beaconGap) ?? now)
        burst = DiscoveryLimits.burst.map { delay in
            delay == .zero
                ? first : first.advanced(by: delay + .random(upTo: DiscoveryLimits.burstJitter, using: &random))
        }
        periodic = periodic ?? now.advanced(by: DiscoveryLimits.beaconInterval)
    }

    /// Nobody to find.
    mutating func silence() {
        burst = []
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
        if due.account {
            lastSent = now
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
    /// Evenly between zero and `limit`, in microseconds.
    static func random(upTo limit: Duration, using random: inout some RandomNumberGenerator) -> Duration {
        let (seconds, attoseconds) = limit.components
        let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        return .microseconds(Int64.random(in: 0...max(0, microseconds), using: &random))
    }
}
