// SPDX-License-Identifier: Apache-2.0

package import Foundation
internal import Glibc
internal import HandoffSystem
package import HandoffWire

/// Independent of a URL's spelling and of links. Compared by bytes, because names equal in Swift may be different
/// files.
package struct FilePlace: Hashable, Sendable {
    package let path: AbsolutePath

    /// Nil if the URL is not a local file.
    package init?(_ url: URL) {
        guard url.isFileURL, let path = try? FileURL(url.absoluteURL.absoluteString).path else { return nil }
        self.init(path)
    }

    /// Locates a missing file in the folder where it would be created.
    package init(_ path: AbsolutePath) {
        // A name in another encoding is not a valid String; its path is kept unresolved.
        guard let text = String(validating: path.bytes, as: UTF8.self), let resolved = try? AbsolutePath(text.resolved)
        else {
            self.path = path
            return
        }
        self.path = resolved
    }

    package var text: String { path.text }
    /// Empty for the root.
    package var name: ArraySlice<UInt8> { path.bytes.split(separator: UInt8(ascii: "/")).last ?? [] }
    var isReadable: Bool { access(text, R_OK) == 0 }
    package var isFolder: Bool { FileStamp(path: text)?.isFolder ?? false }
    package var url: URL { URL(filePath: text, directoryHint: isFolder ? .isDirectory : .notDirectory) }
    package var folder: FilePlace? { (try? AbsolutePath(text.parent)).map(FilePlace.init) }

    /// Also true for the folder itself.
    package func isWithin(_ folder: FilePlace) -> Bool { self == folder || path.path(in: folder.path) != nil }

    /// This place after `old`, itself or a folder around it, moved to `new`. Nil if unaffected.
    func moved(from old: FilePlace, to new: FilePlace) -> FilePlace? {
        if self == old { return new }
        guard let rest = path.path(in: old.path), let path = try? new.path.appending(rest) else { return nil }
        return FilePlace(path)
    }
}

extension String {
    /// Resolves links in the existing components only.
    fileprivate var resolved: String {
        var existing = self
        var missing: [String] = []
        while true {
            if let found = existing.followingLinks {
                return missing.isEmpty ? found : (found == "/" ? "" : found) + "/" + missing.joined(separator: "/")
            }
            let name = String(existing.split(separator: "/").last ?? "")
            existing = existing.parent
            guard !existing.isEmpty else { return self }
            switch name {
            case ".": break
            case "..": existing = existing.parent
            default: missing.insert(name, at: 0)
            }
        }
    }
}
