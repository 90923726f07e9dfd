// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

enum WebLinksAction: Hashable, Sendable {
    /// `fetchEnded` follows, once.
    case fetch(SiteFetch)
    case keep(KeptSite)
    case forget(Site)
    case report(Site)
}

/// A site is asked while an installed app claims it: when the app is new, a week after each answer, on request, and
/// repeatedly while it is unreachable. Without a file at the well-known location, the root follows. An answer takes
/// effect immediately, even a refusal. A failure that proves nothing about the site changes nothing for 30 days.
struct WebLinksStateMachine: ~Copyable {
    let limits: WebLinksLimits
    var entries: [Site: Entry] = [:]
    var surplus: Set<Site> = []
    /// From the last run, until the claims are known.
    private var found: [Site: KeptSite] = [:]
    private var leftovers: Set<Site> = []
    /// Under way, for sites that are no longer claimed.
    var abandoned: Set<UInt64> = []
    var lastFetch: UInt64 = 0
    private var clocks: (now: Instant, wall: WallTime)?

    struct Entry {
        var claimants: [BundleID]
        var phase: Phase
        var outcome: Outcome?
        var kept: KeptSite?
        var failures = 0
        var asked: WallTime?
    }

    enum Phase {
        /// Can transition to: asking.
        case resting(until: WallTime)
        /// Can transition to: asking, at the root; resting.
        case asking(SiteFetch, refusal: SiteFailure?)
    }

    enum Outcome {
        case answered
        case unreached(SiteFailure, tried: WallTime)
        case refused(wellKnown: SiteFailure, root: SiteFailure, said: WallTime)
    }

    /// For a site that is in `kept` twice, the newer answer is used.
    init(kept: [KeptSite], limits: WebLinksLimits = WebLinksLimits()) {
        self.limits = limits
        let newest = Dictionary(kept.map { ($0.site, $0) }) { $0.answered < $1.answered ? $1 : $0 }
        for site in newest.values.sorted(by: { ($1.answered, $0.site) < ($0.answered, $1.site) }) {
            if found.count < limits.sites { found[site.site] = site } else { leftovers.insert(site.site) }
        }
    }

    var nextDeadline: Instant? {
        guard let clocks else { return nil }
        let hasRoom = fetchesUnderWay < limits.fetchesAtOnce
        var next: WallTime?
        for entry in entries.values {
            var times: [WallTime] = []
            if case .resting(let until) = entry.phase, hasRoom { times.append(until) }
            if let kept = entry.kept { times.append(end(of: kept)) }
            next = (times + [next].compactMap(\.self)).min()
        }
        return next.map { clocks.now.advanced(by: clocks.wall.duration(to: $0)) }
    }

    func standing(of site: Site, at wall: WallTime) -> SiteStanding {
        guard let entry = entries[site] else { return surplus.contains(site) ? .surplus : .unclaimed }
        let kept = entry.kept.flatMap { end(of: $0) > wall ? $0 : nil }
        switch entry.outcome {
        case .refused(let wellKnown, let root, let said): return .refused(wellKnown: wellKnown, root: root, said: said)
        case .unreached(let failure, let tried):
            return kept.map { .kept($0, failure, tried: tried) } ?? .unreachable(failure, tried: tried)
        case .answered, nil: return kept.map { .answered($0) } ?? .unknown
        }
    }

    var sites: [Site] { entries.keys.sorted() }

    // MARK: Events

    /// Each claim belongs to a valid signed app.
    mutating func claimsChanged(
        to claims: [SiteClaim], now: Instant, wall: WallTime, random: inout some RandomNumberGenerator
    ) -> [WebLinksAction] {
        var actions = clocksRead(now: now, wall: wall)
        let apps = Dictionary(grouping: claims, by: \.site).mapValues { Set($0.map(\.app)).sorted() }
        for site in entries.keys.sorted() where apps[site] == nil { actions += dropped(site) }
        leftovers.formUnion(found.keys.filter { apps[$0] == nil })
        found = found.filter { apps[$0.key] != nil }
        surplus = []
        for (site, claimants) in apps.sorted(by: { $0.key < $1.key }) {
            if let known = entries[site]?.claimants {
                entries[site]?.claimants = claimants
                if !Set(claimants).isSubset(of: known) { bringForward(site, to: wall) }
            } else if found[site] != nil || entries.count + found.count < limits.sites {
                actions += added(site, claimants, wall: wall, random: &random)
            } else {
                surplus.insert(site)
            }
        }
        actions += leftovers.sorted().map { .forget($0) }
        leftovers = []
        return actions + askDue(at: wall)
    }

    /// `host` nil: all sites.
    mutating func refreshRequested(of host: WebHost?, now: Instant, wall: WallTime) -> [WebLinksAction] {
        let actions = clocksRead(now: now, wall: wall)
        for site in entries.keys where host == nil || site.host == host {
            entries[site]?.failures = 0
            bringForward(site, to: wall)
        }
        return actions + askDue(at: wall)
    }

    mutating func deadlineReached(now: Instant, wall: WallTime) -> [WebLinksAction] {
        let actions = clocksRead(now: now, wall: wall)
        return actions + askDue(at: wall)
    }

    mutating func fetchEnded(
        _ id: UInt64, _ result: Result<SiteAnswer, SiteFailure>, now: Instant, wall: WallTime,
        random: inout some RandomNumberGenerator
    ) -> [WebLinksAction] {
        let actions = clocksRead(now: now, wall: wall)
        guard abandoned.remove(id) == nil, let (fetch, refusal) = underWay(id) else {
            return actions + askDue(at: wall)
        }
        let came: [WebLinksAction]
        switch result {
        case .success(.file(let file)): came = answered(fetch, with: file, wall: wall, random: &random)
        case .success(.unchanged):
            if let kept = entries[fetch.site]?.kept, kept.place == fetch.place, kept.file.etag == fetch.etag {
                came = answered(fetch, with: kept.file, wall: wall, random: &random)
            } else {
                let failure = SiteFailure(
                    .malformed, "it answered that nothing has changed, but nothing of it is cached")
                came = unreached(fetch, failure, wall: wall, random: &random)
            }
        case .failure(let failure) where !failure.isAnswer:
            came = unreached(fetch, failure, wall: wall, random: &random)
        case .failure(let failure):
            guard let refusal else { return actions + [ask(fetch.site, at: .root, after: failure, wall: wall)] }
            came = refused(fetch, wellKnown: refusal, root: failure, wall: wall, random: &random)
        }
        return actions + came + askDue(at: wall)
    }

    // MARK: Time

    /// Deletes expired answers. Adjusts all stored times if the wall clock was set back.
    private mutating func clocksRead(now: Instant, wall: WallTime) -> [WebLinksAction] {
        let drift = clocks.map { $0.wall.duration(to: wall) - $0.now.duration(to: now) } ?? .zero
        if drift < .seconds(-1) { setBack(by: drift) }
        clocks = (now, wall)
        var actions: [WebLinksAction] = []
        for (site, entry) in entries.sorted(by: { $0.key < $1.key }) {
            guard let kept = entry.kept, end(of: kept) <= wall else { continue }
            entries[site]?.kept = nil
            actions += [.forget(site), .report(site)]
        }
        return actions
    }

    private mutating func setBack(by drift: Duration) {
        for (site, entry) in entries {
            if case .resting(let until) = entry.phase {
                entries[site]?.phase = .resting(until: until.advanced(by: drift))
            }
            entries[site]?.asked = entry.asked?.advanced(by: drift)
            if let kept = entry.kept { entries[site]?.kept?.answered = kept.answered.advanced(by: drift) }
        }
    }

    func end(of kept: KeptSite) -> WallTime { kept.answered.advanced(by: limits.keeping) }

    // MARK: Sites

    private mutating func added(
        _ site: Site, _ claimants: [BundleID], wall: WallTime, random: inout some RandomNumberGenerator
    ) -> [WebLinksAction] {
        var entry = Entry(claimants: claimants, phase: .resting(until: wall))
        guard var kept = found.removeValue(forKey: site) else {
            entries[site] = entry
            return []
        }
        kept.answered = min(kept.answered, wall)
        guard end(of: kept) > wall else {
            entries[site] = entry
            return [.forget(site)]
        }
        entry.kept = kept
        if Set(claimants).isSubset(of: kept.claimants) {
            entry.phase = .resting(until: kept.answered.advanced(by: nextInterval(&random)))
        }
        entries[site] = entry
        return [.report(site)]
    }

    private mutating func dropped(_ site: Site) -> [WebLinksAction] {
        guard let entry = entries.removeValue(forKey: site) else { return [] }
        if case .asking(let fetch, _) = entry.phase { abandoned.insert(fetch.id) }
        return entry.kept == nil ? [] : [.forget(site)]
    }

    private mutating func bringForward(_ site: Site, to wall: WallTime) {
        guard case .resting(let until)? = entries[site]?.phase else { return }
        let earliest = entries[site]?.asked?.advanced(by: limits.gap) ?? wall
        entries[site]?.phase = .resting(until: min(until, max(earliest, wall)))
    }
}
