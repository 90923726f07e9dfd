// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A file that its user edits too, and that is changed as a whole: whoever reads it, and whatever happens meanwhile, finds
/// the old one or the new one. It stays where it lies, behind a symbolic link too, and keeps its mode and other attributes.
package struct UserFile {
    package let path: String

    package init(path: String) { self.path = path }

    /// Nil where there is none. Throws for what is no plain file, and `EFBIG` above `limit` bytes.
    package func read(limit: Int) throws(SystemError) -> [UInt8]? {
        // Links are followed here, and without O_NONBLOCK a named pipe in its place would hold the caller for ever.
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

    /// `change` gets what is there, and gives what is to be, or nil where that is to stay. On disk when it returns. Of two
    /// who do this at once one waits for the other. The folder is made where it is missing, for its user alone.
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

    /// Where it lies, if it is a symbolic link; that may lead to a file that is not there yet.
    private func target() throws(SystemError) -> String {
        if let there = path.followingLinks { return there }
        var path = path
        // As many as the system follows.
        for _ in 0..<40 {
            guard let next = path.linkTarget() else { return path }
            path = next.hasPrefix("/") ? next : path.parent + "/" + next
        }
        throw SystemError(ELOOP, self.path)
    }
}
