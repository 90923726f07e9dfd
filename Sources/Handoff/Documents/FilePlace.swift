// SPDX-License-Identifier: Apache-2.0

package import Foundation
internal import Glibc
internal import HandoffSystem
package import HandoffWire

/// Where a file lies: one file has one place, however its URL is spelled and by whatever links it is reached. Compared by
/// bytes, for two names that Swift calls equal may be two files.
package struct FilePlace: Hashable, Sendable {
    package let path: AbsolutePath

    /// Nil for what is no file of this machine.
    package init?(_ url: URL) {
        guard url.isFileURL, let path = try? FileURL(url.absoluteURL.absoluteString).path else { return nil }
        self.init(path)
    }

    /// What is not there yet lies in the folder that it would be made in.
    package init(_ path: AbsolutePath) {
        // A name in another encoding is no String; it is taken as it is.
        guard let text = String(validating: path.bytes, as: UTF8.self), let resolved = try? AbsolutePath(text.resolved)
        else {
            self.path = path
            return
        }
        self.path = resolved
    }

    package var text: String { path.text }
    /// The last part; empty of the root.
    package var name: ArraySlice<UInt8> { path.bytes.split(separator: UInt8(ascii: "/")).last ?? [] }
    var isReadable: Bool { access(text, R_OK) == 0 }
    package var isFolder: Bool { FileStamp(path: text)?.isFolder ?? false }
    package var url: URL { URL(filePath: text, directoryHint: isFolder ? .isDirectory : .notDirectory) }
    package var folder: FilePlace? { (try? AbsolutePath(text.parent)).map(FilePlace.init) }

    /// Whether it is that folder, or lies in it at any depth.
    package func isWithin(_ folder: FilePlace) -> Bool { self == folder || path.path(in: folder.path) != nil }

    /// Where this lies once what was at `old`, this itself or a folder around it, is at `new`. Nil: not touched by that.
    func moved(from old: FilePlace, to new: FilePlace) -> FilePlace? {
        if self == old { return new }
        guard let rest = path.path(in: old.path), let path = try? new.path.appending(rest) else { return nil }
        return FilePlace(path)
    }
}

extension String {
    /// As many of its parts as there are with all links followed, then the others.
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
