// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
internal import HandoffTrust
package import HandoffWire
internal import Synchronization

/// Documents on a disk in memory, for daemons in tests and for users' changes beside them. Files are cut into chunks of
/// `chunkBytes`, wherever that is.
package final class MemoryDocumentFiles: DocumentFiles {
    /// What a test can let fail.
    package enum Call: Hashable, Sendable, CaseIterable {
        case look, find, names, open, begin, storage, versions, restore, removeExpired
        /// Of a document that is sent.
        case chunks, manifest, select, next, hash
        /// Of one that arrives.
        case append, arrivedHash, sync, place, suspend
    }

    static let chunkBytes = 16 * 1024
    static let receivedFolder = "/home/user/.local/share/handoff/received"
    static let versionsFolder = "/home/user/.local/state/handoff/versions"

    struct State {
        var disk = MemoryDisk()
        var storages: [AbsolutePath: DocumentStorage] = [:]
        var open: [FileToken: AbsolutePath] = [:]
        /// The programs that have documents open.
        var editors: [AbsolutePath: String] = [:]
        /// Oldest first.
        var versions: [KeptVersion] = []
        var received: [AbsolutePath: WallTime] = [:]
        var calls: [Call: Int] = [:]
        /// Of a call, what its next ones throw, by how many come before.
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

    /// Counts the call, which fails where it is to.
    func count(_ call: Call) throws(Failure) {
        try change { state throws(Failure) in
            let number = state.calls[call, default: 0]
            state.calls[call] = number + 1
            if let failure = state.failures[call]?.removeValue(forKey: number) { throw failure }
        }
    }
}

// MARK: The user's side

extension MemoryDocumentFiles {
    /// A file, and the folders above it. `keepsNumber`: written into the one that is there, as many programs save; else
    /// another file takes its name.
    package func write(_ bytes: [UInt8], at path: AbsolutePath, mode: UInt16 = 0o644, keepsNumber: Bool = false) {
        state.withLock { $0.disk.put(.file(bytes), at: path, mode: mode, keepsInode: keepsNumber) }
    }

    package func makeFolder(_ path: AbsolutePath) {
        state.withLock { if $0.disk[path] == nil { $0.disk.put(.folder, at: path, mode: 0o755) } }
    }

    package func makeLink(at path: AbsolutePath, to target: String) {
        state.withLock { $0.disk.put(.link(Array(target.utf8)), at: path, mode: 0o777) }
    }

    /// What is no document.
    package func makeSocket(at path: AbsolutePath) { state.withLock { $0.disk.put(.special, at: path, mode: 0o600) } }

    package func remove(_ path: AbsolutePath) { state.withLock { $0.disk.remove(path) } }

    /// With its number.
    package func move(_ path: AbsolutePath, to other: AbsolutePath) throws(Failure) {
        try change { state throws(Failure) in
            let tree = state.disk.tree(at: path)
            state.disk.remove(path)
            try state.disk.put(tree, at: other)
        }
    }

    /// Nil: there is no file.
    package func bytes(at path: AbsolutePath) -> [UInt8]? {
        state.withLock { state in
            guard case .file(let bytes)? = state.disk[path]?.content else { return nil }
            return bytes
        }
    }

    /// Every file below a folder.
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

    /// A program that is not an app of ours has it open; nil: not any longer.
    package func edit(_ path: AbsolutePath, in program: String?) { state.withLock { $0.editors[path] = program } }

    /// An app has it open.
    package func open(_ path: AbsolutePath, as token: FileToken) { state.withLock { $0.open[token] = path } }

    // MARK: What goes wrong

    /// Once, the next call of that kind, or one after so many more.
    package func fail(_ call: Call, after count: Int = 0, with failure: Failure) {
        state.withLock { $0.failures[call, default: [:]][$0.calls[call, default: 0] + count] = failure }
    }

    /// Is done once, right before the next document takes its place.
    package func beforePlace(_ change: @escaping @Sendable (MemoryDocumentFiles) -> Void) {
        state.withLock { $0.beforePlace = change }
    }

    /// What is sent is read so many bytes at a time from now on.
    package func readSlowly(_ bytes: Int) { state.withLock { $0.mostBytes = bytes } }

    /// As if a longer one took too long to be hashed before it goes, bytes.
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
    /// Documents on their way here, neither placed nor discarded.
    package var arrivals: Int { state.withLock { $0.arrivals } }
    /// Documents on their way here that no job ended: the loop let go of them, and on a disk it would have to remove them.
    package var dropped: Int { state.withLock { $0.dropped } }
}
