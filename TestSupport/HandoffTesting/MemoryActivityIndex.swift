// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire
internal import Synchronization

package final class MemoryActivityIndex: ActivityIndex {
    private struct Kept {
        let number: HistoryNumber
        var entry: HistoryEntry
        var frecency: Frecency
    }

    private struct Place: Hashable {
        let app: BundleID
        let key: HistoryKey
    }

    private struct State {
        var kept: [Place: Kept] = [:]
        var last: HistoryNumber = 0
        var expiry = HistoryExpiry()
        var clientStates: [BundleID: [String: [UInt8]]] = [:]
        /// The latest first.
        var transfers: [ActivityTransfer] = []
    }

    private let limits: (ofApp: Int, all: Int)
    private let state = Mutex(State())

    package init(limits: (ofApp: Int, all: Int) = (HistoryLimits.entriesOfApp, HistoryLimits.entries)) {
        self.limits = limits
    }

    package var hasUnfinishedWork: Bool { false }

    package func keep(_ entry: HistoryEntry, usedAt now: WallTime) throws(Failure) -> Bool {
        state.withLock { state in
            let place = Place(app: entry.app, key: entry.key)
            if entry.relatedItem != nil {
                return state.kept[place]?.frecency.used(at: now) != nil
            }
            var frecency = state.kept[place]?.frecency
            if frecency?.used(at: now) == nil { frecency = Frecency(firstUse: now) }
            if state.kept[place] == nil { state.last += 1 }
            state.kept[place] = Kept(
                number: state.kept[place]?.number ?? state.last, entry: entry,
                frecency: frecency ?? Frecency(firstUse: now))
            removeLowest(beyond: limits.ofApp, of: entry.app, &state, at: now)
            removeLowest(beyond: limits.all, of: nil, &state, at: now)
            return true
        }
    }

    private func removeLowest(beyond limit: Int, of app: BundleID?, _ state: inout State, at now: WallTime) {
        let places = state.kept.filter { app == nil || $0.key.app == app }
        guard places.count > limit else { return }
        let lowest = places.sorted { $0.value.frecency.rank(at: now) < $1.value.frecency.rank(at: now) }
        for (place, _) in lowest.prefix(places.count - limit) { state.kept[place] = nil }
    }

    package func remove(_ removal: HistoryRemoval) throws(Failure) -> Int {
        state.withLock { remove(removal, &$0) }
    }

    private func remove(_ removal: HistoryRemoval, _ state: inout State) -> Int {
        let before = state.kept.count + state.transfers.count
        let removed = state.kept.values.filter { removal.concerns($0.entry, number: $0.number) }.map(\.entry)
        state.kept = state.kept.filter { !removal.concerns($0.value.entry, number: $0.value.number) }
        state.transfers.removeAll(where: removal.removes)
        for index in state.transfers.indices {
            let transfer = state.transfers[index]
            if removal.removesTitle(of: transfer) || removed.contains(where: transfer.names) {
                state.transfers[index].title = nil
            }
        }
        switch removal {
        case .everything: state.clientStates = [:]
        case .app(let app): state.clientStates[app] = nil
        default: break
        }
        return before - state.kept.count - state.transfers.count
    }

    package func change(
        _ changes: [HistoryChange], by app: BundleID, state clientState: HistoryClientState?, at now: WallTime
    ) throws(Failure) {
        state.withLock { state in
            for change in changes {
                switch change {
                case .put(let entry, let isUpdate):
                    let place = Place(app: app, key: entry.key)
                    if state.kept[place] != nil {
                        state.kept[place]?.entry = entry
                    } else if !isUpdate {
                        state.last += 1
                        state.kept[place] = Kept(
                            number: state.last, entry: entry, frecency: Frecency(indexed: now))
                    }
                case .remove(let removal): _ = remove(removal, &state)
                }
            }
            removeLowest(beyond: limits.ofApp, of: app, &state, at: now)
            removeLowest(beyond: limits.all, of: nil, &state, at: now)
            if let clientState { state.clientStates[app, default: [:]][clientState.index] = clientState.state }
        }
    }

    package func clientState(of app: BundleID, index: String) throws(Failure) -> [UInt8] {
        state.withLock { $0.clientStates[app]?[index] ?? [] }
    }

    package func found(
        by query: HistoryQuery, limit: Int, at now: WallTime
    ) throws(Failure) -> [HistoryMatch] {
        let kept = state.withLock { Array($0.kept.values) }
        let alive = kept.filter { kept in kept.entry.expires.map { $0 > now } ?? true }
        let matches: [Kept]
        if query.isEmpty {
            matches = alive.filter { $0.frecency.uses > 0 }.sorted { $0.frecency.last > $1.frecency.last }
        } else {
            let found = alive.compactMap { kept in
                kept.entry.words.place(of: query).map { (kept, $0.rawValue, kept.frecency.rank(at: now)) }
            }
            matches = found.sorted { ($0.1, -$0.2) < ($1.1, -$1.2) }.map(\.0)
        }
        return matches.prefix(limit).map { HistoryMatch($0.number, $0.entry, lastUse: $0.frecency.last) }
    }

    package func entry(_ number: HistoryNumber) throws(Failure) -> HistoryEntry? {
        state.withLock { $0.kept.values.first { $0.number == number }?.entry }
    }

    package func removeExpired(at now: WallTime, unusedFor: Duration) throws(Failure) -> Int {
        state.withLock { state in
            guard let before = state.expiry.look(at: now) else { return 0 }
            let count = state.kept.count + state.transfers.count
            state.transfers.removeAll { $0.time.advanced(by: unusedFor) <= before }
            state.kept = state.kept.filter { kept in
                (kept.value.entry.expires ?? kept.value.frecency.last.advanced(by: unusedFor)) > before
            }
            return count - state.kept.count - state.transfers.count
        }
    }

    package func add(_ transfer: ActivityTransfer) throws(Failure) {
        state.withLock { state in
            guard !state.transfers.contains(where: transfer.isSame) else { return }
            state.transfers.insert(transfer, at: 0)
            if state.transfers.count > HistoryLimits.transfers { state.transfers.removeLast() }
        }
    }

    package func transfers() throws(Failure) -> [ActivityTransfer] { state.withLock { $0.transfers } }
}

extension ActivityTransfer {
    fileprivate func names(_ entry: HistoryEntry) -> Bool {
        app == entry.app && title == DisplayText(cleaning: entry.title)
    }
}

extension HistoryRemoval {
    fileprivate func removes(_ transfer: ActivityTransfer) -> Bool {
        switch self {
        case .everything, .transfers: true
        case .app(let app): transfer.app == app
        default: false
        }
    }

    fileprivate func removesTitle(of transfer: ActivityTransfer) -> Bool {
        switch self {
        case .activities(let app): transfer.app == app
        case .persistent(let names, let app):
            transfer.app == app && transfer.persistentIdentifier.map(names.contains) == true
        default: false
        }
    }
}
