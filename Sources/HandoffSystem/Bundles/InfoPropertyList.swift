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
    /// By their identifiers.
    package let containers: [String: Container]?
    /// The app takes documents that are not here yet, and asks for them itself.
    package let downloadsContents: Flag?
    package let exportedTypes: [TypeDeclaration]?
    package let importedTypes: [TypeDeclaration]?

    /// A folder that the app shares with itself on the user's other devices.
    package struct Container: Decodable {
        package let name: String?

        package enum CodingKeys: String, CodingKey {
            case name = "NSUbiquitousContainerName"
        }
    }

    /// A kind of document that the app opens.
    package struct DocumentType: Decodable {
        package let name: String?
        /// Without the dot.
        package let extensions: [String]?
        package let activityType: String?
        package let className: String?
        /// Its documents are folders.
        package let isPackage: Flag?
        /// Of types that are declared here or elsewhere.
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

    /// A type of content that the app brings along, or only knows of.
    package struct TypeDeclaration: Decodable {
        package let identifier: String?
        package let conformsTo: Words?
        package let tags: Tags?

        package struct Tags: Decodable {
            package let extensions: Words?

            package enum CodingKeys: String, CodingKey {
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
        case exportedTypes = "UTExportedTypeDeclarations"
        case importedTypes = "UTImportedTypeDeclarations"
    }

    /// Of the bundle `Name.app` at that path.
    package static func path(inBundle bundle: String) -> String { bundle + "/Contents/Info.plist" }
}

extension InfoPropertyList {
    /// Yes or no, as property lists have come to say it: a boolean, a number or a word. Anything else is no.
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

    /// One word, or an array of them.
    package struct Words: Decodable {
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
