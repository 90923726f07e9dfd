// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

struct DialTarget {
    struct Session {
        let boot: BootID
        /// Nil if the session does not use an address.
        let host: String?
        let preference: LinkPreference
        let opened: Instant
    }

    /// Newest first.
    private(set) var routes: [Route] = []
    private(set) var session: Session?

    var dialsUnderWay: Int { routes.count { !$0.isIdle } }

    // MARK: Sessions

    mutating func sessionOpened(_ opened: Session) {
        session = opened
        for index in routes.indices {
            routes[index].reached(opened.boot)
            if !isWanted(routes[index].endpoint) { routes[index].rest() }
        }
    }

    /// True without a session, or if preferable to the session's.
    func isWanted(_ endpoint: PeerEndpoint) -> Bool {
        LinkElection.isWorthwhile(endpoint.preference, beside: session?.preference)
    }

    /// `retry`: the earliest next dial. A short session leads to a pause like a failed dial, unless the other
    /// daemon has restarted in the meantime.
    mutating func sessionClosed(
        hasLasted: Bool, retry: Instant, now: Instant, random: inout some RandomNumberGenerator
    ) {
        session = nil
        for index in routes.indices where routes[index].isIdle {
            if hasLasted || routes[index].isOfNewStart {
                routes[index].refresh(at: retry)
            } else {
                routes[index].failed(now: now, random: &random)
            }
        }
    }

    // MARK: Routes

    func knows(host: String) -> Bool {
        session?.host == host || routes.contains { $0.endpoint.address?.host == host }
    }

    /// Only remembered during a session of at least equal preference.
    mutating func add(_ endpoint: PeerEndpoint, due: Instant) {
        insert(endpoint) { $0.refresh(at: due) }
    }

    /// `boot`: the other daemon's run, from its beacon.
    mutating func heard(at endpoint: PeerEndpoint, boot: BootID, due: Instant) {
        insert(endpoint, boot: boot) { $0.heard(dialAt: due) }
    }

    private mutating func insert(
        _ endpoint: PeerEndpoint, boot: BootID? = nil, _ refresh: (inout Route) -> Void
    ) {
        var route: Route
        if let index = routes.firstIndex(where: { $0.endpoint == endpoint }) {
            route = routes.remove(at: index)
        } else {
            route = Route(endpoint: endpoint)
        }
        if let boot { route.noted(boot) }
        if isWanted(endpoint) { refresh(&route) }
        routes.insert(route, at: 0)
        // The end of a dial under way must find it.
        if routes.count > DiscoveryLimits.routesPerDevice, let last = routes.lastIndex(where: \.isIdle) {
            routes.remove(at: last)
        }
    }

    mutating func remove(_ endpoint: PeerEndpoint) { routes.removeAll { $0.endpoint == endpoint } }

    mutating func refreshAll(at instant: Instant) {
        for index in routes.indices where isWanted(routes[index].endpoint) { routes[index].refresh(at: instant) }
    }

    mutating func redial(_ hosts: Set<String>, at instant: Instant) {
        for index in routes.indices where isWanted(routes[index].endpoint) {
            if routes[index].endpoint.address.map({ hosts.contains($0.host) }) ?? true {
                routes[index].redial(at: instant)
            }
        }
    }

    /// Gives each dormant route one more try.
    mutating func wakeDormant(at instant: Instant) {
        for index in routes.indices where routes[index].due == nil && isWanted(routes[index].endpoint) {
            routes[index].wake(at: instant)
        }
    }

    // MARK: Dials

    /// Nil: nothing to try.
    var nextDeadline: Instant? {
        var next: Instant?
        for route in routes { next = next.earlier(readiness(of: route)) }
        return next
    }

    /// Starts the most overdue dial; among equals, the newest route.
    mutating func startDial(_ id: UInt64, now: Instant) -> PeerEndpoint? {
        guard let next = nextDeadline, next <= now,
            let index = routes.firstIndex(where: { readiness(of: $0) == next })
        else { return nil }
        routes[index].start(id, now: now)
        return routes[index].endpoint
    }

    /// A recent beacon's address does not wait for dials to older addresses.
    private func readiness(of route: Route) -> Instant? {
        guard route.isIdle, isWanted(route.endpoint), let due = route.due else { return nil }
        let limit = DiscoveryLimits.dialsPerDevice - (route.isFresh ? 0 : 1)
        var underWay = 0
        var ready = due
        for other in routes {
            guard let started = other.dialStarted else { continue }
            underWay += 1
            if other.isFresh || !route.isFresh {
                ready = max(ready, started.advanced(by: DiscoveryLimits.secondDialAfter))
            }
        }
        return underWay < limit ? ready : nil
    }

    mutating func dialEnded(_ id: UInt64, now: Instant, random: inout some RandomNumberGenerator) -> PeerEndpoint? {
        guard let index = routes.firstIndex(where: { $0.dial == id }) else { return nil }
        routes[index].failed(now: now, random: &random)
        if !isWanted(routes[index].endpoint) { routes[index].rest() }
        return routes[index].endpoint
    }
}

struct SessionWay: Hashable, Sendable {
    let boot: BootID
    let endpoint: PeerEndpoint
    var localHost: String?
    /// During the session, only better endpoints are dialled.
    let preference: LinkPreference
    /// As dialled, or as announced by the other daemon.
    let listening: PeerEndpoint?
}

struct NetworkChange: Hashable, Sendable {
    /// Interfaces that are new or have other addresses. Nil: any.
    let interfaces: Set<UInt32>?
    /// Hosts whose network path is gone, changed, or uses a changed interface. Nil: any.
    let hosts: Set<String>?

    static let any = NetworkChange(interfaces: nil, hosts: nil)

    func concerns(_ host: String?) -> Bool {
        guard let hosts, let host else { return true }
        return hosts.contains(host)
    }
}

struct Dial: Hashable, Sendable {
    let id: UInt64
    let endpoint: PeerEndpoint
    /// Nil: any member that answers there.
    let expecting: DeviceID?
}

struct Route {
    let endpoint: PeerEndpoint
    /// By the user, and therefore tried forever.
    let isGiven: Bool
    /// Nil: dial only with the five-minute beacon.
    private(set) var due: Instant?
    private(set) var dial: UInt64?
    /// A beacon just arrived from there, so the address is likely right.
    private(set) var isFresh = false
    private var failures = 0
    private var lastStart: Instant?
    /// The other daemon's run at the last beacon from here, and at the last dial or session.
    private var heardBoot: BootID?
    private var triedBoot: BootID?

    init(endpoint: PeerEndpoint, isGiven: Bool = false) {
        self.endpoint = endpoint
        self.isGiven = isGiven
    }

    var isIdle: Bool { dial == nil }
    var dialStarted: Instant? { dial == nil ? nil : lastStart }
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

    mutating func refresh(at instant: Instant) {
        failures = 0
        wake(at: instant)
    }

    /// Ignores a dial under way, which uses the old path.
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
