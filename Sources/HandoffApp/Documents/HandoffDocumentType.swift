// SPDX-License-Identifier: Apache-2.0

internal import HandoffClient
internal import HandoffWire

/// A type of document that the app opens: an entry of `CFBundleDocumentTypes` in its `Info.plist`.
public struct HandoffDocumentType: Sendable, Hashable {
    /// `CFBundleTypeName`.
    public var name: String
    /// `CFBundleTypeExtensions`: file name extensions without the dot; `*` for all.
    public var extensions: Set<String>
    /// `NSUbiquitousDocumentUserActivityType`: the type of the activity that such a document has automatically while it
    /// is in a folder that the user's devices share. It need not be listed in `NSUserActivityTypes`.
    public var userActivityType: String?
    /// `NSDocumentClass`: the class, `Module.Class`, that is instantiated if the app registers no other way. It must
    /// inherit from ``NSDocument``.
    public var documentClassName: String?

    /// `name` is also the type name for `NSDocumentController.register(forType:make:)`.
    public init(
        name: String, extensions: Set<String>, userActivityType: String? = nil, documentClassName: String? = nil
    ) {
        self.name = name
        self.extensions = extensions
        self.userActivityType = userActivityType
        self.documentClassName = documentClassName
    }

    /// The types in this app's `Info.plist`, in order; empty for a program outside a bundle.
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
