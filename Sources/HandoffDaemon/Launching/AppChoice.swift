// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// Chooses the app that continues an offer. Candidates belong to the same team and declare the type, or are approved by
/// the page's site. Their team must be trusted here. An app that lists titles for the type is a candidate for those
/// titles only.
enum AppChoice {
    /// The candidates, best first: the site's apps by recency, the app that lists the title, the origin's app, running
    /// apps by recency, other apps by recency, then by name.
    static func ranked(_ candidates: [AppCandidate], for offer: Offer) -> [AppCandidate] {
        candidates.filter { $0.fit(offer).isCandidate }.sorted { rank($0, offer) < rank($1, offer) }
    }

    /// Running apps of any team that show web pages, by recency, then by name.
    static func runningBrowsers(_ candidates: [AppCandidate], for offer: Offer) -> [AppCandidate] {
        candidates.filter { $0.isRunning && $0.fit(offer) == .showsPages }.sorted { rank($0, offer) < rank($1, offer) }
    }

    private static func rank(_ candidate: AppCandidate, _ offer: Offer) -> Rank {
        Rank(
            preferences: preferences(candidate, candidate.fit(offer), offer), name: candidate.app.name.text,
            bundle: candidate.app.bundle)
    }

    private static func preferences(_ candidate: AppCandidate, _ fit: AppCandidate.Fit, _ offer: Offer) -> [Int] {
        let recency = candidate.recency ?? .max
        guard fit != .approved else { return [0, recency] }
        return [
            1, fit == .namesTitle ? 0 : 1, candidate.app.bundle == offer.bundle ? 0 : 1, candidate.isRunning ? 0 : 1,
            recency,
        ]
    }

    private struct Rank: Comparable {
        let preferences: [Int]
        let name: String
        /// Two apps may be equal in everything else.
        let bundle: BundleID

        static func < (left: Rank, right: Rank) -> Bool {
            if left.preferences != right.preferences {
                return left.preferences.lexicographicallyPrecedes(right.preferences)
            }
            return (left.name, left.bundle) < (right.name, right.bundle)
        }
    }
}
