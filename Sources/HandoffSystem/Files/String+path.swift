// SPDX-License-Identifier: Apache-2.0

internal import Glibc

// Compares bytes, as the system does. For Swift, two spellings of é are equal, and a slash with an accent is one
// character.
extension String {
    /// "/" for "/etc"; empty without a slash.
    package var parent: String {
        guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return slash == startIndex ? "/" : String(self[..<slash])
    }

    package var lastPart: Substring {
        self[(utf8.lastIndex(of: UInt8(ascii: "/")).map { utf8.index(after: $0) } ?? startIndex)...]
    }

    /// "handoff/config" for "/etc/handoff/config" in "/etc". Does not follow links.
    package func path(in folder: String) -> String? {
        let prefix = folder.utf8.last == UInt8(ascii: "/") ? folder : folder + "/"
        guard utf8.starts(with: prefix.utf8) else { return nil }
        return String(decoding: utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    }

    package func isSamePath(as other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }

    /// Also for a broken link.
    package var isThere: Bool {
        var status = stat()
        return lstat(self, &status) == 0
    }

    /// On failure, nil with `errno`.
    package var followingLinks: String? {
        guard let resolved = realpath(self, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The literal target. `folder`: for a relative path.
    package func linkTarget(in folder: CInt? = nil) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer -> String? in
            let length = readlinkat(folder ?? AT_FDCWD, self, buffer.baseAddress!, buffer.count)
            guard length > 0, length < buffer.count else { return nil }
            return String(decoding: UnsafeRawBufferPointer(start: buffer.baseAddress, count: length), as: UTF8.self)
        }
    }
}
