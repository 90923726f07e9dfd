// SPDX-License-Identifier: Apache-2.0

/// The keys of `Contents/Info.plist` that Handoff reads.
package struct InfoPropertyList: Decodable {
    package let identifier: String?
    package let executable: String?
    package let name: String?
    package let displayName: String?
    package let version: String?
    package let iconFile: String?
    package let activityTypes: [String]?
    package let documentTypes: [DocumentType]?
    /// Our own key: titles with which the app accepts a type.
    package let activityTitles: [String: [String]]?
    package let containers: [String: Container]?
    /// The app accepts documents before they are downloaded.
    package let downloadsContents: Flag?
    package let continuesSearches: Flag?
    package let exportedTypes: [TypeDeclaration]?
    package let importedTypes: [TypeDeclaration]?

    package struct Container: Decodable {
        package let name: String?

        package enum CodingKeys: String, CodingKey {
            case name = "NSUbiquitousContainerName"
        }
    }

    package struct DocumentType: Decodable {
        package let name: String?
        /// Without the dot.
        package let extensions: [String]?
        package let activityType: String?
        package let className: String?
        /// Documents are folders.
        package let isPackage: Flag?
        package let contentTypes: [String]?

        package enum CodingKeys: String, CodingKey {
            case name = "CFBundleTypeName"
            case extensions = "CFBundleTypeExtensions"
            case activityType = "NSUbiquitousDocumentUserActivityType"
            case className = "NSDocumentClass"
            case isPackage = "LSTypeIsPackage"
            case contentTypes = "LSItemContentTypes"
        }
    }

    package struct TypeDeclaration: Decodable {
        package let identifier: String?
        package let conformsTo: StringOrList?
        package let tags: Tags?

        package struct Tags: Decodable {
            package let extensions: StringOrList?

            enum CodingKeys: String, CodingKey {
                case extensions = "public.filename-extension"
            }
        }

        package enum CodingKeys: String, CodingKey {
            case identifier = "UTTypeIdentifier"
            case conformsTo = "UTTypeConformsTo"
            case tags = "UTTypeTagSpecification"
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
        case containers = "NSUbiquitousContainers"
        case downloadsContents = "NSDownloadsUbiquitousContents"
        case continuesSearches = "CoreSpotlightContinuation"
        case exportedTypes = "UTExportedTypeDeclarations"
        case importedTypes = "UTImportedTypeDeclarations"
    }

    package static func path(inBundle bundle: String) -> String { bundle + "/Contents/Info.plist" }
}

extension InfoPropertyList {
    /// A boolean, number or string. Others are false.
    package struct Flag: Decodable {
        package let isSet: Bool

        package init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let flag = try? value.decode(Bool.self) {
                isSet = flag
            } else if let number = try? value.decode(Int.self) {
                isSet = number != 0
            } else {
                isSet = ["1", "true", "yes"].contains((try? value.decode(String.self))?.lowercased())
            }
        }
    }

    package struct StringOrList: Decodable {
        package let all: [String]

        package init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let word = try? value.decode(String.self) {
                all = [word]
            } else {
                all = try value.decode([String].self)
            }
        }
    }
}
