// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import Glibc
package import HandoffWire

/// The bundle that an executable lies in: `Name.app/Contents/Linux/<executable>` beside `Contents/Info.plist`.
package struct AppBundle: Sendable, Hashable {
    /// Of the folder `Name.app`.
    package let path: String
    package let identifier: BundleID
    package let name: String
    /// `NSUserActivityTypes`.
    package let activityTypes: [String]
    /// `CFBundleDocumentTypes`.
    package let documentTypes: [DocumentType]

    /// A kind of document that the app opens.
    package struct DocumentType: Sendable, Hashable {
        package let name: String
        /// Without the dot.
        package let extensions: [String]
        /// `NSUbiquitousDocumentUserActivityType`.
        package let activityType: ActivityType?
        /// `NSDocumentClass`.
        package let className: String?
    }

    private struct InfoPlist: Decodable {
        var CFBundleIdentifier: String?
        var CFBundleName: String?
        var NSUserActivityTypes: [String]?
        var CFBundleDocumentTypes: [DocumentPlist]?
    }

    private struct DocumentPlist: Decodable {
        var CFBundleTypeName: String?
        var CFBundleTypeExtensions: [String]?
        var NSUbiquitousDocumentUserActivityType: String?
        var NSDocumentClass: String?

        func documentType() throws(WireError) -> DocumentType {
            DocumentType(
                name: CFBundleTypeName ?? "", extensions: CFBundleTypeExtensions ?? [],
                activityType: try NSUbiquitousDocumentUserActivityType.map { (name) throws(WireError) in
                    try ActivityType(name)
                }, className: NSDocumentClass)
        }
    }

    /// Nil for a program that is in no bundle. Throws `.malformed` for one whose Info.plist is missing or damaged.
    package static func containing(executable: String) throws(Failure) -> AppBundle? {
        let parts = executable.split(separator: "/", omittingEmptySubsequences: true)
        guard executable.hasPrefix("/"), parts.count >= 4, parts[parts.count - 2] == "Linux",
            parts[parts.count - 3] == "Contents", parts[parts.count - 4].hasSuffix(".app")
        else { return nil }
        let path = "/" + parts.dropLast(3).joined(separator: "/")
        let infoPath = path + "/Contents/Info.plist"
        guard let data = try? Data(contentsOf: URL(filePath: infoPath)) else {
            throw Failure(.malformed, "\(infoPath) cannot be read")
        }
        let info: InfoPlist
        do {
            info = try PropertyListDecoder().decode(InfoPlist.self, from: data)
        } catch {
            throw Failure(.malformed, "\(infoPath) is not a property list with the keys of an app")
        }
        guard let text = info.CFBundleIdentifier else {
            throw Failure(.malformed, "\(infoPath) has no CFBundleIdentifier")
        }
        do throws(WireError) {
            let name = info.CFBundleName ?? String(parts[parts.count - 4].dropLast(".app".count))
            return AppBundle(
                path: path, identifier: try BundleID(text), name: name, activityTypes: info.NSUserActivityTypes ?? [],
                documentTypes: try (info.CFBundleDocumentTypes ?? []).map { (document) throws(WireError) in
                    try document.documentType()
                })
        } catch {
            throw Failure(.malformed, "\(infoPath): \(error.reason)")
        }
    }
}
