// SPDX-License-Identifier: Apache-2.0

/// `Contents/Info.plist`, as far as anything here reads it: Apple's keys, and one of ours. Whoever needs a key says so.
package struct InfoPropertyList: Decodable {
    package let identifier: String?
    package let executable: String?
    package let name: String?
    package let displayName: String?
    package let version: String?
    package let iconFile: String?
    package let activityTypes: [String]?
    package let documentTypes: [DocumentType]?
    /// Ours: a type that this app wants only with one of these titles.
    package let activityTitles: [String: [String]]?

    /// A kind of document that the app opens.
    package struct DocumentType: Decodable {
        package let name: String?
        /// Without the dot.
        package let extensions: [String]?
        package let activityType: String?
        package let className: String?

        package enum CodingKeys: String, CodingKey {
            case name = "CFBundleTypeName"
            case extensions = "CFBundleTypeExtensions"
            case activityType = "NSUbiquitousDocumentUserActivityType"
            case className = "NSDocumentClass"
        }
    }

    package enum CodingKeys: String, CodingKey {
        case identifier = "CFBundleIdentifier"
        case executable = "CFBundleExecutable"
        case name = "CFBundleName"
        case displayName = "CFBundleDisplayName"
        case version = "CFBundleShortVersionString"
        case iconFile = "CFBundleIconFile"
        case activityTypes = "NSUserActivityTypes"
        case documentTypes = "CFBundleDocumentTypes"
        case activityTitles = "HandoffActivityTitles"
    }

    /// Of the bundle `Name.app` at that path.
    package static func path(inBundle bundle: String) -> String { bundle + "/Contents/Info.plist" }
}
