// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

/// Another member: whether there is a session with it, and the addresses that may lead there.
struct DialTarget {
    struct Session {
        let boot: BootID
        let host: String
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
            routes[index].rest()
        }
    }

    /// `retry` is when to dial again at the soonest. A session that did not last earns a pause as a failed dial does,
    /// unless the other daemon was started anew meanwhile.
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

    func knows(host: String) -> Bool { session?.host == host || routes.contains { $0.address.host == host } }

    /// An address that may be worth a try at `due`; while a session stands it is only kept in mind.
    mutating func add(_ address: NetworkAddress, due: Instant) {
        insert(address) { $0.refresh(at: due) }
    }

    /// A beacon came from there, of that start of the other daemon.
    mutating func heard(at address: NetworkAddress, boot: BootID, due: Instant) {
        insert(address, boot: boot) { $0.heard(dialAt: due) }
    }

    private mutating func insert(
        _ address: NetworkAddress, boot: BootID? = nil, _ refresh: (inout Route) -> Void
    ) {
        var route: Route
        if let index = routes.firstIndex(where: { $0.address == address }) {
            route = routes.remove(at: index)
        } else {
            route = Route(address: address)
        }
        if let boot { route.noted(boot) }
        if session == nil { refresh(&route) }
        routes.insert(route, at: 0)
        // A dial under way must be found again when it ends.
        if routes.count > DiscoveryLimits.routesPerDevice, let last = routes.lastIndex(where: \.isIdle) {
            routes.remove(at: last)
        }
    }

    mutating func remove(_ address: NetworkAddress) { routes.removeAll { $0.address == address } }

    mutating func refreshAll(at instant: Instant) {
        guard session == nil else { return }
        for index in routes.indices { routes[index].refresh(at: instant) }
    }

    /// Addresses that are not tried by themselves any more get one more try.
    mutating func wakeDormant(at instant: Instant) {
        guard session == nil else { return }
        for index in routes.indices where routes[index].due == nil { routes[index].wake(at: instant) }
    }

    // MARK: Dials

    /// When the next dial may start; nil while there is a session or nothing to try.
    var nextDeadline: Instant? {
        guard session == nil else { return nil }
        var next: Instant?
        for route in routes { next = next.earlier(readiness(of: route)) }
        return next
    }

    /// Starts the dial that is most overdue, the newest address among equals.
    mutating func startDial(_ id: UInt64, now: Instant) -> NetworkAddress? {
        guard let next = nextDeadline, next <= now,
            let index = routes.firstIndex(where: { readiness(of: $0) == next })
        else { return nil }
        routes[index].start(id, now: now)
        return routes[index].address
    }

    /// Few dials at a time, one a little after the other. An address that was just heard neither waits for guesses nor
    /// for room among them.
    private func readiness(of route: Route) -> Instant? {
        guard route.isIdle, let due = route.due else { return nil }
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

    /// The address of a dial that ended, if it is one of ours.
    mutating func dialEnded(_ id: UInt64, now: Instant, random: inout some RandomNumberGenerator) -> NetworkAddress? {
        guard let index = routes.firstIndex(where: { $0.dial == id }) else { return nil }
        routes[index].failed(now: now, random: &random)
        if session != nil { routes[index].rest() }
        return routes[index].address
    }
}
