// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffCore
package import HandoffSystem
package import HandoffWire

struct OpenDocument: ~Copyable {
    enum Finding: ~Copyable {
        case document(OpenDocument)
        case nothing
        case ambiguous
    }

    let item: OpenFile
    let kind: DocumentKind
    /// As on disk; nil for a file that an app has open.
    let path: DocumentPath?
}

extension DocumentDisk {
    /// `asPackage`: a folder is a document. Throws `.notAllowed`.
    func open(_ location: DocumentLocation, asPackage: Bool) throws(Failure) -> OpenDocument.Finding {
        if case .open(let token) = location {
            let item = try openFile(token)
            let kind = try Self.kind(
                of: try reading { () throws(SystemError) in try item.status() }, item.path, asPackage)
            return .document(OpenDocument(item: item, kind: kind, path: nil))
        }
        guard let place = try place(location) else { return .nothing }
        if place.isReceived, access(place.folder.bytes.cString, F_OK) != 0 { return .nothing }
        let root = try root(place.folder)
        guard let reached = try root.reach(place.path) else { return .ambiguous }
        guard reached.missing == 0 else { return .nothing }
        return .document(try open(reached.path, in: root, of: place, asPackage))
    }

    private func open(
        _ path: DocumentPath, in root: borrowing DocumentRoot, of place: Place, _ asPackage: Bool
    ) throws(Failure) -> OpenDocument {
        let shown = root.folder.path(of: path.bytes)
        let expected = try Self.kind(of: try root.status(of: path), shown, asPackage)
        let item = try reading { () throws(SystemError) in
            // Must not block: it may be a FIFO by now.
            try root.folder.openBeneath(
                path.bytes, O_RDONLY | O_NONBLOCK | O_NOCTTY | (expected == .file ? 0 : O_DIRECTORY))
        }
        let kind = try Self.kind(of: try reading { () throws(SystemError) in try item.status() }, shown, asPackage)
        return OpenDocument(item: item, kind: kind, path: place.local(path))
    }

    private static func kind(of status: stat, _ path: String, _ asPackage: Bool) throws(Failure) -> DocumentKind {
        switch status.kind {
        case S_IFREG: return .file
        case S_IFDIR: return asPackage ? .package : .folder
        default: throw Failure(noDocument: path)
        }
    }

    func look(at location: DocumentLocation, asPackage: Bool, hashing: UInt64) throws(Failure) -> DocumentSnapshot {
        switch try open(location, asPackage: asPackage) {
        case .nothing: return .nothing
        case .ambiguous: return .ambiguous
        case .document(let document):
            let (version, hash) = try look(at: document, hashing: hashing)
            return .found(
                FoundDocument(path: document.path, kind: document.kind, version: version, hash: hash))
        }
    }

    private func look(
        at document: borrowing OpenDocument, hashing: UInt64
    ) throws(Failure) -> (FileVersion, FileDigest?) {
        switch document.kind {
        case .folder:
            return (try reading { () throws(SystemError) in try document.item.version() }, nil)
        case .file:
            let version = try reading { () throws(SystemError) in try document.item.version() }
            guard version.size <= hashing else { return (version, cache.hash(of: version)) }
            let hashed = try HashedFile(document.item, cache: cache, limits: limits)
            return (hashed.version, hashed.hash)
        case .package:
            let tree = try PackageTree(of: document.item)
            guard tree.version.size <= hashing else { return (tree.version, nil) }
            let hashed = try HashedPackage(of: document.item, tree: tree, cache: cache, limits: limits)
            return (hashed.tree.version, try hashed.manifest.hash())
        }
    }

    func source(_ location: DocumentLocation, asPackage: Bool) throws(Failure) -> any DocumentSource {
        switch try open(location, asPackage: asPackage) {
        case .nothing: throw Failure(.documentGone, "\(shown(location)) does not exist")
        case .ambiguous: throw Failure(.documentGone, "\(shown(location)) matches several files")
        case .document(let document):
            switch document.kind {
            case .file: return try FileSource(document.item, cache: cache, limits: limits)
            case .package: return try PackageSource(document.item, cache: cache, limits: limits)
            case .folder: throw Failure(noDocument: shown(location))
            }
        }
    }

    private func shown(_ location: DocumentLocation) -> String {
        switch location {
        case .container(let folder, let path): "\(folder)/\(path)"
        case .received(_, let name): "\(received)/…/\(name)"
        case .open: "what an app has open"
        }
    }
}

extension HeldFiles<FileToken> {
    /// A new descriptor. Throws `.documentGone` if the file is no longer held.
    package func documentOpen(by token: FileToken) throws(Failure) -> OpenFile {
        guard let file = borrow(token) else {
            throw Failure(.documentGone, "the app no longer has the document open for this device")
        }
        return file
    }
}
