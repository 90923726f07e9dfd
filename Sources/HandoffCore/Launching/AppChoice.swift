// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Which app continues an offer. Only one of the same team that declares the type, or the app of the site whose page it
/// is, if its team is trusted here; an app that lists titles for the type is a candidate for those alone.
package enum AppChoice {
    /// The candidates, best first: the site's own, used last first; the one that lists the title; the origin's own; the
    /// running ones, used last first; the others, used last first; by name.
    package static func ranked(_ candidates: [AppCandidate], for offer: Offer) -> [AppCandidate] {
        candidates.filter { $0.fit(offer).isCandidate }.sorted { rank($0, offer) < rank($1, offer) }
    }

    /// Apps of any team that show web pages, and run: used last first, by name.
    package static func runningBrowsers(_ candidates: [AppCandidate], for offer: Offer) -> [AppCandidate] {
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

    /// Lower is better; the first difference decides.
    private struct Rank: Comparable {
        let preferences: [Int]
        let name: String
        /// Two apps may share all the rest.
        let bundle: BundleID

        static func < (left: Rank, right: Rank) -> Bool {
            if left.preferences != right.preferences {
                return left.preferences.lexicographicallyPrecedes(right.preferences)
            }
            return (left.name, left.bundle) < (right.name, right.bundle)
        }
    }
}
