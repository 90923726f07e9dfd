// SPDX-License-Identifier: Apache-2.0

import Glibc

extension String {
    private static let linksFollowed = 40

    /// Root owns the item at this absolute path, every folder above it and every link on the way, and no other user or
    /// group may write to them. Blocks.
    package var isChangedByRootAlone: Bool {
        guard hasPrefix("/") else { return false }
        var left = split(separator: "/").reversed().map(String.init)
        var place = ""
        var links = 0
        guard "/".isRoots() == S_IFDIR else { return false }
        while let name = left.popLast() {
            if name == "." { continue }
            if name == ".." {
                place = place.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
                continue
            }
            let next = place + "/" + name
            switch next.isRoots() {
            case S_IFLNK?:
                links += 1
                guard links <= Self.linksFollowed, let target = next.linkTarget() else { return false }
                if target.hasPrefix("/") { place = "" }
                left += target.split(separator: "/").reversed().map(String.init)
            case S_IFDIR?: place = next
            case S_IFREG? where left.isEmpty: place = next
            default: return false
            }
        }
        return true
    }

    /// Its kind, or nil if it does not exist or another user may change it.
    private func isRoots() -> mode_t? {
        var status = stat()
        guard lstat(self, &status) == 0, status.st_uid == 0 else { return nil }
        // A link has no permissions of its own.
        if status.kind == S_IFLNK { return S_IFLNK }
        let isWritable = status.permissions & S_IWOTH != 0 || (status.permissions & S_IWGRP != 0 && status.st_gid != 0)
        return isWritable ? nil : status.kind
    }
}
