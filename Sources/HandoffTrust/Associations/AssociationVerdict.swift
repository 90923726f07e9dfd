// SPDX-License-Identifier: Apache-2.0

package enum AssociationVerdict: Hashable, Sendable, CustomStringConvertible {
    package struct Match: Hashable, Sendable, CustomStringConvertible {
        /// `applinks.details[0].components[2]`.
        package let place: String
        /// Safe to display: "path /buy/*".
        let pattern: String
        /// The site's own, safe to display.
        let comment: String?

        package var description: String {
            "\(place) (\(pattern)\(comment.map { ": \($0)" } ?? ""))"
        }
    }

    package enum Refusal: Hashable, Sendable {
        case serviceAbsent(AssociationService)
        case serviceUnusable(AssociationService, reason: String)
        case appNotListed(AssociationService)
        /// An entry for this or unreadable apps; no earlier entry matches.
        case entryUnusable(reason: String)
        case excluded(Match)
        case noMatch
        case tooCostly
    }

    case approved(Match)
    case refused(Refusal)

    package var isApproved: Bool {
        if case .approved = self { true } else { false }
    }

    package var description: String {
        switch self {
        case .approved(let match): "yes, by \(match)"
        case .refused(let refusal): "no: \(refusal)"
        }
    }
}

extension AssociationVerdict.Refusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .serviceAbsent(let service): "the file has no entry for \(service)"
        case .serviceUnusable(let service, let reason): "the file's entry for \(service) cannot be used: \(reason)"
        case .appNotListed(let service): "the file does not name the app under \(service)"
        case .entryUnusable(let reason): "an entry of the file cannot be used: \(reason)"
        case .excluded(let match): "\(match) excludes the address"
        case .noMatch: "no pattern in the file for the app matches the address"
        case .tooCostly:
            "the file's patterns need more than \(AssociationLimits.comparisons) comparisons for this address"
        }
    }
}

package struct AssociationExplanation: Hashable, Sendable {
    package struct Step: Hashable, Sendable, CustomStringConvertible {
        let place: String
        /// Safe to display.
        let finding: String

        package var description: String { "\(place): \(finding)" }
    }

    package let verdict: AssociationVerdict
    /// At most `AssociationLimits.steps`.
    package let steps: [Step]
    package let stepsLeftOut: Int
}
