// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What an item provider can hand over as bytes.
///
/// Any class will do; on Apple's systems it derives from NSObject.
public protocol NSItemProviderWriting: AnyObject {
    /// The types that objects of the class can be written as, the one that says most first.
    static var writableTypeIdentifiersForItemProvider: [String] { get }
    /// Those that this very object can be written as. Without it, those of its class.
    var writableTypeIdentifiersForItemProvider: [String] { get }
    /// Calls `completionHandler` once, on any thread, with the bytes or with an error. Called on any thread.
    func loadData(
        withTypeIdentifier typeIdentifier: String,
        forItemProviderCompletionHandler completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) -> Progress?
}

extension NSItemProviderWriting {
    public var writableTypeIdentifiersForItemProvider: [String] { Self.writableTypeIdentifiersForItemProvider }
}

/// What can be made of the bytes that an item provider has.
///
/// Any class will do; on Apple's systems it derives from NSObject.
public protocol NSItemProviderReading: AnyObject {
    /// The types that objects can be read from, the one that says most first.
    static var readableTypeIdentifiersForItemProvider: [String] { get }
    /// An object made of bytes of that type. They may be another program's: throws for what cannot be read.
    static func object(withItemProviderData data: Data, typeIdentifier: String) throws -> Self
}

// MARK: - Foundation's

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

    /// Throws `CocoaError.coderReadCorrupt` for bytes that are no UTF-8.
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
    /// One of a file alone can be written as `public.file-url`.
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

    /// Throws `CocoaError.coderReadCorrupt` for bytes that are no URL.
    public static func object(withItemProviderData data: Data, typeIdentifier: String) throws -> Self {
        guard let text = String(validating: data, as: UTF8.self), !text.isEmpty, let url = NSURL(string: text) else {
            throw CocoaError.unreadable("it is no URL")
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
