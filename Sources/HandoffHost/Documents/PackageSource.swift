// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffTrust
internal import HandoffWire

/// A package being sent, as it was when opened.
final class PackageSource: DocumentSource {
    let head: DocumentHead
    private let folder: OpenFile
    private let tree: PackageTree
    private let cache: HashCache
    private let limits: DocumentLimits
    private let state = Lock(State())

    private struct State: ~Copyable {
        var manifest: PackageManifest?
        var wished: ArraySlice<PackageManifest.Member>?
        var file: OpenFile?
        var given: UInt64 = 0
    }

    init(_ folder: consuming OpenFile, cache: HashCache, limits: DocumentLimits) throws(Failure) {
        tree = try PackageTree(of: folder)
        self.folder = folder
        self.cache = cache
        self.limits = limits
        head = DocumentHead(
            size: tree.version.size, modified: tree.version.modified, mode: SentMode(tree.version.mode), hash: nil)
    }

    func chunks() throws(Failure) -> ChunkList {
        throw Failure(.notAllowed, "\(folder.path) is a package: it has members, not chunks")
    }

    func manifest() throws(Failure) -> PackageManifest {
        try state.withLock { (state) throws(Failure) in try manifest(&state) }
    }

    private func manifest(_ state: inout State) throws(Failure) -> PackageManifest {
        if let manifest = state.manifest { return manifest }
        let hashed = try HashedPackage(of: folder, cache: cache, limits: limits)
        guard hashed.tree == tree else { throw changed }
        state.manifest = hashed.manifest
        return hashed.manifest
    }

    func select(_ wish: DocumentWish?) throws(Failure) {
        try state.withLock { (state) throws(Failure) in
            let members = try manifest(&state).members.enumerated()
            state.wished =
                members.filter { index, member in
                    guard case .file = member.content else { return false }
                    return wish?[index] ?? true
                }.map(\.element)[...]
            state.file = nil
            state.given = 0
        }
    }

    func next(_ limit: Int) throws(Failure) -> [UInt8] {
        try state.withLock { (state) throws(Failure) in
            guard limit > 0 else { return [] }
            while let member = state.wished?.first {
                guard case .file(let size, _, _) = member.content, state.given < size else {
                    state.wished?.removeFirst()
                    state.file = nil
                    state.given = 0
                    continue
                }
                let wanted = Int(min(size - state.given, UInt64(limit)))
                if state.file == nil { state.file = try open(member) }
                let bytes = try reading { () throws(SystemError) in
                    try state.file?.bytes(at: state.given, count: wanted)
                }
                guard let bytes, bytes.count == wanted else { throw changed }
                state.given += UInt64(bytes.count)
                return bytes
            }
            return []
        }
    }

    private func open(_ member: PackageManifest.Member) throws(Failure) -> OpenFile {
        try reading { () throws(SystemError) in
            try folder.openBeneath(member.path.bytes, O_RDONLY | O_NONBLOCK | O_NOCTTY, followingLinks: false)
        }
    }

    func hash() throws(Failure) -> FileDigest {
        try state.withLock { (state) throws(Failure) in try manifest(&state).hash() }
    }

    func isUnchanged() -> Bool { (try? PackageTree(of: folder)) == tree }

    private var changed: Failure { Failure(.documentChanged, "\(folder.path) was written to while it was sent") }
}
