// SPDX-License-Identifier: Apache-2.0

/// `Contents/Info.plist`: Apple's keys, and one of ours.
struct InfoPropertyList: Decodable {
    let identifier: String
    let executable: String
    let name: String?
    let displayName: String?
    let version: String?
    let activityTypes: [String]?
    let documentTypes: [DocumentType]?
    /// Ours: a type that this app wants only with one of these titles.
    let activityTitles: [String: [String]]?

    /// The keys of a document type that concern activities.
    struct DocumentType: Decodable {
        let activityType: String?

        enum CodingKeys: String, CodingKey {
            case activityType = "NSUbiquitousDocumentUserActivityType"
        }
    }

    enum CodingKeys: String, CodingKey {
        case identifier = "CFBundleIdentifier"
        case executable = "CFBundleExecutable"
        case name = "CFBundleName"
        case displayName = "CFBundleDisplayName"
        case version = "CFBundleShortVersionString"
        case activityTypes = "NSUserActivityTypes"
        case documentTypes = "CFBundleDocumentTypes"
        case activityTitles = "HandoffActivityTitles"
    }
}

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
