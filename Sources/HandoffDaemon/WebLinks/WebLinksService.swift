// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTrust
import HandoffWire
import Logging

/// Matches apps and sites: an app claims a site in entitlements that its team signed, and the site lists the app in its
/// own file; both are required. Unclaimed sites are never asked.
final class WebLinksService: Feature {
    let apps: AppsService
    private let sites: any SiteFetching
    private let shelf: SiteStore
    private let reader: SiteReader
    let time: any TimeSource
    private let policy: PolicyService
    private let isForDevelopment: Bool
    /// At the apps' last examination.
    private(set) var modes: Set<AssociatedDomain.Mode> = []
    private var random: Randomness
    private let log: Logger

    private var machine = WebLinksStateMachine(kept: [])
    /// Nil before the apps' first examination.
    private var claimants: [Claimant]?
    private var claims: [AppClaims] = []
    private var files: [Site: ReadFile] = [:]
    private var approved: [Site: Set<BundleID>] = [:]
    private var waiting: [Waiter] = []
    private var observers: [(ApprovalChange) -> Void] = []
    private var alarm: (any Alarm)?

    private struct Claimant: Hashable {
        let app: AppIdentifier
        let entries: [String]
    }

    private struct ReadFile {
        let file: SiteFile
        let content: SiteAssociation
    }

    private struct Waiter {
        var open: Set<Site>
        let ready: () -> Void
    }

    /// `isForDevelopment`: claims in developer mode apply; their sites may be on private networks. `roots`: trusted
    /// certificates in DER.
    init(
        apps: AppsService, sites: any SiteFetching, store: any StateStore, time: any TimeSource,
        random: Randomness, policy: PolicyService, isForDevelopment: Bool, roots: @escaping () -> [[UInt8]], log: Logger
    ) {
        self.apps = apps
        self.sites = sites
        shelf = SiteStore(store: store, log: log)
        reader = SiteReader(roots: roots)
        self.time = time
        self.policy = policy
        self.isForDevelopment = isForDevelopment
        self.random = random
        self.log = log
    }

    func start() throws {
        alarm = time.makeAlarm { [weak self] in self?.alarmRang() }
        machine = WebLinksStateMachine(kept: readable(shelf.load()))
        apps.onChange { [weak self] _ in self?.appsChanged() }
        policy.onChange { [weak self] in if $0.management { self?.appsChanged() } }
        appsChanged()
    }

    func stop() {
        sites.stop()
        alarm?.set(nil)
    }

    /// Unreadable answers are requested again. A signed file is verified as of when the site sent it.
    private func readable(_ kept: [KeptSite]) -> [KeptSite] {
        kept.filter { kept in
            do throws(SiteFailure) {
                let content = try reader.read(kept.file, from: kept.site, at: kept.answered)
                files[kept.site] = ReadFile(file: kept.file, content: content)
                return true
            } catch {
                log.notice("A site's cached file can no longer be read", metadata: ["reason": "\(error)"])
                shelf.remove(kept.site)
                return false
            }
        }
    }

    // MARK: Events

    private func appsChanged() {
        // Without apps, it would forget every site.
        guard apps.areRead else { return }
        let found = apps.all.compactMap(claimant)
        var counting: Set<AssociatedDomain.Mode> = []
        if isForDevelopment { counting.insert(.developer) }
        if policy.isManaged { counting.insert(.managed) }
        guard found != claimants || counting != modes else { return }
        var touched = Set(counting == modes ? [] : found.map(\.app.bundle))
        touched.formUnion(Set(found).symmetricDifference(claimants ?? []).map(\.app.bundle))
        claimants = found
        modes = counting
        claims = found.compactMap { AppClaims($0.app, entries: $0.entries, modes: modes) }
            .sorted { $0.bundle < $1.bundle }
        let sites = claims.flatMap { app in app.sites.map { SiteClaim($0, by: app.bundle) } }
        let actions = machine.claimsChanged(to: sites, now: time.now, wall: time.wallTime, random: &random)
        let known = Set(machine.sites)
        files = files.filter { known.contains($0.key) }
        approved = approved.filter { known.contains($0.key) }
        // An app may claim a site that was read long ago.
        for site in known { touched.formUnion(judge(site)) }
        log.debug("Sites claimed", metadata: ["apps": "\(claims.count)", "sites": "\(known.count)"])
        tell(touched.union(carryOut(actions)))
        for site in waiting.reduce(into: Set(), { $0.formUnion($1.open) }).subtracting(known) { ended(site) }
    }

    /// Nil if no claim could be valid.
    private func claimant(_ app: InstalledApp) -> Claimant? {
        guard !app.associatedDomains.isEmpty, let developer = app.developer, apps.team(of: app) != nil else {
            return nil
        }
        return Claimant(
            app: AppIdentifier(team: developer.id, bundle: app.bundle), entries: app.associatedDomains)
    }

    private func alarmRang() { tell(carryOut(machine.deadlineReached(now: time.now, wall: time.wallTime))) }

    private func fetchEnded(_ fetch: SiteFetch, _ result: Result<SiteAnswer, SiteFailure>) {
        let read = result.flatMap { answer in
            Result { () throws(SiteFailure) in try self.read(answer, to: fetch) }
        }
        let actions = machine.fetchEnded(fetch.id, read, now: time.now, wall: time.wallTime, random: &random)
        tell(carryOut(actions))
        let goesOn = actions.contains { action in
            if case .fetch(let next) = action { next.site == fetch.site } else { false }
        }
        if !goesOn { ended(fetch.site) }
    }

    /// Treats an invalid file as the site's refusal.
    private func read(_ answer: SiteAnswer, to fetch: SiteFetch) throws(SiteFailure) -> SiteAnswer {
        switch answer {
        case .file(let file):
            let content = try reader.read(file, from: fetch.site, at: time.wallTime)
            files[fetch.site] = ReadFile(file: file, content: content)
        case .unchanged:
            // A signed file's certificate may have expired since.
            if let kept = machine.standing(of: fetch.site, at: time.wallTime).file,
                SiteAssociation.isSigned(kept.file.bytes)
            {
                _ = try reader.read(kept.file, from: fetch.site, at: time.wallTime)
            }
        }
        return answer
    }

    private func ended(_ site: Site) {
        for index in waiting.indices { waiting[index].open.remove(site) }
        let ready = waiting.filter(\.open.isEmpty)
        waiting.removeAll(where: \.open.isEmpty)
        for waiter in ready { waiter.ready() }
    }

    // MARK: Actions

    /// Returns apps whose approval changed.
    private func carryOut(_ actions: [WebLinksAction]) -> Set<BundleID> {
        var touched: Set<BundleID> = []
        for action in actions {
            switch action {
            case .fetch(let fetch): sites.fetch(fetch) { [weak self] in self?.fetchEnded(fetch, $0) }
            case .keep(let kept): shelf.put(kept)
            case .forget(let site): shelf.remove(site)
            case .report(let site): touched.formUnion(judge(site))
            }
        }
        alarm?.set(machine.nextDeadline)
        return touched
    }

    /// Returns apps whose listing changed.
    private func judge(_ site: Site) -> Set<BundleID> {
        if let kept = machine.standing(of: site, at: time.wallTime).file {
            if files[site]?.file != kept.file {
                files[site] = (try? reader.read(kept.file, from: site, at: kept.answered))
                    .map { ReadFile(file: kept.file, content: $0) }
            }
        } else {
            files[site] = nil
        }
        let content = files[site]?.content
        let claimants = claims.filter { $0.sites.contains(site) }
        let listed = Set(claimants.filter { content?.continues($0.app) ?? false }.map(\.bundle))
        defer { approved[site] = listed }
        return approved[site, default: []].symmetricDifference(listed)
    }

    private func tell(_ apps: Set<BundleID>) {
        guard !apps.isEmpty else { return }
        for observer in observers { observer(ApprovalChange(apps: apps)) }
    }
}

extension WebLinksService {
    func approvedApps(for host: WebHost) -> [BundleID] {
        claims.compactMap { app in
            guard let site = app.claim(for: host)?.site, approved[site]?.contains(app.bundle) ?? false else {
                return nil
            }
            return app.bundle
        }
    }

    func onChange(_ observer: @escaping (ApprovalChange) -> Void) { observers.append(observer) }
}

// MARK: - Lists of sites

extension WebLinksService {
    /// By trusted apps, for Handoff.
    var claimedSites: [Site] { Set(claims.flatMap(\.sites)).sorted() }

    func claimants(of site: Site) -> [BundleID] { claims.filter { $0.sites.contains(site) }.map(\.bundle) }

    func sites(for host: WebHost) -> [Site] { Set(claims.compactMap { $0.claim(for: host)?.site }).sorted() }

    func standing(of site: Site) -> SiteStanding { machine.standing(of: site, at: time.wallTime) }

    func content(of site: Site) -> SiteAssociation? { files[site]?.content }

    /// Ignores sites that are never asked. Calls `ready` once each other site answered or failed.
    func refresh(_ wanted: [Site], ready: @escaping () -> Void) {
        let asked = Set(wanted).intersection(machine.sites)
        guard !asked.isEmpty else { return ready() }
        waiting.append(Waiter(open: asked, ready: ready))
        for host in Set(asked.map(\.host)).sorted() {
            tell(carryOut(machine.refreshRequested(of: host, now: time.now, wall: time.wallTime)))
        }
    }
}

struct ApprovalChange: Hashable, Sendable {
    let apps: Set<BundleID>
}

struct SiteReader {
    /// In DER; called for each signed file, which is rare.
    let roots: () -> [[UInt8]]

    func read(_ file: SiteFile, from site: Site, at time: WallTime) throws(SiteFailure) -> SiteAssociation {
        let roots = SiteAssociation.isSigned(file.bytes) ? roots() : []
        do throws(AssociationRejection) {
            return try SiteAssociation(file: file.bytes, from: site.host, roots: roots, at: time)
        } catch {
            throw SiteFailure(.unreadable, error.description)
        }
    }
}
