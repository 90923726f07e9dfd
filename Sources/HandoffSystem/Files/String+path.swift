// SPDX-License-Identifier: Apache-2.0

internal import Glibc

// Paths.
extension String {
    /// The folder that holds what this path names: "/etc" of "/etc/handoff", "/" of "/etc"; empty without a slash.
    package var parent: String {
        guard let slash = lastIndex(of: "/") else { return "" }
        return slash == startIndex ? "/" : String(self[..<slash])
    }

    /// There is something of that name, be it a link that leads nowhere.
    package var isThere: Bool {
        var status = stat()
        return lstat(self, &status) == 0
    }

    /// With every link followed; nil and `errno` where there is nothing.
    package var followingLinks: String? {
        guard let resolved = realpath(self, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Where the symbolic link at this path leads, in its own words. Nil where there is none, or the system does not tell.
    /// `folder`: the descriptor of the one in which a relative path begins.
    package func linkTarget(in folder: CInt? = nil) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer -> String? in
            let length = readlinkat(folder ?? AT_FDCWD, self, buffer.baseAddress!, buffer.count)
            guard length > 0, length < buffer.count else { return nil }
            return String(decoding: UnsafeRawBufferPointer(start: buffer.baseAddress, count: length), as: UTF8.self)
        }
    }
}
