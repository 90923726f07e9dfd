// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Users edit it too. A change replaces it, so readers find the old or the new content. It keeps its place, also behind
/// a link, and its attributes.
package struct UserFile {
    package let path: String

    package init(path: String) { self.path = path }

    /// Throws if it is not a regular file, and `EFBIG` above `limit` bytes.
    package func read(limit: Int) throws(SystemError) -> [UInt8]? {
        // Follows links. O_NONBLOCK: a named pipe would block forever.
        let descriptor = retrying { Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw SystemError(errno, path)
        }
        let file = OpenFile(descriptor: descriptor, path: path)
        guard try file.status().kind == S_IFREG else {
            throw SystemError(EINVAL, path, "\(path) is not a plain file")
        }
        return try file.readAll(limit: limit)
    }

    /// `change` returns the new content, or nil to leave it. Concurrent changes wait for each other. Creates a missing
    /// folder, 0700. Syncs.
    package func change<Refusal: Error>(
        limit: Int, _ change: ([UInt8]?) -> Result<[UInt8]?, Refusal>
    ) throws(SystemError) -> Result<Void, Refusal> {
        let target = try target()
        try MissingFolders.make(target.parent)
        let folder = try OpenFile.open(target.parent, O_RDONLY | O_DIRECTORY)
        // Until the descriptor is closed.
        guard retrying({ flock(folder.descriptor, LOCK_EX) }) == 0 else { throw SystemError(errno, folder.path) }
        switch change(try UserFile(path: target).read(limit: limit)) {
        case .failure(let refusal): return .failure(refusal)
        case .success(nil): return .success(())
        case .success(let bytes?):
            try bytes.withUnsafeBufferPointer { (bytes) throws(SystemError) in
                try ReplacedFile.write(UnsafeRawBufferPointer(bytes), to: target, mode: 0o600)
            }
            try folder.sync()
            return .success(())
        }
    }

    /// A link's target may be missing.
    private func target() throws(SystemError) -> String {
        if let there = path.followingLinks { return there }
        var path = path
        // The system's limit.
        for _ in 0..<40 {
            guard let next = path.linkTarget() else { return path }
            path = next.hasPrefix("/") ? next : path.parent + "/" + next
        }
        throw SystemError(ELOOP, self.path)
    }
}
