// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

// Shows N07, N12.

/// Events in any order: apps that are installed and removed, every kind of answer, requests, time and clocks that jump,
/// restarts with stored answers.
@Suite struct WebLinksWalkTests {
    @Test(arguments: 0..<300)
    func onlyClaimedSitesAreAskedAndOnlyAnswersApply(seed: UInt64) {
        var walk = Walk(seed: seed)
        for _ in 0..<200 { walk.step() }
        walk.settle()
        #expect(walk.violations.isEmpty, "seed \(seed)")
    }

    private struct Walk: ~Copyable {
        private var fixture: WebLinksFixture
        private var random: Randomness
        private let limits: WebLinksLimits
        var violations: [String] = []
        private var claims: [SiteClaim] = []
        private var underWay: [SiteFetch] = []
        /// As in a store.
        private var disk: [Site: KeptSite] = [:]

        init(seed: UInt64) {
            random = .seeded(seed)
            var limits = WebLinksLimits()
            limits.sites = 5
            limits.fetchesAtOnce = 2
            self.limits = limits
            fixture = WebLinksFixture(limits: limits, seed: seed)
        }

        private static let sites = (0..<8).map {
            Site(Web.host("site\($0 / 2).example.com"), reach: $0 % 2 == 0 ? .internet : .anywhere)
        }

        mutating func step() {
            switch Int.random(in: 0..<12, using: &random) {
            case 0, 1: claim()
            case 2:
                take(
                    fixture.refresh(Bool.random(using: &random) ? nil : Self.sites.randomElement(using: &random)!.host))
            case 3...7: answer()
            case 8, 9: wake()
            case 10:
                fixture.pass(.seconds(Int64.random(in: 0...86400 * 9, using: &random)))
                take(fixture.look())
            default:
                if Int.random(in: 0..<4, using: &random) == 0 {
                    restart()
                } else {
                    fixture.wall = fixture.wall.advanced(
                        by: .seconds(Int64.random(in: -86400 * 40...86400 * 9, using: &random)))
                    take(fixture.look())
                }
            }
            check()
        }

        /// All sites have answered, and only waiting remains.
        mutating func settle() {
            for _ in 0..<400 {
                while let fetch = underWay.first {
                    underWay.removeFirst()
                    take(fixture.end(fetch.id, .success(.file(Web.file))))
                }
                guard let next = fixture.machine.nextDeadline, fixture.now.duration(to: next) < .days(2) else { break }
                wake()
            }
            let asked = Set(claims.map(\.site)).filter { fixture.standing($0) != .surplus }
            if asked.count != min(limits.sites, Set(claims.map(\.site)).count) {
                violations.append("sites are left out")
            }
            for site in asked {
                guard case .answered = fixture.standing(site) else {
                    violations.append("\(site) did not answer: \(fixture.standing(site))")
                    continue
                }
            }
            check()
        }

        private mutating func claim() {
            let count = Int.random(in: 0...10, using: &random)
            claims = (0..<count).map { _ in
                SiteClaim(
                    Self.sites.randomElement(using: &random)!, by: [Web.notes, Web.mail].randomElement(using: &random)!)
            }
            take(fixture.claim(claims))
        }

        private mutating func wake() {
            guard let (actions, _) = fixture.wake() else { return }
            take(actions)
        }

        private mutating func answer() {
            guard let index = underWay.indices.randomElement(using: &random) else { return }
            let fetch = underWay.remove(at: index)
            let before = fixture.standing(fetch.site)
            let isClaimed = claims.contains { $0.site == fetch.site }
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1:
                let file = Bool.random(using: &random) ? Web.file : Web.newFile
                let actions = fixture.end(fetch.id, .success(.file(file)))
                take(actions)
                // An answer to a request from before the app was reinstalled is ignored.
                if isClaimed, actions.contains(.report(fetch.site)), fixture.standing(fetch.site).file?.file != file {
                    violations.append("what \(fetch.site) said does not count")
                }
            case 2: take(fixture.end(fetch.id, .success(.unchanged)))
            case 3: take(fixture.end(fetch.id, .failure(Web.absent)))
            case 4: take(fixture.end(fetch.id, .failure(Web.redirected)))
            default:
                take(fixture.end(fetch.id, .failure(Web.outage)))
                if before.file?.file != fixture.standing(fetch.site).file?.file {
                    violations.append("an outage changed what counts of \(fetch.site)")
                }
            }
        }

        private mutating func restart() {
            underWay = []
            let (now, wall) = (fixture.now, fixture.wall)
            fixture = WebLinksFixture(kept: Array(disk.values), limits: limits, seed: random.next())
            fixture.now = now
            fixture.wall = wall
            take(fixture.claim(claims))
        }

        private mutating func take(_ actions: [WebLinksAction]) {
            for action in actions {
                switch action {
                case .fetch(let fetch):
                    if !claims.contains(where: { $0.site == fetch.site }) {
                        violations.append("\(fetch.site) is asked and nobody claims it")
                    }
                    underWay.append(fetch)
                case .keep(let kept):
                    disk[kept.site] = kept
                    if disk.count > limits.sites { violations.append("\(disk.count) sites are kept") }
                case .forget(let site): disk[site] = nil
                case .report: break
                }
            }
        }

        private mutating func check() {
            if underWay.count > limits.fetchesAtOnce { violations.append("\(underWay.count) questions at once") }
            if Set(underWay.map(\.id)).count != underWay.count { violations.append("one question is there twice") }
            if fixture.machine.sites.count > limits.sites { violations.append("too many sites") }
            // The valid answers equal those on disk, so that a crash at any moment changes nothing.
            for site in Self.sites {
                let counts = fixture.standing(site).file
                if counts?.file != disk[site]?.file { violations.append("of \(site) the disk has something else") }
                guard let counts else { continue }
                if !claims.contains(where: { $0.site == site }) { violations.append("\(site) counts for nobody") }
                if counts.answered.duration(to: fixture.wall) >= .days(30) { violations.append("\(site) is too old") }
            }
            if !claims.isEmpty, underWay.isEmpty, fixture.machine.nextDeadline == nil {
                violations.append("nothing will ever happen again")
            }
        }
    }
}
