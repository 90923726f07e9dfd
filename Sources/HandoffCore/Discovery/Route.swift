// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// One dial, from the decision to its result.
package struct Dial: Hashable, Sendable {
    package let id: UInt64
    package let endpoint: PeerEndpoint
    /// Nil: whichever member answers there.
    package let expecting: DeviceID?

    package init(id: UInt64, endpoint: PeerEndpoint, expecting: DeviceID?) {
        self.id = id
        self.endpoint = endpoint
        self.expecting = expecting
    }
}

/// A way that may lead to a device, and when to try it next.
struct Route {
    let endpoint: PeerEndpoint
    /// Given by hand: whoever did so wants it tried for ever.
    let isGiven: Bool
    /// When to dial; nil: only along with the five-minute beacon.
    private(set) var due: Instant?
    /// The dial under way.
    private(set) var dial: UInt64?
    /// A beacon just came from there: better than any guess.
    private(set) var isFresh = false
    private var failures = 0
    private var lastStart: Instant?
    /// The start of the other daemon that was heard of here last, and the one that was dialled or reached last.
    private var heardBoot: BootID?
    private var triedBoot: BootID?

    init(endpoint: PeerEndpoint, isGiven: Bool = false) {
        self.endpoint = endpoint
        self.isGiven = isGiven
    }

    var isIdle: Bool { dial == nil }
    var dialStarted: Instant? { dial == nil ? nil : lastStart }
    /// The other daemon was started anew since it was tried: what came of that says nothing now.
    var isOfNewStart: Bool { heardBoot != triedBoot }

    mutating func start(_ id: UInt64, now: Instant) {
        dial = id
        triedBoot = heardBoot
        lastStart = now
        due = nil
    }

    /// The dial ended and led to no session, as far as we know yet.
    mutating func failed(now: Instant, random: inout some RandomNumberGenerator) {
        dial = nil
        guard !isOfNewStart else { return refresh(at: now) }
        isFresh = false
        failures += 1
        let isDormant = failures >= DiscoveryLimits.failuresUntilDormant && !isGiven
        due = isDormant ? nil : now.advanced(by: Self.pause(failures: failures, random: &random))
    }

    /// There is news that makes it worth another try: a beacon, another network, a lasting session that ended.
    mutating func refresh(at instant: Instant) {
        failures = 0
        wake(at: instant)
    }

    /// The way there is another one now. A dial under way keeps to the old one, so nothing is expected of it any longer.
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

    /// Another try without news.
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

    /// After so many failures in a row.
    static func pause(failures: Int, random: inout some RandomNumberGenerator) -> Duration {
        let doublings = min(max(0, failures - 1), DiscoveryLimits.failuresUntilDormant)
        let whole = min(DiscoveryLimits.firstPause * (1 << doublings), DiscoveryLimits.longestPause)
        // Up to a quarter less, so that two devices that failed together do not meet again and again.
        return whole - .random(upTo: whole / 4, using: &random)
    }
}
