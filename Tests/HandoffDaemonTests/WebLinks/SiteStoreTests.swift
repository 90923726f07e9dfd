// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Logging
import Testing

@testable import HandoffDaemon

// Shows N12.

/// The state machine, in-memory sites and the files on disk, in virtual time.
@Suite struct SiteShelfTests {
    private let notes = try! BundleID("com.example.notes")
    private let shop = Site(try! WebHost("shop.example.com"))
    private let file = SiteFile(bytes: Array("{}".utf8), contentType: "application/json", etag: "\"1\"")

    /// One run of the daemon's part that asks sites.
    private final class Run {
        private var machine: WebLinksStateMachine
        private let time: VirtualTime
        private let sites: MemorySites
        private let shelf: SiteStore
        private var random = Randomness.seeded(1)

        init(store: MemoryStateStore, sites: MemorySites, time: VirtualTime) {
            shelf = SiteStore(store: store, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            machine = WebLinksStateMachine(kept: shelf.load())
            self.time = time
            self.sites = sites
        }

        func claim(_ claims: [SiteClaim]) {
            carryOut(machine.claimsChanged(to: claims, now: time.now, wall: time.wallTime, random: &random))
        }

        func pass(_ duration: Duration) {
            let end = time.now.advanced(by: duration)
            while true {
                let next = machine.nextDeadline.earlier(time.nextInstant) ?? end
                guard next < end else { break }
                time.advance(by: max(time.now.duration(to: next), .zero))
                carryOut(machine.deadlineReached(now: time.now, wall: time.wallTime))
            }
            time.advance(by: time.now.duration(to: end))
        }

        func standing(_ site: Site) -> SiteStanding { machine.standing(of: site, at: time.wallTime) }

        private func carryOut(_ actions: [WebLinksAction]) {
            for action in actions {
                switch action {
                case .fetch(let fetch):
                    sites.fetch(fetch) { [weak self] result in
                        guard let self else { return }
                        carryOut(
                            machine.fetchEnded(
                                fetch.id, result, now: time.now, wall: time.wallTime, random: &random))
                    }
                case .keep(let kept): shelf.put(kept)
                case .forget(let site): shelf.remove(site)
                case .report: break
                }
            }
        }
    }

    private let time = VirtualTime()
    private let store = MemoryStateStore()

    private func sites() -> MemorySites {
        let sites = MemorySites(time: time)
        sites.pages[.init(shop.host)] = .success(file)
        return sites
    }

    private var claims: [SiteClaim] { [SiteClaim(shop, by: notes)] }

    @Test func anAnswerOutlivesTheDaemon() throws {
        let first = Run(store: store, sites: sites(), time: time)
        first.claim(claims)
        first.pass(.seconds(1))
        #expect(store.files.keys.sorted() == ["site-shop.example.com"])
        let later = sites()
        let second = Run(store: store, sites: later, time: time)
        second.claim(claims)
        second.pass(.seconds(86400))
        #expect(later.asked.isEmpty)
        #expect(second.standing(shop) == first.standing(shop))
        #expect(second.standing(shop).file?.file == file)
        // Within the week it is asked again, and answers that nothing changed.
        second.pass(.seconds(6 * 86400))
        #expect(later.asked.map(\.etag) == ["\"1\""])
        let kept = try #require(second.standing(shop).file)
        #expect(try KeptSite(encoded: store.files["site-shop.example.com"] ?? []) == kept)
    }

    @Test func aSiteThatSaysNoIsGoneFromTheDisk() {
        let sites = sites()
        let run = Run(store: store, sites: sites, time: time)
        run.claim(claims)
        run.pass(.seconds(1))
        sites.pages = [:]
        run.pass(.seconds(7 * 86400))
        #expect(sites.asked.suffix(2).map(\.place) == [.wellKnown, .root])
        #expect(store.files.isEmpty)
        #expect(run.standing(shop).file == nil)
    }

    @Test func anOutageOfWeeksKeepsTheLastAnswerForThirtyDays() {
        let sites = sites()
        let run = Run(store: store, sites: sites, time: time)
        run.claim(claims)
        run.pass(.seconds(1))
        sites.latency = .seconds(60)
        run.pass(.seconds(29 * 86400))
        guard case .kept(let kept, SiteFailure(.timedOut, ""), _) = run.standing(shop) else {
            return #expect(Bool(false), "\(run.standing(shop))")
        }
        #expect(kept.file == file)
        // About every six hours, for three weeks.
        #expect((60...130).contains(sites.asked.count), "\(sites.asked.count)")
        run.pass(.seconds(2 * 86400))
        #expect(run.standing(shop).file == nil)
        #expect(store.files.isEmpty)
        sites.latency = .milliseconds(30)
        run.pass(.seconds(86400))
        #expect(run.standing(shop).file?.file == file)
    }

    @Test func damagedSiteFilesAreFetchedAgain() {
        store.files = ["site-shop.example.com": Array("handoff-site 1\nhost".utf8), "site-1": [], "sites": [1]]
        let sites = sites()
        let run = Run(store: store, sites: sites, time: time)
        // Files with other names are ignored.
        #expect(store.files.keys.sorted() == ["sites"])
        run.claim(claims)
        run.pass(.seconds(1))
        #expect(sites.asked.count == 1)
        #expect(run.standing(shop).file?.file == file)
    }

    /// An older version numbered its files.
    @Test func numberedSiteFilesAreRenamedAfterTheirSite() throws {
        let old = KeptSite(site: shop, place: .wellKnown, file: file, answered: time.wallTime, claimants: [notes])
        let older = KeptSite(
            site: shop, place: .root, file: file, answered: time.wallTime.advanced(by: .seconds(-60)),
            claimants: [notes])
        store.files = ["site-0": older.encoded(), "site-17": old.encoded(), "site-127": [1]]
        let sites = sites()
        let run = Run(store: store, sites: sites, time: time)
        #expect(store.files == ["site-shop.example.com": old.encoded()])
        run.claim(claims)
        run.pass(.seconds(86400))
        #expect(sites.asked.isEmpty)
        #expect(run.standing(shop) == .answered(old))
    }

    /// A file name has at most 128 characters, a host 253.
    @Test func everySiteHasAFileOfItsOwnWhoseNameIsNeitherLongNorANumber() throws {
        let label = String(repeating: "a", count: 60)
        let hosts = [
            "shop.example.com", "0.example", "\(label).\(label).example", "\(label).\(label).\(label).\(label).example",
        ]
        let sites = try hosts.flatMap { host in
            try Site.Reach.allCases.map { Site(try WebHost(host), reach: $0) }
        }
        let names = sites.map(SiteStore.fileName(of:))
        #expect(Set(names).count == sites.count)
        #expect(names.allSatisfy { $0.utf8.count <= 128 && Int($0.dropFirst("site-".count)) == nil })
        #expect(names.prefix(2) == ["site-shop.example.com", "local-site-shop.example.com"])
    }

    @Test func sitesAreReadDespiteAFullDisk() {
        store.writeFailure = Failure(.stateNotWritable, "the disk is full")
        let run = Run(store: store, sites: sites(), time: time)
        run.claim(claims)
        run.pass(.seconds(1))
        #expect(run.standing(shop).file?.file == file)
        #expect(store.files.isEmpty)
    }

    @Test func aPrivateSiteIsOfDevelopersAlone() {
        let sites = sites()
        sites.privateHosts = [shop.host]
        let here = Site(shop.host, reach: .anywhere)
        let run = Run(store: store, sites: sites, time: time)
        run.claim(claims + [SiteClaim(here, by: notes)])
        run.pass(.seconds(1))
        #expect(run.standing(here).file?.file == file)
        #expect(run.standing(shop).file == nil)
    }
}
