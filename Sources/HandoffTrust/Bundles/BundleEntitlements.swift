// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Only a signed manifest can grant them.
package struct BundleEntitlements: Hashable, Sendable {
    /// `com.apple.developer.team-identifier`, which must be the signer's.
    package let team: TeamID?
    package let associatedDomains: [String]
    /// Also `com.apple.developer.icloud-container-identifiers`.
    package let ubiquityContainers: [String]

    package static let none = BundleEntitlements(unchecked: nil, domains: [], containers: [])

    private init(unchecked team: TeamID?, domains: [String], containers: [String]) {
        self.team = team
        associatedDomains = domains
        ubiquityContainers = containers
    }

    /// Sorts and removes duplicates.
    package init(
        team: TeamID? = nil, associatedDomains: [String] = [], ubiquityContainers: [String] = []
    ) throws(ManifestRejection) {
        self.init(
            unchecked: team, domains: try Self.checked(associatedDomains, Key.associatedDomains),
            containers: try Self.checked(ubiquityContainers, Key.ubiquityContainers))
        guard pairs.count <= BundleLimits.entitlements else {
            throw ManifestRejection(
                .limitReached, "the entitlements have more than \(BundleLimits.entitlements) values")
        }
    }

    /// For an unsigned app.
    package var containersAlone: BundleEntitlements {
        BundleEntitlements(unchecked: nil, domains: [], containers: ubiquityContainers)
    }

    package enum Key: String, CaseIterable, Sendable {
        case associatedDomains = "com.apple.developer.associated-domains"
        case team = "com.apple.developer.team-identifier"
        case ubiquityContainers = "com.apple.developer.ubiquity-container-identifiers"
    }

    var pairs: [(key: Key, value: String)] {
        associatedDomains.map { (.associatedDomains, $0) } + (team.map { [(.team, $0.name)] } ?? [])
            + ubiquityContainers.map { (.ubiquityContainers, $0) }
    }

    private static func checked(_ values: [String], _ key: Key) throws(ManifestRejection) -> [String] {
        var sorted: [String] = []
        for value in values.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            guard !value.isEmpty, value.utf8.count <= BundleLimits.entitlementBytes,
                !value.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
            else {
                throw ManifestRejection(
                    .badEntitlement,
                    "a value of \(key.rawValue) is empty, longer than \(BundleLimits.entitlementBytes) bytes or has "
                        + "control characters")
            }
            if let last = sorted.last, last.utf8.elementsEqual(value.utf8) { continue }
            sorted.append(value)
        }
        return sorted
    }
}
