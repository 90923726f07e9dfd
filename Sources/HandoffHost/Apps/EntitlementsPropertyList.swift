// SPDX-License-Identifier: Apache-2.0

/// `Contents/Entitlements.plist`: what the bundle claims of its developer and to be allowed. What is not under a
/// signature does not count.
struct EntitlementsPropertyList: Decodable {
    let team: String?
    let associatedDomains: [String]?
    let ubiquityContainers: [String]?
    /// The same, by its newer key.
    let cloudContainers: [String]?

    /// Each once, in the order in which they stand there; the first is the one that is meant where none is named.
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
