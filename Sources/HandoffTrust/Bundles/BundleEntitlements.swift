// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// What a bundle claims to be allowed. Only what stands in a signed manifest counts.
package struct BundleEntitlements: Hashable, Sendable {
    /// `com.apple.developer.team-identifier`. Where it is given it is the signer's.
    package let team: TeamID?
    /// `com.apple.developer.associated-domains`, such as `activitycontinuation:example.com`.
    package let associatedDomains: [String]
    /// `com.apple.developer.ubiquity-container-identifiers`, and with them those of
    /// `com.apple.developer.icloud-container-identifiers`, which a manifest does not tell apart.
    package let ubiquityContainers: [String]

    package static let none = BundleEntitlements(unchecked: nil, domains: [], containers: [])

    private init(unchecked team: TeamID?, domains: [String], containers: [String]) {
        self.team = team
        associatedDomains = domains
        ubiquityContainers = containers
    }

    /// Values are sorted; one that is there twice counts once.
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

    /// Which containers an app wants, and nothing else: all that counts where nobody signed it.
    package var containersAlone: BundleEntitlements {
        BundleEntitlements(unchecked: nil, domains: [], containers: ubiquityContainers)
    }

    package enum Key: String, CaseIterable, Sendable {
        case associatedDomains = "com.apple.developer.associated-domains"
        case team = "com.apple.developer.team-identifier"
        case ubiquityContainers = "com.apple.developer.ubiquity-container-identifiers"
    }

    /// In the order of the manifest: by key, then by value.
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
