// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffTrust
package import HandoffWire
internal import Synchronization

/// The document as it was when opened.
package final class MemoryDocumentSource: DocumentSource {
    private struct State {
        /// Nil: no list was made.
        var items: [[UInt8]]?
        var rest: ArraySlice<UInt8> = []
    }

    package let head: DocumentHead
    private let path: AbsolutePath
    private let kind: DocumentKind
    private let version: FileVersion
    /// Nil is the path of a single file.
    private let contents: [DocumentPath?: [UInt8]]
    private let members: PackageManifest?
    private let files: MemoryDocumentFiles
    private let state = Mutex(State())

    init(
        head: DocumentHead, at path: AbsolutePath, kind: DocumentKind, version: FileVersion,
        tree: MemoryDisk.Tree, members: PackageManifest?, files: MemoryDocumentFiles
    ) {
        self.head = head
        self.path = path
        self.kind = kind
        self.version = version
        self.members = members
        self.files = files
        contents = Dictionary(
            tree.compactMap { path, node in if case .file(let bytes) = node.content { (path, bytes) } else { nil } },
            uniquingKeysWith: { first, _ in first })
    }

    private var bytes: [UInt8] { contents[nil] ?? [] }

    package func chunks() throws(Failure) -> ChunkList {
        try files.count(.chunks)
        let items = bytes.cutInMemory
        state.withLock { $0.items = items }
        return ChunkList(items.map { ChunkList.Chunk(length: UInt32(clamping: $0.count), hash: FileDigest(of: $0)) })
    }

    package func manifest() throws(Failure) -> PackageManifest {
        try files.count(.manifest)
        guard let members else { throw Failure(.malformed, "a file has no manifest") }
        state.withLock { $0.items = members.members.map { contents[$0.path] ?? [] } }
        return members
    }

    package func select(_ wish: DocumentWish?) throws(Failure) {
        try files.count(.select)
        guard let wish else { return state.withLock { $0.rest = bytes[...] } }
        try state.withLock { state throws(Failure) in
            guard let items = state.items else { throw Failure(.malformed, "a request before the list") }
            state.rest = items.indices.filter { wish[$0] }.flatMap { items[$0] }[...]
        }
    }

    package func next(_ limit: Int) throws(Failure) -> [UInt8] {
        try files.count(.next)
        let most = try files.change { state throws(Failure) in state.mostBytes }
        return state.withLock { state in
            let next = state.rest.prefix(min(limit, most))
            state.rest = state.rest.dropFirst(next.count)
            return Array(next)
        }
    }

    package func hash() throws(Failure) -> FileDigest {
        try files.count(.hash)
        return try members?.hash() ?? FileDigest(of: bytes)
    }

    package func isUnchanged() -> Bool {
        let now = try? files.change { [path, kind] state throws(Failure) in
            try state.disk.document(at: path, asPackage: kind == .package)?.version
        }
        return now == version
    }
}
