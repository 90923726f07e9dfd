// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
internal import HandoffTrust
package import HandoffWire
internal import Synchronization

/// For daemons in tests, and for changes by their users. Files are cut every `chunkBytes`, regardless of content.
package final class MemoryDocumentFiles: DocumentFiles {
    package enum Call: Hashable, Sendable, CaseIterable {
        case look, find, names, open, begin, storage, versions, restore, removeExpired
        /// When sending a document.
        case chunks, manifest, select, next, hash
        /// When receiving a document.
        case append, arrivedHash, sync, place, suspend
    }

    static let chunkBytes = 16 * 1024
    static let receivedFolder = "/home/user/.local/share/handoff/received"
    static let versionsFolder = "/home/user/.local/state/handoff/versions"

    struct State {
        var disk = MemoryDisk()
        var storages: [AbsolutePath: DocumentStorage] = [:]
        var open: [FileToken: AbsolutePath] = [:]
        var holds: [AbsolutePath: DocumentHold] = [:]
        /// Oldest first.
        var versions: [KeptVersion] = []
        var received: [AbsolutePath: WallTime] = [:]
        var calls: [Call: Int] = [:]
        /// By the number of earlier calls.
        var failures: [Call: [Int: Failure]] = [:]
        var beforePlace: (@Sendable (MemoryDocumentFiles) -> Void)?
        var mostBytes = Int.max
        var mostHashed = UInt64.max
        var arrivals = 0
        var dropped = 0
    }

    let limits: DocumentLimits
    private let state = Mutex(State())

    package init(limits: DocumentLimits = DocumentLimits()) { self.limits = limits }

    func change<Value: Sendable>(_ body: (inout State) throws(Failure) -> Value) throws(Failure) -> Value {
        try state.withLock { state throws(Failure) in try body(&state) }
    }

    /// Counts the call, and throws if the test planned a failure.
    func count(_ call: Call) throws(Failure) {
        try change { state throws(Failure) in
            let number = state.calls[call, default: 0]
            state.calls[call] = number + 1
            if let failure = state.failures[call]?.removeValue(forKey: number) { throw failure }
        }
    }
}

// MARK: Changes by the user

extension MemoryDocumentFiles {
    /// Creates parent folders. `keepsNumber`: writes into the existing file, as many programs save. Otherwise a new
    /// file takes its name.
    package func write(_ bytes: [UInt8], at path: AbsolutePath, mode: UInt16 = 0o644, keepsNumber: Bool = false) {
        state.withLock { $0.disk.put(.file(bytes), at: path, mode: mode, keepsInode: keepsNumber) }
    }

    package func makeFolder(_ path: AbsolutePath) {
        state.withLock { if $0.disk[path] == nil { $0.disk.put(.folder, at: path, mode: 0o755) } }
    }

    package func makeLink(at path: AbsolutePath, to target: String) {
        state.withLock { $0.disk.put(.link(Array(target.utf8)), at: path, mode: 0o777) }
    }

    package func makeSocket(at path: AbsolutePath) { state.withLock { $0.disk.put(.special, at: path, mode: 0o600) } }

    package func remove(_ path: AbsolutePath) { state.withLock { $0.disk.remove(path) } }

    /// Keeps the inode.
    package func move(_ path: AbsolutePath, to other: AbsolutePath) throws(Failure) {
        try change { state throws(Failure) in
            let tree = state.disk.tree(at: path)
            state.disk.remove(path)
            try state.disk.put(tree, at: other)
        }
    }

    package func bytes(at path: AbsolutePath) -> [UInt8]? {
        state.withLock { state in
            guard case .file(let bytes)? = state.disk[path]?.content else { return nil }
            return bytes
        }
    }

    package func files(below folder: AbsolutePath) -> [AbsolutePath] {
        state.withLock { state in
            state.disk.nodes.filter { path, node in
                if case .file = node.content { path.path(in: folder) != nil } else { false }
            }.keys.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        }
    }

    package func setStorage(_ storage: DocumentStorage, of folder: AbsolutePath, ignoringCase: Bool = false) {
        state.withLock { state in
            state.storages[folder] = storage
            if ignoringCase { state.disk.caseInsensitive.insert(folder) }
        }
    }

    /// Keeps the document from being replaced. Nil: no longer.
    package func hold(_ path: AbsolutePath, _ hold: DocumentHold?) { state.withLock { $0.holds[path] = hold } }

    package func open(_ path: AbsolutePath, as token: FileToken) { state.withLock { $0.open[token] = path } }

    // MARK: Failures

    /// Fails the next call of that kind once, or the call after `count` more.
    package func fail(_ call: Call, after count: Int = 0, with failure: Failure) {
        state.withLock { $0.failures[call, default: [:]][$0.calls[call, default: 0] + count] = failure }
    }

    /// Called once, right before the next document is placed.
    package func beforePlace(_ change: @escaping @Sendable (MemoryDocumentFiles) -> Void) {
        state.withLock { $0.beforePlace = change }
    }

    package func readSlowly(_ bytes: Int) { state.withLock { $0.mostBytes = bytes } }

    /// Bytes. Longer files are sent without a hash, as if hashing took too long.
    package func hash(atMost bytes: UInt64) { state.withLock { $0.mostHashed = bytes } }

    func takeBeforePlace() -> (@Sendable (MemoryDocumentFiles) -> Void)? { state.withLock { $0.beforePlace.take() } }
    func arrivalEnded() { state.withLock { $0.arrivals -= 1 } }
    func arrivalDropped() {
        state.withLock {
            $0.arrivals -= 1
            $0.dropped += 1
        }
    }

    package func calls(of call: Call) -> Int { state.withLock { $0.calls[call, default: 0] } }
    /// Neither placed nor discarded.
    package var arrivals: Int { state.withLock { $0.arrivals } }
    /// Arrivals that no job ended; on a real disk the event loop would have to clean up.
    package var dropped: Int { state.withLock { $0.dropped } }
}
