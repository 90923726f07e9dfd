// SPDX-License-Identifier: Apache-2.0

/// `Contents/Entitlements.plist`: what the bundle claims of its developer and to be allowed. What is not under a
/// signature does not count.
struct EntitlementsPropertyList: Decodable {
    let team: String?
    let associatedDomains: [String]?
    let ubiquityContainers: [String]?

    enum CodingKeys: String, CodingKey {
        case team = "com.apple.developer.team-identifier"
        case associatedDomains = "com.apple.developer.associated-domains"
        case ubiquityContainers = "com.apple.developer.ubiquity-container-identifiers"
    }
}
