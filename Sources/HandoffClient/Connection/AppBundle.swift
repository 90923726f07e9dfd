// SPDX-License-Identifier: Apache-2.0

internal import HandoffSystem
package import HandoffWire

/// `Name.app/Contents/Linux/<executable>` with `Contents/Info.plist`.
package struct AppBundle: Sendable, Hashable {
    package let path: String
    package let identifier: BundleID
    package let name: String
    /// In the folder `Contents/Resources`.
    package let iconFile: String?
    package let activityTypes: [String]
    package let documentTypes: [DocumentType]

    package struct DocumentType: Sendable, Hashable {
        package let name: String
        /// Without the dot.
        package let extensions: [String]
        /// `NSUbiquitousDocumentUserActivityType`.
        package let activityType: ActivityType?
        /// `NSDocumentClass`.
        package let className: String?
    }

    /// Nil outside bundles. Throws `.malformed` without a valid Info.plist.
    package static func containing(executable: String) throws(Failure) -> AppBundle? {
        let parts = executable.split(separator: "/", omittingEmptySubsequences: true)
        guard executable.hasPrefix("/"), parts.count >= 4, parts[parts.count - 2] == "Linux",
            parts[parts.count - 3] == "Contents", parts[parts.count - 4].hasSuffix(".app")
        else { return nil }
        let path = "/" + parts.dropLast(3).joined(separator: "/")
        let infoPath = InfoPropertyList.path(inBundle: path)
        let info: InfoPropertyList?
        do throws(PropertyListFile.Problem) {
            info = try PropertyListFile(path: infoPath).decode(InfoPropertyList.self)
        } catch {
            throw Failure(.malformed, error.reason)
        }
        guard let info else { throw Failure(.malformed, "\(infoPath) is missing") }
        guard let text = info.identifier else {
            throw Failure(.malformed, "\(infoPath) lacks the key \(InfoPropertyList.CodingKeys.identifier.rawValue)")
        }
        do throws(WireError) {
            let name = info.name ?? String(parts[parts.count - 4].dropLast(".app".count))
            return AppBundle(
                path: path, identifier: try BundleID(text), name: name, iconFile: info.iconFile,
                activityTypes: info.activityTypes ?? [],
                documentTypes: try (info.documentTypes ?? []).map { (document) throws(WireError) in
                    try DocumentType(document)
                })
        } catch {
            throw Failure(.malformed, "\(infoPath): \(error.reason)")
        }
    }
}

extension AppBundle.DocumentType {
    fileprivate init(_ declared: InfoPropertyList.DocumentType) throws(WireError) {
        name = declared.name ?? ""
        extensions = declared.extensions ?? []
        activityType = try declared.activityType.map { (name) throws(WireError) in try ActivityType(name) }
        className = declared.className
    }
}
