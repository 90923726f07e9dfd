// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

enum Web {
    static let shop = Site(host("shop.example.com"))
    static let forum = Site(host("forum.example.org"))
    static let notes = try! BundleID("com.example.notes")
    static let mail = try! BundleID("com.example.mail")
    static let file = SiteFile(bytes: Array("{}".utf8), contentType: "application/json", etag: "\"1\"")
    static let newFile = SiteFile(bytes: Array("{ }".utf8), contentType: "application/json", etag: "\"2\"")
    static let absent = SiteFailure(.absent, "it has no such file (404)")
    static let redirected = SiteFailure(.redirected, "it redirects (301), which does not count")
    static let outage = SiteFailure(.unreachable, "it cannot be reached")

    static func host(_ name: String) -> WebHost { try! WebHost(name) }

    static func kept(_ site: Site = shop, at wall: WallTime, by apps: [BundleID] = [notes]) -> KeptSite {
        KeptSite(site: site, place: .wellKnown, file: file, answered: wall, claimants: apps)
    }
}

extension Duration {
    static func days(_ count: Int) -> Duration { .seconds(count * 86400) }
    static func hours(_ count: Int) -> Duration { .seconds(count * 3600) }
}

/// A machine with its clocks, which advance together unless a test changes one.
struct WebLinksFixture: ~Copyable {
    var machine: WebLinksStateMachine
    var now = Instant.zero
    var wall = WallTime(milliseconds: 1_800_000_000_000)
    private var random: Randomness

    init(kept: [KeptSite] = [], limits: WebLinksLimits = WebLinksLimits(), seed: UInt64 = 1) {
        machine = WebLinksStateMachine(kept: kept, limits: limits)
        random = .seeded(seed)
    }

    mutating func claim(_ claims: SiteClaim...) -> [WebLinksAction] { claim(claims) }

    mutating func claim(_ claims: [SiteClaim]) -> [WebLinksAction] {
        machine.claimsChanged(to: claims, now: now, wall: wall, random: &random)
    }

    mutating func refresh(_ host: WebHost? = nil) -> [WebLinksAction] {
        machine.refreshRequested(of: host, now: now, wall: wall)
    }

    mutating func end(_ id: UInt64, _ result: Result<SiteAnswer, SiteFailure>) -> [WebLinksAction] {
        machine.fetchEnded(id, result, now: now, wall: wall, random: &random)
    }

    /// Both clocks advance without a call to the machine.
    mutating func pass(_ time: Duration) {
        now = now.advanced(by: time)
        wall = wall.advanced(by: time)
    }

    /// Advances to the next deadline. Returns its actions, and how long it took.
    mutating func wake() -> (actions: [WebLinksAction], after: Duration)? {
        guard let next = machine.nextDeadline else { return nil }
        let after = max(now.duration(to: next), .zero)
        pass(after)
        return (machine.deadlineReached(now: now, wall: wall), after)
    }

    /// As `wake`, but requires a deadline.
    mutating func nextWake() throws -> (actions: [WebLinksAction], after: Duration) {
        let next = wake()
        return try #require(next)
    }

    mutating func look() -> [WebLinksAction] { machine.deadlineReached(now: now, wall: wall) }

    func standing(_ site: Site = Web.shop) -> SiteStanding { machine.standing(of: site, at: wall) }

    /// The notes app was installed, and the shop sent its file.
    mutating func install() {
        _ = claim(SiteClaim(Web.shop, by: Web.notes))
        _ = end(1, .success(.file(Web.file)))
    }
}

extension [WebLinksAction] {
    var fetches: [SiteFetch] {
        compactMap {
            guard case .fetch(let fetch) = $0 else { return nil }
            return fetch
        }
    }
}
