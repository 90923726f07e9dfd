// SPDX-License-Identifier: Apache-2.0

package enum HeldFilesLimits {
    /// Above, closes the process's oldest file.
    package static let perProcess = 64
    /// Above, closes the oldest file of the process with most.
    package static let inAll = 512
    /// An unclaimed file is then closed.
    package static let unclaimed: Duration = .seconds(60)
}

/// From other processes, by tokens that these chose at random. Only `sweep` closes them, because closing can block
/// forever on some file systems.
package final class HeldFiles<Token: Hashable & Sendable>: Sendable {
    private final class Held: Sendable {
        let file: OpenFile
        init(_ file: consuming OpenFile) { self.file = file }
    }

    private struct Entry {
        let held: Held
        let processID: Int32
        let since: ContinuousClock.Instant
        let number: UInt64
        var isClaimed: Bool
    }

    private struct Wish {
        let processID: Int32
        let came: @Sendable () -> Void
    }

    private struct State {
        var entries: [Token: Entry] = [:]
        var wishes: [Token: Wish] = [:]
        var leaving: [Held] = []
        var lastNumber: UInt64 = 0

        @discardableResult
        mutating func leave(_ token: Token) -> Bool {
            guard let entry = entries.removeValue(forKey: token) else { return false }
            leaving.append(entry.held)
            return true
        }

        /// Drops the oldest file, unclaimed files first.
        mutating func makeRoom(for processID: Int32) {
            let counts = entries.values.reduce(into: [:]) { $0[$1.processID, default: 0] += 1 }
            var loser: Int32?
            if counts[processID, default: 0] >= HeldFilesLimits.perProcess {
                loser = processID
            } else if entries.count >= HeldFilesLimits.inAll {
                loser = counts.max { $0.value < $1.value }?.key
            }
            guard let loser else { return }
            let losers = entries.filter { $0.value.processID == loser }
            let unclaimed = losers.filter { !$0.value.isClaimed }
            let oldest = (unclaimed.isEmpty ? losers : unclaimed).min { $0.value.number < $1.value.number }
            if let oldest { leave(oldest.key) }
        }
    }

    private let state = Lock(State())
    /// Readable if there is something to sweep.
    package let changed = WakeSignal()

    package init() {}

    // MARK: For the receiver

    /// A token's second file is not kept.
    package func hold(
        _ file: consuming OpenFile, as token: Token, of processID: Int32, at now: ContinuousClock.Instant
    ) {
        let held = Held(file)
        let came = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.entries[token] == nil else {
                state.leaving.append(held)
                return nil
            }
            state.makeRoom(for: processID)
            state.lastNumber += 1
            let wish = state.wishes[token]?.processID == processID ? state.wishes.removeValue(forKey: token) : nil
            state.entries[token] = Entry(
                held: held, processID: processID, since: now, number: state.lastNumber, isClaimed: wish != nil)
            return wish?.came
        }
        came?()
    }

    /// Returns when to sweep next.
    package func sweep(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        changed.clear()
        let (leaving, next) = state.withLock { state -> ([Held], ContinuousClock.Instant?) in
            let unclaimed = state.entries.filter { !$0.value.isClaimed }
            for (token, entry) in unclaimed where now - entry.since >= HeldFilesLimits.unclaimed {
                state.leave(token)
            }
            let oldest = state.entries.values.lazy.filter { !$0.isClaimed }.map(\.since).min()
            defer { state.leaving = [] }
            return (state.leaving, oldest.map { $0 + HeldFilesLimits.unclaimed })
        }
        // Closes the files outside the lock.
        _ = consume leaving
        return next
    }

    // MARK: For users of the files

    /// Holds the file until forgotten. False if the process has not passed it yet; `came` then reports it on the
    /// receiver's thread.
    package func claim(_ token: Token, of processID: Int32, came: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            if state.entries[token]?.processID == processID {
                state.entries[token]?.isClaimed = true
                return true
            }
            state.wishes[token] = Wish(processID: processID, came: came)
            return false
        }
    }

    /// All borrowers and the sender share its position, so read at explicit offsets. Nil if not held, or without a free
    /// descriptor.
    package func borrow(_ token: Token) -> OpenFile? {
        let held = state.withLock { $0.entries[token]?.held }
        guard let held else { return nil }
        return try? held.file.duplicate()
    }

    /// Also stops waiting for it.
    package func forget(_ token: Token) {
        let isLeft = state.withLock { state in
            state.wishes[token] = nil
            return state.leave(token)
        }
        if isLeft { changed.signal() }
    }

    package func forgetAll(of processID: Int32) {
        let isLeft = state.withLock { state in
            state.wishes = state.wishes.filter { $0.value.processID != processID }
            let tokens = state.entries.filter { $0.value.processID == processID }.map(\.key)
            for token in tokens { state.leave(token) }
            return !tokens.isEmpty
        }
        if isLeft { changed.signal() }
    }

    package var count: Int { state.withLock { $0.entries.count } }
}
