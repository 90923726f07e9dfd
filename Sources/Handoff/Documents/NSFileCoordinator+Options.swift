// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import HandoffSystem

extension NSFileCoordinator {
    /// Options for reading a file.
    public struct ReadingOptions: OptionSet, Sendable, Hashable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Presenters do not save first.
        public static let withoutChanges = Self(rawValue: 1 << 0)
        /// The accessor receives the URL of a symbolic link's target.
        public static let resolvesSymbolicLink = Self(rawValue: 1 << 1)
        /// Presenters keep the file, and its content need not be on this device.
        public static let immediatelyAvailableMetadataOnly = Self(rawValue: 1 << 2)
        /// Has no effect: the file itself is read.
        public static let forUploading = Self(rawValue: 1 << 3)
    }

    /// Options for writing a file.
    public struct WritingOptions: OptionSet, Sendable, Hashable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Deletes the item; a folder with its contents.
        public static let forDeleting = Self(rawValue: 1 << 0)
        /// Moves the item; `item(at:didMoveTo:)` reports the destination.
        public static let forMoving = Self(rawValue: 1 << 1)
        /// Presenters save first.
        public static let forMerging = Self(rawValue: 1 << 2)
        /// Another file replaces the item.
        public static let forReplacing = Self(rawValue: 1 << 3)
        /// Presenters keep the file.
        public static let contentIndependentMetadataOnly = Self(rawValue: 1 << 4)
    }
}

/// One of several files used together; see ``NSFileCoordinator/coordinate(with:queue:byAccessor:)``.
//
// Unchecked because NSObject is not Sendable; the URL is guarded by a lock.
public final class NSFileAccessIntent: NSObject, @unchecked Sendable {
    let wish: FileWish
    private let location: Lock<URL>

    init(_ wish: FileWish) {
        self.wish = wish
        location = Lock(wish.url)
    }

    public class func readingIntent(with url: URL, options: NSFileCoordinator.ReadingOptions = []) -> Self {
        self.init(.reading(url, options))
    }

    public class func writingIntent(with url: URL, options: NSFileCoordinator.WritingOptions = []) -> Self {
        self.init(.writing(url, options))
    }

    /// The URL to use in the accessor; the file may have moved.
    public var url: URL { location.withLock { $0 } }

    func begins(at url: URL) { location.withLock { $0 = url } }
}

enum FileWish: Sendable, Hashable {
    case reading(URL, NSFileCoordinator.ReadingOptions)
    case writing(URL, NSFileCoordinator.WritingOptions)

    var url: URL {
        switch self {
        case .reading(let url, _), .writing(let url, _): url
        }
    }

    var place: FilePlace? { FilePlace(url) }

    var waitsForContent: Bool {
        switch self {
        case .reading(_, let options): !options.contains(.immediatelyAvailableMetadataOnly)
        case .writing: false
        }
    }

    func part() throws(CocoaError) -> FileUse.Part {
        guard let place else { throw CocoaError(.fileReadUnsupportedScheme, userInfo: [NSURLErrorKey: url]) }
        let isOneDocument = place.isOneDocument
        switch self {
        case .reading(_, let options):
            let question: FileUse.Question =
                options.contains(.immediatelyAvailableMetadataOnly)
                ? .nothing : .letRead(saving: !options.contains(.withoutChanges))
            return FileUse.Part(
                access: FileAccess(place: place, isWriting: false, coversContents: isOneDocument), question: question)
        case .writing(_, let options):
            let isOfAll = !options.isDisjoint(with: [.forDeleting, .forMoving, .forReplacing])
            return FileUse.Part(
                access: FileAccess(place: place, isWriting: true, coversContents: isOneDocument || isOfAll),
                question: Self.question(options))
        }
    }

    private static func question(_ options: NSFileCoordinator.WritingOptions) -> FileUse.Question {
        if options.contains(.forDeleting) { return .letDelete }
        if options.contains(.contentIndependentMetadataOnly) { return .nothing }
        return .letWrite(saving: options.contains(.forMerging))
    }

    /// The caller's spelling, unless the file has moved.
    func url(at place: FilePlace) -> URL {
        if case .reading(_, let options) = self, options.contains(.resolvesSymbolicLink) { return place.url }
        return self.place == place ? url : place.url
    }
}
