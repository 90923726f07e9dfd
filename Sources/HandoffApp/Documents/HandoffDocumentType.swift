// SPDX-License-Identifier: Apache-2.0

internal import HandoffClient
internal import HandoffWire

/// A kind of document that the app opens: an entry of `CFBundleDocumentTypes` in its `Info.plist`.
public struct HandoffDocumentType: Sendable, Hashable {
    /// `CFBundleTypeName`.
    public var name: String
    /// `CFBundleTypeExtensions`: of files, without the dot; `*` for all.
    public var extensions: Set<String>
    /// `NSUbiquitousDocumentUserActivityType`: the type of the activity that such a document has by itself while it lies in
    /// a folder that the user's devices share. It need not be listed in `NSUserActivityTypes` too.
    public var userActivityType: String?
    /// `NSDocumentClass`: the class, `Module.Class`, of which such a document is made where the app does not register how.
    /// It inherits from ``NSDocument``.
    public var documentClassName: String?

    /// A type whose name is what `NSDocumentController.register(forType:make:)` takes.
    public init(
        name: String, extensions: Set<String>, userActivityType: String? = nil, documentClassName: String? = nil
    ) {
        self.name = name
        self.extensions = extensions
        self.userActivityType = userActivityType
        self.documentClassName = documentClassName
    }

    /// Those of this app's `Info.plist`, in its order; none for a program that is in no bundle.
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
