// SPDX-License-Identifier: Apache-2.0

internal import HandoffClient
internal import HandoffWire

/// A document type that the app opens: an entry of `CFBundleDocumentTypes` in the `Info.plist`.
public struct HandoffDocumentType: Sendable, Hashable {
    /// `CFBundleTypeName`.
    public var name: String
    /// `CFBundleTypeExtensions`, without the dot; `*` for all.
    public var extensions: Set<String>
    /// `NSUbiquitousDocumentUserActivityType`: the automatic activity's type while the document is in a shared folder.
    /// Need not be listed in `NSUserActivityTypes`.
    public var userActivityType: String?
    /// `NSDocumentClass`, as `Module.Class`: a subclass of ``NSDocument``, used if nothing is registered.
    public var documentClassName: String?

    /// `name` is also the name for `NSDocumentController.register(forType:make:)`.
    public init(
        name: String, extensions: Set<String>, userActivityType: String? = nil, documentClassName: String? = nil
    ) {
        self.name = name
        self.extensions = extensions
        self.userActivityType = userActivityType
        self.documentClassName = documentClassName
    }

    /// The types in the `Info.plist`, in order; empty outside a bundle.
    public static var ofThisApp: [HandoffDocumentType] {
        (ThisProcess.current.bundle?.documentTypes ?? []).map { type in
            HandoffDocumentType(
                name: type.name, extensions: Set(type.extensions), userActivityType: type.activityType?.name,
                documentClassName: type.className)
        }
    }

    func fits(extension pathExtension: String) -> Bool {
        let wanted = pathExtension.lowercased()
        return extensions.contains { $0 == "*" || $0.lowercased() == wanted }
    }
}
