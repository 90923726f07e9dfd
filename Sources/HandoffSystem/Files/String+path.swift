// SPDX-License-Identifier: Apache-2.0

internal import Glibc

// Paths are compared by bytes, as the system does. Swift treats two spellings of é as equal, and a slash with a
// following combining accent as one character.
extension String {
    /// "/etc" for "/etc/handoff", "/" for "/etc"; empty without a slash.
    package var parent: String {
        guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return slash == startIndex ? "/" : String(self[..<slash])
    }

    package var lastPart: Substring {
        self[(utf8.lastIndex(of: UInt8(ascii: "/")).map { utf8.index(after: $0) } ?? startIndex)...]
    }

    /// The path relative to `folder`: "handoff/config" for "/etc/handoff/config" in "/etc". Nil if it is not inside.
    /// Does not follow links.
    package func path(in folder: String) -> String? {
        let prefix = folder.utf8.last == UInt8(ascii: "/") ? folder : folder + "/"
        guard utf8.starts(with: prefix.utf8) else { return nil }
        return String(decoding: utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    }

    /// Compares bytes: `==` also accepts other spellings.
    package func isSamePath(as other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }

    /// True for a broken link too.
    package var isThere: Bool {
        var status = stat()
        return lstat(self, &status) == 0
    }

    /// The path with all links resolved. On failure, returns nil and sets `errno`.
    package var followingLinks: String? {
        guard let resolved = realpath(self, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The literal target of the symbolic link at this path, or nil. `folder`: the descriptor for relative paths.
    package func linkTarget(in folder: CInt? = nil) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer -> String? in
            let length = readlinkat(folder ?? AT_FDCWD, self, buffer.baseAddress!, buffer.count)
            guard length > 0, length < buffer.count else { return nil }
            return String(decoding: UnsafeRawBufferPointer(start: buffer.baseAddress, count: length), as: UTF8.self)
        }
    }
}
