// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

struct Dial: Hashable, Sendable {
    let id: UInt64
    let endpoint: PeerEndpoint
    /// Nil: any member that answers there.
    let expecting: DeviceID?
}

struct Route {
    let endpoint: PeerEndpoint
    /// Given by the user, and therefore tried forever.
    let isGiven: Bool
    /// When to dial; nil: only with the five-minute beacon.
    private(set) var due: Instant?
    private(set) var dial: UInt64?
    /// A beacon just arrived from there, so the address is likely right.
    private(set) var isFresh = false
    private var failures = 0
    private var lastStart: Instant?
    /// The run of the other daemon that last sent a beacon from here, and the run that was last dialled or reached.
    private var heardBoot: BootID?
    private var triedBoot: BootID?

    init(endpoint: PeerEndpoint, isGiven: Bool = false) {
        self.endpoint = endpoint
        self.isGiven = isGiven
    }

    var isIdle: Bool { dial == nil }
    var dialStarted: Instant? { dial == nil ? nil : lastStart }
    /// The other daemon has restarted since the last dial, whose result is therefore irrelevant.
    var isOfNewStart: Bool { heardBoot != triedBoot }

    mutating func start(_ id: UInt64, now: Instant) {
        dial = id
        triedBoot = heardBoot
        lastStart = now
        due = nil
    }

    mutating func failed(now: Instant, random: inout some RandomNumberGenerator) {
        dial = nil
        guard !isOfNewStart else { return refresh(at: now) }
        isFresh = false
        failures += 1
        let isDormant = failures >= DiscoveryLimits.failuresUntilDormant && !isGiven
        due = isDormant ? nil : now.advanced(by: Self.pause(failures: failures, random: &random))
    }

    /// News makes another try worthwhile: a beacon, a network change, or the end of a lasting session.
    mutating func refresh(at instant: Instant) {
        failures = 0
        wake(at: instant)
    }

    /// The network path changed. A dial under way uses the old path, so its result is ignored.
    mutating func redial(at instant: Instant) {
        dial = nil
        refresh(at: instant)
    }

    mutating func noted(_ boot: BootID) { heardBoot = boot }

    mutating func reached(_ boot: BootID) {
        if heardBoot == boot { triedBoot = boot }
    }

    mutating func heard(dialAt instant: Instant) {
        isFresh = true
        refresh(at: instant)
    }

    mutating func wake(at instant: Instant) {
        guard isIdle else { return }
        let gap = isOfNewStart ? DiscoveryLimits.restartGap : DiscoveryLimits.dialGap
        let earliest = lastStart?.advanced(by: gap) ?? instant
        due = max(instant, earliest)
    }

    mutating func rest() {
        due = nil
        isFresh = false
    }

    static func pause(failures: Int, random: inout some RandomNumberGenerator) -> Duration {
        let doublings = min(max(0, failures - 1), DiscoveryLimits.failuresUntilDormant)
        let whole = min(DiscoveryLimits.firstPause * (1 << doublings), DiscoveryLimits.longestPause)
        // Up to a quarter less, so that two devices that failed together do not collide again.
        return whole - .random(upTo: whole / 4, using: &random)
    }
}
