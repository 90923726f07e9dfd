// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import HandoffCore
internal import HandoffSystem
package import HandoffWire

extension FolderFacts {
    /// Blocks. `home`: with links followed.
    package static func look(at path: AbsolutePath, home: AbsolutePath?) -> FolderFacts {
        var status = stat()
        guard retrying({ stat(path.bytes.cString, &status) }) == 0 else {
            return FolderFacts(isFolder: false, isOwn: false, realPath: nil, home: home)
        }
        return FolderFacts(
            isFolder: status.kind == S_IFDIR, isOwn: status.st_uid == geteuid(), realPath: path.followingLinks,
            home: home)
    }
}

extension AbsolutePath {
    /// In the missing part, `..` goes up textually. No slash at the end.
    package var followingLinks: AbsolutePath {
        var known = bytes.split(separator: UInt8(ascii: "/"))
        var missing: [ArraySlice<UInt8>] = []
        while true {
            if let real = Self.joining(known)?.real { return real.appending(missing.reversed()) ?? self }
            guard let last = known.popLast() else { return self }
            missing.append(last)
        }
    }

    private static func joining(_ parts: [ArraySlice<UInt8>]) -> AbsolutePath? {
        let slash = [UInt8(ascii: "/")]
        return try? AbsolutePath(bytes: parts.isEmpty ? slash : parts.flatMap { slash + $0 })
    }

    private func appending(_ missing: some Sequence<ArraySlice<UInt8>>) -> AbsolutePath? {
        var parts = bytes.split(separator: UInt8(ascii: "/"))
        for part in missing {
            if part.elementsEqual("..".utf8) {
                _ = parts.popLast()
            } else if !part.elementsEqual(".".utf8) {
                parts.append(part)
            }
        }
        return Self.joining(parts)
    }

    /// Nil if it cannot be resolved.
    private var real: AbsolutePath? {
        bytes.followingLinks.flatMap { try? AbsolutePath(bytes: $0) }
    }
}
