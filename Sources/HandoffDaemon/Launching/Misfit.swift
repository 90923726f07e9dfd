// SPDX-License-Identifier: Apache-2.0

import HandoffCore
internal import HandoffWire

enum Misfit {
    static func reason(_ fit: AppCandidate.Fit, _ candidate: AppCandidate, _ offer: Offer) -> String {
        let name = candidate.app.name
        return switch fit {
        case .namesTitle, .takesType, .approved, .showsPages: "\(name) could continue it"
        case .typeNotDeclared: notDeclared(candidate, offer)
        case .otherTitles: "\(name) supports this activity type, but only with other titles"
        case .switchedOff(let obstacle): obstacle.reason
        case .otherTeam: otherTeam(candidate, offer)
        case .teamNotTrusted: notTrusted(candidate, offer)
        }
    }

    /// The reason that belongs to the app that fits best, because it helps most.
    static func nearest(_ offer: Offer, _ candidates: [AppCandidate]) -> String {
        let byName = candidates.sorted { ($0.app.name.text, $0.app.bundle) < ($1.app.name.text, $1.app.bundle) }
        let misses = byName.map { (candidate: $0, fit: $0.fit(offer)) }
        func first(_ isMeant: (AppCandidate.Fit) -> Bool) -> String? {
            misses.first { isMeant($0.fit) }.map { reason($0.fit, $0.candidate, offer) }
        }
        if let near = first({ $0 == .otherTitles }) ?? first(\.isSwitchedOff) ?? first({ $0 == .teamNotTrusted })
            ?? first({ $0 == .otherTeam })
        {
            return near
        }
        if offer.isBrowsedPage {
            return offer.browsedHost.map { "no installed app is approved for \($0)" }
                ?? "no app handles such an address"
        }
        return byName.contains { $0.team == offer.team }
            ? "no installed app of \(offer.team.phrase) supports this activity type"
            : "no app of \(offer.team.phrase) is installed"
    }

    private static func notDeclared(_ candidate: AppCandidate, _ offer: Offer) -> String {
        guard offer.isBrowsedPage else { return "\(candidate.app.name) does not declare this activity type" }
        return offer.browsedHost.map { "\(candidate.app.name) is not approved for \($0), and is not a browser" }
            ?? "\(candidate.app.name) is not a browser, and no other app handles such an address"
    }

    private static func otherTeam(_ candidate: AppCandidate, _ offer: Offer) -> String {
        let misses = "\(candidate.app.name) supports this activity type but belongs to"
        guard let theirs = candidate.team else { return "\(misses) no team, because this device has no account" }
        if let twins = twins(theirs, offer.team) {
            return "\(misses) another team that also calls itself \(twins), with a different key"
        }
        return "\(misses) \(theirs.phrase), not of \(offer.team.phrase)"
    }

    private static func notTrusted(_ candidate: AppCandidate, _ offer: Offer) -> String {
        let theirs = candidate.team ?? offer.team
        return candidate.isApproved(for: offer)
            ? "\(candidate.app.name) is approved for this site, but \(theirs.phrase) is not trusted on this device"
            : "\(candidate.app.name) supports this activity type, but \(theirs.phrase) is not trusted on this device"
    }

    /// The Team ID that two teams with different keys share.
    private static func twins(_ left: Team, _ right: Team) -> TeamID? {
        guard case .developer(let left) = left, case .developer(let right) = right, left.id == right.id else {
            return nil
        }
        return left.id
    }
}

extension AppCandidate.Fit {
    fileprivate var isSwitchedOff: Bool {
        if case .switchedOff = self { true } else { false }
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
