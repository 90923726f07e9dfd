// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import HandoffSystem
internal import HandoffWire

// Finds a file in later runs, even renamed in its folder. Foundation on Linux has no bookmarks.

extension NSURL {
    /// Options for creating a bookmark, without effect.
    public struct BookmarkCreationOptions: OptionSet, Sendable, Hashable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let minimalBookmark = Self(rawValue: 1 << 9)
        public static let suitableForBookmarkFile = Self(rawValue: 1 << 10)
        public static let withSecurityScope = Self(rawValue: 1 << 11)
        public static let securityScopeAllowOnlyReadAccess = Self(rawValue: 1 << 12)
        public static let withoutImplicitSecurityScope = Self(rawValue: 1 << 29)
    }

    /// Options for resolving a bookmark, without effect.
    public struct BookmarkResolutionOptions: OptionSet, Sendable, Hashable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let withoutUI = Self(rawValue: 1 << 8)
        public static let withoutMounting = Self(rawValue: 1 << 9)
        public static let withSecurityScope = Self(rawValue: 1 << 10)
        public static let withoutImplicitStartAccessing = Self(rawValue: 1 << 15)
    }
}

extension URL {
    public typealias BookmarkCreationOptions = NSURL.BookmarkCreationOptions
    public typealias BookmarkResolutionOptions = NSURL.BookmarkResolutionOptions

    /// Returns bytes for ``init(resolvingBookmarkData:options:relativeTo:bookmarkDataIsStale:)``. The parameters have
    /// no effect. Throws `CocoaError.fileReadNoSuchFile` without a file.
    public func bookmarkData(
        options: BookmarkCreationOptions = [], includingResourceValuesForKeys keys: Set<URLResourceKey>? = nil,
        relativeTo url: URL? = nil
    ) throws -> Data {
        guard isFileURL, let stamp = FileStamp(path: standardizedFileURL.path) else {
            throw CocoaError(.fileReadNoSuchFile, userInfo: [NSURLErrorKey: self])
        }
        let bookmark = Bookmark(
            path: standardizedFileURL.path, device: stamp.file.device, inode: stamp.file.inode,
            isFolder: stamp.isFolder)
        return try bookmark.data()
    }

    /// Resolves a bookmark to the file at its path, or else to the file under another name in its folder; replace the
    /// bookmark, which is then stale. Throws `CocoaError.fileNoSuchFile`, or `.fileReadCorruptFile` if the bytes are
    /// not a bookmark.
    public init(
        resolvingBookmarkData data: Data, options: BookmarkResolutionOptions = [], relativeTo url: URL? = nil,
        bookmarkDataIsStale: inout Bool
    ) throws {
        let bookmark = try Bookmark(data)
        guard let path = bookmark.foundPath else {
            throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: bookmark.path])
        }
        bookmarkDataIsStale = path != bookmark.path
        self.init(filePath: path, directoryHint: bookmark.isFolder ? .isDirectory : .notDirectory)
    }

    /// Saves a bookmark in a file.
    public static func writeBookmarkData(_ data: Data, to url: URL) throws {
        _ = try Bookmark(data)
        try data.write(to: url, options: .atomic)
    }

    /// Reads a bookmark from a file.
    public static func bookmarkData(withContentsOf url: URL) throws -> Data {
        let data = try Data(contentsOf: url)
        _ = try Bookmark(data)
        return data
    }
}

struct Bookmark: Codable, Hashable {
    /// Larger folders are not searched completely.
    static let searchedEntries = 10_000
    /// Larger data is not a bookmark.
    static let maximumBytes = 16 * 1024

    var path: String
    var device: UInt64
    var inode: UInt64
    var isFolder: Bool

    init(path: String, device: UInt64, inode: UInt64, isFolder: Bool) {
        self.path = path
        self.device = device
        self.inode = inode
        self.isFolder = isFolder
    }

    init(_ data: Data) throws(CocoaError) {
        guard data.count <= Self.maximumBytes,
            let bookmark = try? PropertyListDecoder().decode(Bookmark.self, from: data),
            (try? AbsolutePath(bookmark.path)) != nil
        else { throw CocoaError(.fileReadCorruptFile) }
        self = bookmark
    }

    func data() throws -> Data {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        return try encoder.encode(self)
    }

    /// Returns a file that has replaced the original under its name, as most programs save.
    var foundPath: String? {
        if FileStamp(path: path) != nil { return path }
        let file = FileStamp.File(device: device, inode: inode)
        guard let folder = try? OpenFile.open(path.parent, O_RDONLY | O_DIRECTORY),
            let names = try? folder.entries(atMost: Self.searchedEntries)
        else { return nil }
        let parent = path.parent == "/" ? "" : path.parent
        return names.map { parent + "/" + $0 }.first { FileStamp(path: $0)?.file == file }
    }
}
