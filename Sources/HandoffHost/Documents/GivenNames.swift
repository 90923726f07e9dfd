// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem
internal import HandoffWire

/// The hidden names that this daemon gave in folders of its user. Each is on the disk before it is given, so that what a crash
/// leaves is known, and nothing else of the user's is ever taken for it. For each a file of that name, which holds the path of
/// the folder.
final class GivenNames: Sendable {
    private let path: String

    /// Made when it is needed.
    init(path: String) { self.path = path }

    /// On the disk when this returns.
    func add(_ name: HiddenName, in folder: borrowing OpenFile) throws(SystemError) {
        try PrivateFolder.make(path).write(folder.place ?? Array(folder.path.utf8), to: name.text)
    }

    /// After a crash it may be there again.
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
