// SPDX-License-Identifier: Apache-2.0

/// A kind of content by its uniform type identifier, as `CSSearchableItemAttributeSet(contentType:)` wants it.
///
/// The identifier is all there is: this system has no registry that would say which type conforms to which, or which
/// files are of it.
public struct UTType: Hashable, Sendable, Codable, CustomStringConvertible {
    /// Such as `public.text`.
    public let identifier: String

    /// Nil for an empty identifier. On Apple's systems also for one that no app declares.
    public init?(_ identifier: String) {
        guard !identifier.isEmpty else { return nil }
        self.identifier = identifier
    }

    /// A type that this app declares.
    public init(exportedAs identifier: String) { self.init(importedAs: identifier) }

    /// A type that another app declares.
    public init(importedAs identifier: String) { self.identifier = identifier }

    public var description: String { identifier }
}

extension UTType {
    /// Anything that can be shown in a list: files, messages, people.
    public static let item = UTType(importedAs: "public.item")
    /// Anything with content of its own.
    public static let content = UTType(importedAs: "public.content")
    public static let data = UTType(importedAs: "public.data")
    public static let text = UTType(importedAs: "public.text")
    public static let plainText = UTType(importedAs: "public.plain-text")
    public static let html = UTType(importedAs: "public.html")
    public static let xml = UTType(importedAs: "public.xml")
    public static let json = UTType(importedAs: "public.json")
    public static let pdf = UTType(importedAs: "com.adobe.pdf")
    public static let image = UTType(importedAs: "public.image")
    public static let jpeg = UTType(importedAs: "public.jpeg")
    public static let png = UTType(importedAs: "public.png")
    public static let gif = UTType(importedAs: "com.compuserve.gif")
    public static let audio = UTType(importedAs: "public.audio")
    public static let movie = UTType(importedAs: "public.movie")
    public static let url = UTType(importedAs: "public.url")
    public static let contact = UTType(importedAs: "public.contact")
    public static let message = UTType(importedAs: "public.message")
    public static let folder = UTType(importedAs: "public.folder")
}
