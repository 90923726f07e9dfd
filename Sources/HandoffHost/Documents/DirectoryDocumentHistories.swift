// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffTrust
import HandoffWire

/// One file per history, named after the hash of container and path. Used on any thread.
package final class DirectoryDocumentHistories: DocumentHistories {
    private static let fileBytes = 64 * 1024
    /// Also removed beyond the limit, so that not every new history requires a scan.
    private static let spare = 64

    private let path: String
    private let most: Int
    private let folder = Lock<Folder?>(nil)

    private struct Folder: ~Copyable, Sendable {
        let files: PrivateFolder
        var count: Int
    }

    package init(_ path: String, most: Int = DocumentLimits().histories) {
        self.path = path
        self.most = most
    }

    func history(of container: ContainerID, at path: DocumentPath) throws(Failure) -> DocumentHistory? {
        let name = Self.name(container, path)
        let bytes = try inFolder { folder throws(SystemError) in
            try folder.files.read(name, limit: Self.fileBytes)
        }
        // A damaged history is ignored, and later overwritten.
        guard let bytes, let history = try? DocumentHistory(encoded: bytes), history.container == container,
            history.path == path
        else { return nil }
        return history
    }

    func keep(_ history: DocumentHistory) throws(Failure) {
        let name = Self.name(history.container, history.path)
        let bytes: [UInt8]
        do throws(WireError) { bytes = try history.encoded() } catch { throw Failure(.internal, error.reason) }
        let most = most
        try inFolder { folder throws(SystemError) in
            let isNew = try folder.files.read(name, limit: Self.fileBytes) == nil
            try folder.files.write(bytes, to: name)
            if isNew { folder.count += 1 }
            if folder.count > most { try Self.removeOldest(in: &folder, keeping: most) }
        }
    }

    private func inFolder<Result: Sendable>(
        _ body: (inout Folder) throws(SystemError) -> sending Result
    ) throws(Failure) -> Result {
        do throws(SystemError) {
            return try folder.withLock { (folder: inout Folder?) throws(SystemError) -> Result in
                if folder == nil {
                    let files = try PrivateFolder.make(path)
                    try files.removeLeftovers()
                    let count = try files.names().count
                    folder = Folder(files: files, count: count)
                }
                return try body(&folder!)
            }
        } catch {
            throw Failure(.stateNotWritable, "the history of documents cannot be saved in \(path): \(error.reason)")
        }
    }

    private static func removeOldest(in folder: inout Folder, keeping most: Int) throws(SystemError) {
        var files: [(name: String, written: FileTime)] = []
        for name in try folder.files.names() {
            var status = stat()
            guard fstatat(folder.files.folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
            files.append((name, FileTime(seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec)))
        }
        files.sort { $0.written < $1.written }
        for file in files.prefix(max(0, files.count - most + min(spare, most / 2))) {
            try folder.files.remove(file.name)
            folder.count = files.count
        }
        folder.count = try folder.files.names().count
    }

    private static func name(_ container: ContainerID, _ path: DocumentPath) -> String {
        FileDigest(of: Array(container.name.utf8) + [0] + path.bytes).hex
    }
}
