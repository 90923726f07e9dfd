// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

@testable import HandoffDaemon

/// A letter that is sent from the laptop to the desktop. Its contents have numbers.
enum DocumentFixture {
    static let container = try! ContainerID("iCloud.com.example.letters")
    static let folder = try! AbsolutePath("/home/user/Letters")
    static let path = try! DocumentPath("Letter.txt")
    static let place = DocumentLocation.container(folder: folder, path)
    static let continuation = ContinuationID(uncheckedBytes: [UInt8](repeating: 7, count: 16))
    static let disk = DocumentStorage(name: "ext4")
    static let size: UInt64 = 1000

    static func digest(_ number: Int) -> FileDigest {
        var bytes = [UInt8](repeating: 0, count: FileDigest.byteCount)
        withUnsafeBytes(of: UInt64(number).littleEndian) { bytes.replaceSubrange(0..<8, with: $0) }
        return FileDigest(uncheckedBytes: bytes)
    }

    static func digests(_ numbers: [Int]) -> [FileDigest] { numbers.map(digest) }

    /// The laptop's reference. A nil `content` is not yet known.
    static func reference(
        _ content: Int?, known: [Int] = [], at path: DocumentPath = path, kind: DocumentKind = .file,
        size: UInt64 = size
    ) -> DocumentReference {
        DocumentReference(
            index: 0, place: .container(container, path), kind: kind, size: size,
            modified: FileTime(nanoseconds: 1), hash: content.map(digest), known: digests(known))
    }

    /// The document on the desktop. A nil `content` was not hashed.
    static func found(
        _ content: Int?, at path: DocumentPath = path, kind: DocumentKind = .file, inode: UInt64 = 5,
        size: UInt64 = size
    ) -> FoundDocument {
        // Each content has its own modification time.
        let written = FileTime(nanoseconds: Int64(content ?? 0) + 1)
        return FoundDocument(
            path: path, kind: kind,
            version: FileVersion(
                file: FileNumber(device: 1, inode: inode), size: size, modified: written, changed: written,
                mode: 0o644),
            hash: content.map(digest))
    }

    static func history(_ contents: [Int], inode: UInt64 = 5) -> DocumentHistory {
        DocumentHistory(
            container: container, path: path, device: 1, inode: inode, hashes: digests(contents),
            looked: WallTime(milliseconds: 0))
    }
}
