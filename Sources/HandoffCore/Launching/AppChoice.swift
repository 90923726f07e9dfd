// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Which app goes on with an offer. Only one of the same team that declares the type, if that team is trusted here; an
/// app that lists titles for the type is a candidate for those alone.
package enum AppChoice {
    /// The candidates, best first: the one that lists the title; the origin's own; the running ones, used last first; the
    /// others, used last first; by name.
    package static func ranked(_ candidates: [AppCandidate], for offer: Offer) -> [AppCandidate] {
        candidates.filter { $0.fit(offer).isCandidate }.sorted { rank($0, offer) < rank($1, offer) }
    }

    private static func rank(_ candidate: AppCandidate, _ offer: Offer) -> Rank {
        Rank(
            preferences: [
                candidate.fit(offer) == .namesTitle ? 0 : 1,
                candidate.app.bundle == offer.bundle ? 0 : 1,
                candidate.isRunning ? 0 : 1,
                candidate.recency ?? .max,
            ],
            name: candidate.app.name.text, bundle: candidate.app.bundle)
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
