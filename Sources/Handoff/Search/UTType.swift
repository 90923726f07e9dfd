// SPDX-License-Identifier: Apache-2.0

/// A content type with a uniform type identifier, for example for `CSSearchableItemAttributeSet(contentType:)`.
///
/// This system has no registry of types: only the types declared here conform to each other, and files have no type.
public struct UTType: Hashable, Sendable, Codable, CustomStringConvertible {
    /// For example `public.text`.
    public let identifier: String

    /// Nil for an empty identifier; on Apple's systems also if no app declares the type.
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

// MARK: - Declared types

extension UTType {
    /// Any item of a list: a file, a message, a person.
    public static let item = UTType(importedAs: "public.item")
    /// Anything with its own content.
    public static let content = UTType(importedAs: "public.content")
    /// Content of several kinds, such as text and images.
    public static let compositeContent = UTType(importedAs: "public.composite-content")
    public static let data = UTType(importedAs: "public.data")
    public static let text = UTType(importedAs: "public.text")
    public static let plainText = UTType(importedAs: "public.plain-text")
    public static let utf8PlainText = UTType(importedAs: "public.utf8-plain-text")
    public static let rtf = UTType(importedAs: "public.rtf")
    public static let html = UTType(importedAs: "public.html")
    public static let xml = UTType(importedAs: "public.xml")
    public static let json = UTType(importedAs: "public.json")
    public static let pdf = UTType(importedAs: "com.adobe.pdf")
    public static let image = UTType(importedAs: "public.image")
    public static let jpeg = UTType(importedAs: "public.jpeg")
    public static let png = UTType(importedAs: "public.png")
    public static let gif = UTType(importedAs: "com.compuserve.gif")
    public static let audiovisualContent = UTType(importedAs: "public.audiovisual-content")
    public static let audio = UTType(importedAs: "public.audio")
    public static let movie = UTType(importedAs: "public.movie")
    public static let url = UTType(importedAs: "public.url")
    public static let fileURL = UTType(importedAs: "public.file-url")
    public static let contact = UTType(importedAs: "public.contact")
    public static let message = UTType(importedAs: "public.message")
    public static let emailMessage = UTType(importedAs: "public.email-message")
    public static let bookmark = UTType(importedAs: "public.bookmark")
    public static let calendarEvent = UTType(importedAs: "public.calendar-event")
    public static let toDoItem = UTType(importedAs: "public.to-do-item")
    public static let directory = UTType(importedAs: "public.directory")
    public static let folder = UTType(importedAs: "public.folder")

    /// Whether values of this type also have the other. True for the same type; false if either is not declared here.
    public func conforms(to type: UTType) -> Bool {
        self == type || (Self.parents[identifier] ?? []).contains { UTType(importedAs: $0).conforms(to: type) }
    }

    private static let parents: [String: [String]] = [
        "public.composite-content": ["public.content"],
        "public.data": ["public.item"],
        "public.text": ["public.data", "public.content"],
        "public.plain-text": ["public.text"],
        "public.utf8-plain-text": ["public.plain-text"],
        "public.rtf": ["public.text"],
        "public.html": ["public.text"],
        "public.xml": ["public.text"],
        "public.json": ["public.text"],
        "com.adobe.pdf": ["public.data", "public.composite-content"],
        "public.image": ["public.data", "public.content"],
        "public.jpeg": ["public.image"],
        "public.png": ["public.image"],
        "com.compuserve.gif": ["public.image"],
        "public.audiovisual-content": ["public.data", "public.content"],
        "public.audio": ["public.audiovisual-content"],
        "public.movie": ["public.audiovisual-content"],
        "public.url": ["public.data"],
        "public.file-url": ["public.url"],
        "public.email-message": ["public.data", "public.message"],
        "public.directory": ["public.item"],
        "public.folder": ["public.directory"],
    ]
}

// MARK: - Constants from before `UTType`

/// `public.item`.
public let kUTTypeItem = UTType.item.identifier
/// `public.content`.
public let kUTTypeContent = UTType.content.identifier
/// `public.composite-content`.
public let kUTTypeCompositeContent = UTType.compositeContent.identifier
/// `public.data`.
public let kUTTypeData = UTType.data.identifier
/// `public.text`.
public let kUTTypeText = UTType.text.identifier
/// `public.plain-text`.
public let kUTTypePlainText = UTType.plainText.identifier
/// `public.image`.
public let kUTTypeImage = UTType.image.identifier
/// `public.url`.
public let kUTTypeURL = UTType.url.identifier
/// `public.contact`.
public let kUTTypeContact = UTType.contact.identifier
/// `public.message`.
public let kUTTypeMessage = UTType.message.identifier
