// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTrust
import HandoffWire

final class WebPagesService: Feature {
    let links: WebLinksService
    let apps: AppsService
    let launching: LaunchingService

    init(links: WebLinksService, apps: AppsService, launching: LaunchingService) {
        self.links = links
        self.apps = apps
        self.launching = launching
    }

    func start() throws {}
    func stop() {}
}

extension WebPagesService: LocalMessageHandler {
    func handle(_ message: LocalMessage.WebLinks, from client: any Client, reply: @escaping ClientReply) {
        switch message {
        case .listSites: reply(.webLinks(.siteList(summaries(of: links.claimedSites))))
        case .refreshSites(let host): refresh(host, reply)
        case .checkWebPage(let url):
            do throws(Failure) {
                reply(.webLinks(.webPageCheck(try check(url))))
            } catch {
                reply(.failure(error))
            }
        case .siteList, .webPageCheck: reply(.failure(.notForTheDaemon))
        }
    }

    private func refresh(_ host: WebHost?, _ reply: @escaping ClientReply) {
        guard let host else { return refresh(links.claimedSites, reply) }
        let sites = links.claimedSites.filter { $0.host == host } + links.sites(for: host).filter { $0.host != host }
        guard !sites.isEmpty else {
            let reason = "no trusted app here claims \(host), so the site is not asked"
            return reply(.failure(Failure(.notAllowed, reason)))
        }
        refresh(sites, reply)
    }

    private func refresh(_ sites: [Site], _ reply: @escaping ClientReply) {
        links.refresh(sites) { [weak self] in
            // An app may have been removed in the meantime.
            let claimed = Set(self?.links.claimedSites ?? [])
            reply(.webLinks(.siteList(self?.summaries(of: sites.filter(claimed.contains)) ?? [])))
        }
    }

    private func summaries(of sites: [Site]) -> [SiteSummary] {
        sites.map(summary).fitting { .webLinks(.siteList($0)) }
    }

    func summary(of site: Site) -> SiteSummary {
        SiteSummary(site, links.standing(of: site), apps: links.claimants(of: site))
    }
}

extension SiteSummary {
    fileprivate init(_ site: Site, _ standing: SiteStanding, apps: [BundleID]) {
        self.init(host: site.host, mayBePrivate: site.reach == .anywhere, standing: .notAsked, apps: apps)
        switch standing {
        case .unclaimed, .unknown: break
        case .surplus: self.standing = .surplus
        case .answered: self.standing = .answered
        case .kept(_, let failure, let tried):
            self.standing = .kept
            reason = failure.reason
            self.tried = tried
        case .unreachable(let failure, let tried):
            self.standing = .unreachable
            reason = failure.reason
            self.tried = tried
        case .refused(let wellKnown, let root, let said):
            self.standing = .refused
            reason = Self.refusal(wellKnown, root)
            answered = said
        }
        guard let kept = standing.file else { return }
        answered = kept.answered
        isAtRoot = kept.place == .root
        isSigned = SiteAssociation.isSigned(kept.file.bytes)
    }

    private static func refusal(_ wellKnown: SiteFailure, _ root: SiteFailure) -> String {
        let reason =
            wellKnown.reason == root.reason
            ? wellKnown.reason : "at the well-known path: \(wellKnown.reason); at the root: \(root.reason)"
        return DisplayText(cleaning: reason, limit: Limits.reasonCharacters).text
    }
}

extension Offer {
    var isBrowsedPage: Bool { type == .browsingWeb && hasWebPage }

    var browsedHost: WebHost? { isBrowsedPage ? webHost : nil }

    /// Like a browser's offer; never on a board.
    static func page(of host: WebHost?, in account: AccountID?) -> Offer {
        let nobody = AccountID(uncheckedBytes: Array(repeating: 0, count: 32))
        return Offer(
            activity: ActivityID(uncheckedBytes: Array(repeating: 0, count: 16)), type: .browsingWeb,
            appName: DisplayText(cleaning: ""), team: .personal(account ?? nobody), hasWebPage: true,
            since: WallTime(milliseconds: 0), webHost: host)
    }

    /// Or from a script that acts like a browser. Includes the position in the page, for another browser.
    var isFromBrowser: Bool { isBrowsedPage && bundle == nil && team.developer == nil }
}
