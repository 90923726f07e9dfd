// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffSystem
import HandoffWire

/// `.handoff-`, 32 digits, and `-aside` for a package moved aside.
struct HiddenName: Hashable, Sendable {
    private static let aside = "-aside"

    let id: VersionID
    /// For a package on a file system that cannot swap names.
    let isAside: Bool

    init(_ id: VersionID, isAside: Bool = false) {
        self.id = id
        self.isAside = isAside
    }

    /// Users may have other files with the prefix.
    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: DocumentPath.reservedPrefix) else { return nil }
        self.init(text: String(decoding: bytes.dropFirst(DocumentPath.reservedPrefix.count), as: UTF8.self))
        guard self.bytes == bytes else { return nil }
    }

    init?(text: String) {
        let isAside = text.hasSuffix(Self.aside)
        guard let id = try? VersionID(hex: String(text.dropLast(isAside ? Self.aside.count : 0))) else { return nil }
        self.init(id, isAside: isAside)
        guard self.text == text else { return nil }
    }

    var text: String { id.hex + (isAside ? Self.aside : "") }
    var bytes: [UInt8] { DocumentPath.reservedPrefix + Array(text.utf8) }
}

/// Each hidden name in a user's folder is recorded before its use, so that leftovers of a crash are not confused with
/// the user's files. A record is a file of that name with the folder's path.
final class GivenNames: Sendable {
    private let path: String

    init(path: String) { self.path = path }

    /// Synced when this returns.
    func add(_ name: HiddenName, in folder: borrowing OpenFile) throws(SystemError) {
        try PrivateFolder.make(path).write(folder.place ?? Array(folder.path.utf8), to: name.text)
    }

    /// The record may reappear after a crash.
    func remove(_ name: HiddenName) { unlink(file(name)) }

    func all() -> [HiddenName] {
        guard let folder = try? PrivateFolder.open(path), let names = try? folder.names() else { return [] }
        return names.compactMap { HiddenName(text: $0) }
    }

    /// Nil if the record cannot be read.
    func folder(of name: HiddenName) -> AbsolutePath? {
        guard let folder = try? PrivateFolder.open(path),
            let bytes = try? folder.read(name.text, limit: Limits.absolutePathBytes)
        else { return nil }
        return try? AbsolutePath(bytes: bytes)
    }

    private func file(_ name: HiddenName) -> String { path + "/" + name.text }
}
