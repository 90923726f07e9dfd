// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import HandoffSystem

extension NSFileCoordinator {
    /// How a file is read.
    public struct ReadingOptions: OptionSet, Sendable, Hashable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// As it is on disk: presenters are not asked to save.
        public static let withoutChanges = Self(rawValue: 1 << 0)
        /// The accessor gets the URL of what a symbolic link leads to.
        public static let resolvesSymbolicLink = Self(rawValue: 1 << 1)
        /// Nobody has to let go of the file, and it need not be here.
        public static let immediatelyAvailableMetadataOnly = Self(rawValue: 1 << 2)
        /// Without a difference: what is read is the file itself.
        public static let forUploading = Self(rawValue: 1 << 3)
    }

    /// How a file is written.
    public struct WritingOptions: OptionSet, Sendable, Hashable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// It is removed. Of a folder: with all that is in it.
        public static let forDeleting = Self(rawValue: 1 << 0)
        /// It is moved; `item(at:didMoveTo:)` says where to.
        public static let forMoving = Self(rawValue: 1 << 1)
        /// Presenters save first, for what they have is to be kept.
        public static let forMerging = Self(rawValue: 1 << 2)
        /// Another file takes its place.
        public static let forReplacing = Self(rawValue: 1 << 3)
        /// Nobody has to let go of the file.
        public static let contentIndependentMetadataOnly = Self(rawValue: 1 << 4)
    }
}

/// One file of several that are used together; ``NSFileCoordinator/coordinate(with:queue:byAccessor:)``.
//
// Unchecked because NSObject is not Sendable; the URL is behind a lock.
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

    /// To be used in the accessor: it may have moved while it was waited for.
    public var url: URL { location.withLock { $0 } }

    func begins(at url: URL) { location.withLock { $0 = url } }
}

/// What a caller wants to do with a file.
enum FileWish: Sendable, Hashable {
    case reading(URL, NSFileCoordinator.ReadingOptions)
    case writing(URL, NSFileCoordinator.WritingOptions)

    var url: URL {
        switch self {
        case .reading(let url, _), .writing(let url, _): url
        }
    }

    var place: FilePlace? { FilePlace(url) }

    /// It has to be here first.
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

    /// As the caller spelled it, unless it is elsewhere by now.
    func url(at place: FilePlace) -> URL {
        if case .reading(_, let options) = self, options.contains(.resolvesSymbolicLink) { return place.url }
        return self.place == place ? url : place.url
    }
}
