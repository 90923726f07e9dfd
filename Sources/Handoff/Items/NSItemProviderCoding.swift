// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// An object that an item provider can write as bytes.
///
/// Any class may conform; on Apple's systems it derives from NSObject.
public protocol NSItemProviderWriting: AnyObject {
    /// The types for objects of the class, the most faithful first.
    static var writableTypeIdentifiersForItemProvider: [String] { get }
    /// The types for this object. By default, the class's.
    var writableTypeIdentifiersForItemProvider: [String] { get }
    /// Calls `completionHandler` once, on any thread, with the bytes or an error. Called on any thread.
    func loadData(
        withTypeIdentifier typeIdentifier: String,
        forItemProviderCompletionHandler completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) -> Progress?
}

extension NSItemProviderWriting {
    public var writableTypeIdentifiersForItemProvider: [String] { Self.writableTypeIdentifiersForItemProvider }
}

/// A class whose objects can be created from an item provider's bytes.
///
/// Any class may conform; on Apple's systems it derives from NSObject.
public protocol NSItemProviderReading: AnyObject {
    /// The readable types, the most faithful first.
    static var readableTypeIdentifiersForItemProvider: [String] { get }
    /// Creates an object from bytes of that type. They may be another program's; throw if they are unreadable.
    static func object(withItemProviderData data: Data, typeIdentifier: String) throws -> Self
}

// MARK: - Foundation types

extension NSString: NSItemProviderWriting, NSItemProviderReading {
    /// Text in UTF-8.
    public static var writableTypeIdentifiersForItemProvider: [String] { [UTType.utf8PlainText.identifier] }
    /// Text in UTF-8.
    public static var readableTypeIdentifiersForItemProvider: [String] {
        [UTType.utf8PlainText.identifier, UTType.plainText.identifier]
    }

    public func loadData(
        withTypeIdentifier typeIdentifier: String,
        forItemProviderCompletionHandler completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) -> Progress? {
        completionHandler(Data(String(describing: self).utf8), nil)
        return nil
    }

    /// Throws `CocoaError.coderReadCorrupt` if the bytes are not UTF-8.
    public static func object(withItemProviderData data: Data, typeIdentifier: String) throws -> Self {
        guard let text = String(validating: data, as: UTF8.self) else {
            throw CocoaError.unreadable("the text is not in UTF-8")
        }
        return try NSItemProvider.cast(NSString(string: text))
    }
}

extension NSURL: NSItemProviderWriting, NSItemProviderReading {
    /// The URL's text in UTF-8.
    public static var writableTypeIdentifiersForItemProvider: [String] {
        [UTType.fileURL.identifier, UTType.url.identifier]
    }
    /// Only a file's URL can be written as `public.file-url`.
    public var writableTypeIdentifiersForItemProvider: [String] {
        isFileURL ? Self.writableTypeIdentifiersForItemProvider : [UTType.url.identifier]
    }
    /// The URL's text in UTF-8.
    public static var readableTypeIdentifiersForItemProvider: [String] {
        [UTType.fileURL.identifier, UTType.url.identifier]
    }

    public func loadData(
        withTypeIdentifier typeIdentifier: String,
        forItemProviderCompletionHandler completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) -> Progress? {
        completionHandler(Data(absoluteString.utf8), nil)
        return nil
    }

    /// Throws `CocoaError.coderReadCorrupt` if the bytes are not a URL.
    public static func object(withItemProviderData data: Data, typeIdentifier: String) throws -> Self {
        guard let text = String(validating: data, as: UTF8.self), !text.isEmpty, let url = NSURL(string: text) else {
            throw CocoaError.unreadable("it is not a URL")
        }
        return try NSItemProvider.cast(url)
    }
}

extension CocoaError {
    static func unreadable(_ reason: String) -> CocoaError {
        CocoaError(
            .coderReadCorrupt,
            userInfo: [
                NSLocalizedDescriptionKey: "The item cannot be read: \(reason).",
                NSLocalizedFailureReasonErrorKey: reason,
            ])
    }
}
