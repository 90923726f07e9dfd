// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem
internal import HandoffWire

/// The hidden names that this daemon used in its user's folders. Each is recorded on the disk before its use, so that
/// leftovers of a crash are identified, and no file of the user's is mistaken for one. The record is a file of that
/// name that contains the folder's path.
final class GivenNames: Sendable {
    private let path: String

    /// Created when needed.
    init(path: String) { self.path = path }

    /// The record is on the disk when this returns.
    func add(_ name: HiddenName, in folder: borrowing OpenFile) throws(SystemError) {
        try PrivateFolder.make(path).write(folder.place ?? Array(folder.path.utf8), to: name.text)
    }

    /// The record may reappear after a crash.
    func remove(_ name: HiddenName) { unlink(file(name)) }

    func all() -> [HiddenName] {
        guard let folder = try? PrivateFolder.open(path), let names = try? folder.names() else { return [] }
        return names.compactMap { HiddenName(text: $0) }
    }

    /// The folder in which the name was given; nil if the record cannot be read.
    func folder(of name: HiddenName) -> AbsolutePath? {
        guard let folder = try? PrivateFolder.open(path),
            let bytes = try? folder.read(name.text, limit: Limits.absolutePathBytes)
        else { return nil }
        return try? AbsolutePath(bytes: bytes)
    }

    private func file(_ name: HiddenName) -> String { path + "/" + name.text }
}
