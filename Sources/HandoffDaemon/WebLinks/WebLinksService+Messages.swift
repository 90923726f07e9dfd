// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffTrust
package import HandoffWire

extension WebLinksService: ClientMessageHandler {
    /// What the sites of a list take at most, bytes: they are one frame.
    package static let listedBytes = Limits.frameBytes - 1024

    package func handle(_ message: LocalMessage, from client: any Client, reply: @escaping ClientReply) -> Bool {
        switch message {
        case .listSites, .refreshSites, .checkWebPage: break
        default: return false
        }
        // Which apps are here, and what their sites say, is nobody else's business.
        guard client.role == .control || client.role == .browser else {
            reply(.failure(Failure(.notAllowed, "an app is not told of other apps' sites")))
            return true
        }
        switch message {
        case .listSites: reply(.siteList(summaries(of: claimedSites)))
        case .refreshSites(let host): refresh(host, reply)
        case .checkWebPage(let url):
            do throws(Failure) {
                reply(.webPageCheck(try check(url)))
            } catch {
                reply(.failure(error))
            }
        default: break
        }
        return true
    }

    private func refresh(_ host: WebHost?, _ reply: @escaping ClientReply) {
        guard let host else { return refresh(claimedSites, reply) }
        let sites = claimedSites.filter { $0.host == host } + self.sites(for: host).filter { $0.host != host }
        guard !sites.isEmpty else {
            let reason = "no app that counts here claims \(host), so it is not asked for anything"
            return reply(.failure(Failure(.notAllowed, reason)))
        }
        refresh(sites, reply)
    }

    private func refresh(_ sites: [Site], _ reply: @escaping ClientReply) {
        refresh(sites) { [weak self] in
            // An app may have gone meanwhile.
            let claimed = Set(self?.claimedSites ?? [])
            reply(.siteList(self?.summaries(of: sites.filter(claimed.contains)) ?? []))
        }
    }

    /// As many as fit, by their hosts.
    private func summaries(of sites: [Site]) -> [SiteSummary] {
        var room = Self.listedBytes
        return sites.map(summary).filter { site in
            // With a frame of its own around it, which is more than its part of the common one.
            guard let bytes = try? LocalFrame(.siteList([site])).encoded().count, bytes <= room else { return false }
            room -= bytes
            return true
        }
    }

    func summary(of site: Site) -> SiteSummary {
        SiteSummary(site, standing(of: site), apps: claimants(of: site))
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
            ? wellKnown.reason : "at the well-known place: \(wellKnown.reason); at the root: \(root.reason)"
        return DisplayText(cleaning: reason, limit: Limits.reasonCharacters).text
    }
}
