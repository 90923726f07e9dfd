// SPDX-License-Identifier: Apache-2.0

/// `Contents/Entitlements.plist`: the bundle's team and the entitlements that it requests. Valid only under a
/// signature.
struct EntitlementsPropertyList: Decodable {
    let team: String?
    let associatedDomains: [String]?
    let ubiquityContainers: [String]?
    /// The newer key for the same.
    let cloudContainers: [String]?

    /// Without duplicates, in their original order; the first is the default container.
    var containers: [String] {
        var seen: Set<[UInt8]> = []
        return ((ubiquityContainers ?? []) + (cloudContainers ?? [])).filter { seen.insert(Array($0.utf8)).inserted }
    }

    enum CodingKeys: String, CodingKey {
        case team = "com.apple.developer.team-identifier"
        case associatedDomains = "com.apple.developer.associated-domains"
        case ubiquityContainers = "com.apple.developer.ubiquity-container-identifiers"
        case cloudContainers = "com.apple.developer.icloud-container-identifiers"
    }
}
