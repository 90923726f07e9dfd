// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffTrust
internal import HandoffWire

/// Explanations fit into one frame.
enum PageCheckLimits {
    static let claims = 128
    static let steps = 512
}

/// Explains step by step how a page would continue. Uses only known answers and asks no site.
extension WebPagesService {
    /// Throws for an address that even a browser would not receive.
    func check(_ text: String) throws(Failure) -> WebPageCheck {
        let url: WebURL
        do throws(WebURLRejection) {
            url = try WebURL(text)
        } catch {
            guard WebPageURL.isAllowed(text) else { throw Failure(.malformed, "\(error)") }
            let end = try outcome(ofPageOf: nil)
            return WebPageCheck(
                host: nil, problem: "\(error)", taker: end.taker, takerName: end.name, reason: end.reason)
        }
        var claims: [CheckedClaim] = []
        var steps = PageCheckLimits.steps
        for app in apps.all.sorted(by: { ($0.name.text, $0.bundle) < ($1.name.text, $1.bundle) }) {
            for claim in EntryChecks(app, isTrusted: apps.isTrusted(app), by: links, url).claims
            where claims.count < PageCheckLimits.claims {
                var claim = claim
                claim.steps = Array(claim.steps.prefix(steps))
                steps -= claim.steps.count
                claims.append(claim)
            }
        }
        var end = try outcome(ofPageOf: url.host)
        if claims.isEmpty, apps.all.contains(where: \.isInDevelopment) {
            end.reason += ". Claims of apps under development are ignored, because they are not signed"
        }
        return WebPageCheck(
            host: url.host, claims: claims, sites: links.sites(for: url.host).map(summary), taker: end.taker,
            takerName: end.name, reason: end.reason)
    }

    /// As a continuation would, regardless of the steps.
    private func outcome(
        ofPageOf host: WebHost?
    ) throws(Failure) -> (taker: WebTaker, name: DisplayText, reason: String) {
        let resolution = launching.resolve(pageOf: host, wish: Resolution.Wish())
        switch resolution.target {
        case .app(let bundle): return (.app(bundle), resolution.targetName, resolution.reason)
        case .webPage, .script:
            let name = resolution.targetName
            return (.browser, name.isEmpty ? DisplayText(cleaning: "the default browser") : name, resolution.reason)
        case .nothing(let why): throw Failure(.notAllowed, why)
        }
    }
}

private struct EntryChecks {
    private typealias Finding = (counts: Bool, reason: String, steps: [String])

    private let app: InstalledApp
    private let isTrusted: Bool
    private let links: WebLinksService
    private let url: WebURL
    private let domains: AssociatedDomains

    init(_ app: InstalledApp, isTrusted: Bool, by links: WebLinksService, _ url: WebURL) {
        self.app = app
        self.isTrusted = isTrusted
        self.links = links
        self.url = url
        domains = AssociatedDomains(entries: app.associatedDomains)
    }

    var claims: [CheckedClaim] {
        app.associatedDomains.compactMap { entry in
            finding(of: entry).map { finding in
                CheckedClaim(
                    app: app.bundle, appName: app.name,
                    entry: DisplayText(cleaning: entry, limit: Limits.nameCharacters * 2).text, counts: finding.counts,
                    reason: DisplayText(cleaning: finding.reason, limit: Limits.reasonCharacters).text,
                    steps: finding.steps)
            }
        }
    }

    private func finding(of entry: String) -> Finding? {
        let claim: AssociatedDomain
        do throws(DomainRejection) {
            claim = try AssociatedDomain(entry: entry)
        } catch {
            // Its author meant this host or a similar host.
            return mentions(entry) ? (false, "it is not a claim: \(error)", []) : nil
        }
        guard isNear(claim.host) else { return nil }
        if let obstacle = obstacle(to: claim) { return (false, obstacle, []) }
        guard claim.service == .activityContinuation else { return otherService(claim) }
        if let speaking = domains.claim(for: url.host, service: claim.service, modes: links.modes), speaking != claim {
            return (false, "another entry is used for this host: \(speaking)", [])
        }
        return siteFinding(claim)
    }

    // MARK: The claim

    private func isNear(_ host: WebHost) -> Bool {
        host == url.host || url.host.isBelow(host) || host.isBelow(url.host)
    }

    private func mentions(_ entry: String) -> Bool {
        let entry = entry.lowercased()
        var name = url.host.name[...]
        // Except the top-level domain.
        while name.contains(".") {
            if entry.contains(name) { return true }
            name = name.drop { $0 != "." }.dropFirst()
        }
        return false
    }

    private func obstacle(to claim: AssociatedDomain) -> String? {
        guard isTrusted else {
            return "the team of \(app.name) is not trusted on this device"
        }
        if let surplus = domains.rejections.first(where: { $0.code == .tooManyDomains }) { return "\(surplus)" }
        guard claim.covers(url.host) else {
            if claim.isWildcard, claim.host == url.host {
                return "the star matches hosts below \(claim.host), but not \(claim.host) itself"
            }
            return "it is for \(claim.isWildcard ? "hosts below \(claim.host)" : "\(claim.host) alone")"
        }
        switch claim.modes.subtracting(links.modes).min() {
        case .developer?: return "it applies only in developer mode, which is off here (--web-developer)"
        case .managed?:
            return "it applies only on managed devices, and no administrator has declared this device managed"
        case nil: return nil
        }
    }

    /// For app links, also explains the site's file, which does not affect the result.
    private func otherService(_ claim: AssociatedDomain) -> Finding {
        let reason = "\(claim.service) is not about Handoff; that is \(AssociationService.activityContinuation)"
        guard claim.service == .appLinks, let explanation = explanation(by: claim) else { return (false, reason, []) }
        return (false, "\(reason). For links the site says \(explanation.verdict)", steps(of: explanation))
    }

    // MARK: The site

    private func siteFinding(_ claim: AssociatedDomain) -> Finding {
        let site = claim.site
        switch links.standing(of: site) {
        case .unclaimed, .unknown: return (false, "\(site.host) was not asked yet", [])
        case .surplus:
            return (false, "more sites are claimed than Handoff asks, and \(site.host) is beyond that limit", [])
        case .unreachable(let failure, _): return (false, "\(site.host) could not be asked: \(failure)", [])
        case .refused(let wellKnown, let root, _):
            return (
                false,
                wellKnown.reason == root.reason
                    ? "\(site.host) has no valid file: \(wellKnown)"
                    : "\(site.host) has no valid file: \(wellKnown); and at the root: \(root)", []
            )
        case .answered: return fileFinding(claim, note: "")
        case .kept(_, let failure, _):
            return fileFinding(claim, note: ", by its last answer: it could not be asked again, because \(failure)")
        }
    }

    private func fileFinding(_ claim: AssociatedDomain, note: String) -> Finding {
        guard let explanation = explanation(by: claim) else {
            return (false, "the file of \(claim.host) cannot be read", [])
        }
        switch explanation.verdict {
        case .approved(let match):
            return (true, "\(claim.host) lists the app (\(match.place))\(note)", steps(of: explanation))
        case .refused(let refusal): return (false, "\(claim.host): \(refusal)\(note)", steps(of: explanation))
        }
    }

    private func explanation(by claim: AssociatedDomain) -> AssociationExplanation? {
        guard let developer = app.developer else { return nil }
        return links.content(of: claim.site)?.explanation(
            for: AppIdentifier(team: developer.id, bundle: app.bundle), service: claim.service, url: url)
    }

    private func steps(of explanation: AssociationExplanation) -> [String] {
        explanation.steps.map { DisplayText(cleaning: "\($0)", limit: Limits.reasonCharacters).text }
            + (explanation.stepsLeftOut > 0 ? ["and \(explanation.stepsLeftOut) more"] : [])
    }
}
