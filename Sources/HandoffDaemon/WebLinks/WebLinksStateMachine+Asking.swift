// SPDX-License-Identifier: Apache-2.0

import HandoffCore
internal import HandoffWire

// MARK: - Requests

extension WebLinksStateMachine {
    var fetchesUnderWay: Int {
        abandoned.count
            + entries.values.count {
                switch $0.phase {
                case .asking: true
                case .resting: false
                }
            }
    }

    mutating func askDue(at wall: WallTime) -> [WebLinksAction] {
        let due = entries.compactMap { site, entry -> (until: WallTime, site: Site)? in
            guard case .resting(let until) = entry.phase, until <= wall else { return nil }
            return (until, site)
        }
        let room = max(0, limits.fetchesAtOnce - fetchesUnderWay)
        var actions: [WebLinksAction] = []
        for next in due.sorted(by: { ($0.until, $0.site) < ($1.until, $1.site) }).prefix(room) {
            actions.append(ask(next.site, at: .wellKnown, after: nil, wall: wall))
        }
        return actions
    }

    mutating func ask(
        _ site: Site, at place: SitePlace, after refusal: SiteFailure?, wall: WallTime
    ) -> WebLinksAction {
        lastFetch += 1
        let kept = entries[site]?.kept.flatMap { $0.place == place ? $0 : nil }
        let fetch = SiteFetch(id: lastFetch, site: site, place: place, etag: kept?.file.etag)
        entries[site]?.phase = .asking(fetch, refusal: refusal)
        entries[site]?.asked = wall
        return .fetch(fetch)
    }

    func underWay(_ id: UInt64) -> (SiteFetch, refusal: SiteFailure?)? {
        for entry in entries.values {
            if case .asking(let fetch, let refusal) = entry.phase, fetch.id == id { return (fetch, refusal) }
        }
        return nil
    }
}

// MARK: - Answers

extension WebLinksStateMachine {
    mutating func answered(
        _ fetch: SiteFetch, with file: SiteFile, wall: WallTime, random: inout some RandomNumberGenerator
    ) -> [WebLinksAction] {
        guard var entry = entries[fetch.site] else { return [] }
        let kept = KeptSite(
            site: fetch.site, place: fetch.place, file: file, answered: wall, claimants: entry.claimants)
        entry.kept = kept
        entry.outcome = .answered
        entry.failures = 0
        entry.phase = .resting(until: wall.advanced(by: nextInterval(&random)))
        entries[fetch.site] = entry
        return [.keep(kept), .report(fetch.site)]
    }

    mutating func refused(
        _ fetch: SiteFetch, wellKnown: SiteFailure, root: SiteFailure, wall: WallTime,
        random: inout some RandomNumberGenerator
    ) -> [WebLinksAction] {
        guard var entry = entries[fetch.site] else { return [] }
        let hadFile = entry.kept != nil
        entry.kept = nil
        entry.outcome = .refused(wellKnown: wellKnown, root: root, said: wall)
        entry.failures = 0
        let pause = limits.pauseAfterNo + jitter(upTo: limits.pauseAfterNo / 4, &random)
        entry.phase = .resting(until: wall.advanced(by: pause))
        entries[fetch.site] = entry
        return (hadFile ? [.forget(fetch.site)] : []) + [.report(fetch.site)]
    }

    mutating func unreached(
        _ fetch: SiteFetch, _ failure: SiteFailure, wall: WallTime, random: inout some RandomNumberGenerator
    ) -> [WebLinksAction] {
        guard var entry = entries[fetch.site] else { return [] }
        entry.failures += 1
        switch entry.outcome {
        // A refusal remains valid while the site is unreachable.
        case .refused: break
        case .answered, .unreached, nil: entry.outcome = .unreached(failure, tried: wall)
        }
        var pause = limits.firstPause
        for _ in 1..<entry.failures where pause < limits.longestPause { pause = pause * 2 }
        pause = min(pause, limits.longestPause)
        entry.phase = .resting(until: wall.advanced(by: pause + jitter(upTo: pause / 4, &random)))
        entries[fetch.site] = entry
        return [.report(fetch.site)]
    }

    func nextInterval(_ random: inout some RandomNumberGenerator) -> Duration {
        limits.interval - jitter(upTo: limits.intervalJitter, &random)
    }

    private func jitter(upTo most: Duration, _ random: inout some RandomNumberGenerator) -> Duration {
        let (seconds, attoseconds) = most.components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        return .milliseconds(Int64.random(in: 0...max(0, milliseconds), using: &random))
    }
}
