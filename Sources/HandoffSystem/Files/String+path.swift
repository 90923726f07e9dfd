// SPDX-License-Identifier: Apache-2.0

internal import Glibc

// Paths, by their bytes as the system has them: in Swift é has two spellings that are equal, and a slash and an accent after
// it are one character.
extension String {
    /// The folder that holds what this path names: "/etc" of "/etc/handoff", "/" of "/etc"; empty without a slash.
    package var parent: String {
        guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return slash == startIndex ? "/" : String(self[..<slash])
    }

    /// Behind the last slash: "handoff" of "/etc/handoff".
    package var lastPart: Substring {
        self[(utf8.lastIndex(of: UInt8(ascii: "/")).map { utf8.index(after: $0) } ?? startIndex)...]
    }

    /// The rest of this path after `folder`, "handoff/config" of "/etc/handoff/config" in "/etc"; nil if this path is not
    /// inside. Links are not followed.
    package func path(in folder: String) -> String? {
        let prefix = folder.utf8.last == UInt8(ascii: "/") ? folder : folder + "/"
        guard utf8.starts(with: prefix.utf8) else { return nil }
        return String(decoding: utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    }

    /// Whether both are the same file name or path: `==` takes other spellings too.
    package func isSamePath(as other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }

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
