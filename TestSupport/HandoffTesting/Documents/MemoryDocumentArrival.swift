// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
internal import HandoffTrust
package import HandoffWire
internal import Synchronization

package final class MemoryDocumentArrival: DocumentArrival {
    private struct State {
        /// Received and verified.
        var pieces: MemoryPieces
        /// Not yet complete, in order.
        var missing: ArraySlice<MemoryPieces.Item>
        var coming: [UInt8] = []
        /// The complete file.
        var whole: [UInt8]?
        var modified = FileTime(nanoseconds: 0)
        var mode: SentMode = 0o644
        var isOver = false

        mutating func finishItems() throws(Failure) {
            while let item = missing.first, UInt64(coming.count) == item.size {
                if let hash = item.hash {
                    guard FileDigest(of: coming) == hash else {
                        throw Failure(.malformed, "a chunk of the document does not match the chunk list")
                    }
                    pieces.add(coming)
                } else {
                    whole = coming
                }
                coming = []
                missing.removeFirst()
            }
        }

        mutating func finish() throws(Failure) {
            try finishItems()
            guard missing.isEmpty else { throw Failure(.malformed, "the document is incomplete") }
        }
    }

    package let wish: DocumentWish?
    package let expected: UInt64
    private let content: ArrivingContent
    private let files: MemoryDocumentFiles
    private let state: Mutex<State>

    init(_ content: ArrivingContent, pieces: MemoryPieces, files: MemoryDocumentFiles) {
        self.content = content
        self.files = files
        let items = content.items
        var wish: DocumentWish?
        var missing = items
        if case .whole = content {
        } else {
            var bits = DocumentWish(itemCount: items.count)
            for (number, item) in items.enumerated() where item.hash.map({ pieces[$0] == nil }) ?? false {
                bits[number] = true
            }
            missing = items.indices.filter { bits[$0] }.map { items[$0] }
            wish = bits
        }
        self.wish = wish
        expected = missing.reduce(0) { $0 &+ $1.size }
        state = Mutex(State(pieces: pieces, missing: missing[...]))
    }

    /// Received or present before.
    var pieces: MemoryPieces {
        state.withLock { state in
            var pieces = state.pieces
            // An incomplete file contributes its chunks.
            pieces.add(state.whole ?? state.coming)
            return pieces
        }
    }

    package func append(_ bytes: [UInt8]) throws(Failure) {
        try files.count(.append)
        try state.withLock { state throws(Failure) in
            var rest = bytes[...]
            while !rest.isEmpty {
                try state.finishItems()
                guard let item = state.missing.first else {
                    throw Failure(.malformed, "more data of the document arrived than was requested")
                }
                let piece = rest.prefix(Int(clamping: item.size) - state.coming.count)
                state.coming += piece
                rest = rest.dropFirst(piece.count)
            }
            try state.finishItems()
        }
    }

    package func hash() throws(Failure) -> FileDigest {
        try files.count(.arrivedHash)
        switch content {
        case .members(let manifest):
            _ = try tree()
            return try manifest.hash()
        case .whole, .chunks: return FileDigest(of: try bytes())
        }
    }

    package func sync(modified: FileTime, mode: SentMode) throws(Failure) {
        try files.count(.sync)
        state.withLock {
            $0.modified = modified
            $0.mode = mode
        }
    }

    package func place(_ order: PlacementOrder) throws(Failure) -> PlacementOutcome {
        files.takeBeforePlace()?(files)
        try files.count(.place)
        let tree = try tree()
        let mode = state.withLock(\.mode)
        let outcome = try files.change { [limits = files.limits] state throws(Failure) in
            try state.place(tree, mode, by: order, limits: limits)
        }
        if case .placed = outcome { discard() }
        return outcome
    }

    package func suspend() throws(Failure) { try files.count(.suspend) }

    package func discard() {
        let wasOver = state.withLock { state in
            defer { state.isOver = true }
            return state.isOver
        }
        if !wasOver { files.arrivalEnded() }
    }

    deinit { if !state.withLock(\.isOver) { files.arrivalDropped() } }

    // MARK: The content

    private func bytes() throws(Failure) -> [UInt8] {
        try state.withLock { state throws(Failure) in
            try state.finish()
            guard case .chunks(let list) = content else { return state.whole ?? [] }
            return list.chunks.flatMap { state.pieces[$0.hash] ?? [] }
        }
    }

    private func tree() throws(Failure) -> MemoryDisk.Tree {
        let modified = state.withLock(\.modified)
        func node(_ content: MemoryDisk.Content, _ mode: UInt16) -> MemoryDisk.Node {
            MemoryDisk.Node(inode: 0, content: content, modified: modified, changed: modified, mode: mode)
        }
        guard case .members(let manifest) = content else { return [(nil, node(.file(try bytes()), 0o600))] }
        let pieces = try state.withLock { state throws(Failure) in
            try state.finish()
            return state.pieces
        }
        let members = manifest.members.map { member in
            switch member.content {
            case .folder: (member.path as DocumentPath?, node(.folder, 0o755))
            case .link(let target): (member.path, node(.link(target), 0o777))
            case .file(_, let hash, let isExecutable):
                (member.path, node(.file(pieces[hash] ?? []), isExecutable ? 0o755 : 0o644))
            }
        }
        return [(nil, node(.folder, 0o700))] + members
    }
}
