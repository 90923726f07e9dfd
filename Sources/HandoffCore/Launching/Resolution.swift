// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// What a continuation of an offer does on this device: an app, else the web page, else, within the personal team, the
/// script that asks for it; else nothing, and why.
package enum Resolution {
    /// `only` asks for one app, which has to be allowed like any other.
    package static func target(
        of offer: Offer, among candidates: [AppCandidate], only bundle: BundleID?, personalTeam: Team?
    ) -> ListedActivity.Target {
        if let bundle { return target(of: offer, in: bundle, candidates) }
        if let best = AppChoice.ranked(candidates, for: offer).first { return .app(best.app.bundle) }
        if offer.hasWebPage { return .webPage }
        if let personalTeam, offer.team == personalTeam { return .script }
        return .nothing(reason(offer, candidates))
    }

    private static func target(
        of offer: Offer, in bundle: BundleID, _ candidates: [AppCandidate]
    ) -> ListedActivity.Target {
        guard let candidate = candidates.first(where: { $0.app.bundle == bundle }) else {
            return .nothing("\(bundle) is not installed")
        }
        let name = candidate.app.name
        switch candidate.fit(offer) {
        case .namesTitle, .takesType: return .app(bundle)
        case .typeNotDeclared: return .nothing("\(name) does not declare this activity type")
        case .otherTitles: return .nothing("\(name) takes this activity type with other titles only")
        case .switchedOff(let obstacle): return .nothing(obstacle.reason)
        case .otherTeam: return .nothing(otherTeam(candidate, offer))
        case .teamNotTrusted: return .nothing(notTrusted(candidate, offer))
        }
    }

    /// The nearest miss says most.
    private static func reason(_ offer: Offer, _ candidates: [AppCandidate]) -> String {
        let byName = candidates.sorted { ($0.app.name.text, $0.app.bundle) < ($1.app.name.text, $1.app.bundle) }
        if let near = byName.first(where: { $0.fit(offer) == .otherTitles }) {
            return "\(near.app.name) takes this activity type with other titles only"
        }
        if let obstacle = byName.lazy.compactMap({ $0.switchedOff(for: offer) }).first { return obstacle.reason }
        if let near = byName.first(where: { $0.fit(offer) == .teamNotTrusted }) { return notTrusted(near, offer) }
        if let near = byName.first(where: { $0.fit(offer) == .otherTeam }) { return otherTeam(near, offer) }
        return byName.contains { $0.team == offer.team }
            ? "no app of \(offer.team.phrase) that is installed takes this activity type"
            : "no app of \(offer.team.phrase) is installed"
    }

    private static func otherTeam(_ candidate: AppCandidate, _ offer: Offer) -> String {
        let misses = "\(candidate.app.name) takes this activity type but is of"
        guard let theirs = candidate.team else { return "\(misses) no team, as this device has no account" }
        if let twins = twins(theirs, offer.team) {
            return "\(misses) another team that calls itself \(twins) too, with another key"
        }
        return "\(misses) \(theirs.phrase), not of \(offer.team.phrase)"
    }

    private static func notTrusted(_ candidate: AppCandidate, _ offer: Offer) -> String {
        "\(candidate.app.name) takes this activity type, but \(offer.team.phrase) is not trusted on this device"
    }

    /// The Team ID that two teams of different keys have in common.
    private static func twins(_ left: Team, _ right: Team) -> TeamID? {
        guard case .developer(let left) = left, case .developer(let right) = right, left.id == right.id else {
            return nil
        }
        return left.id
    }
}

extension AppCandidate {
    fileprivate func switchedOff(for offer: Offer) -> PolicySwitch? {
        guard case .switchedOff(let obstacle) = fit(offer) else { return nil }
        return obstacle
    }
}

extension Team {
    fileprivate var phrase: String {
        switch self {
        case .personal: "the personal team"
        case .developer(let team): "team \(team.id)"
        }
    }
}
