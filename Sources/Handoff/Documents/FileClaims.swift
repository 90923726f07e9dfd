// SPDX-License-Identifier: Apache-2.0

struct FileAccess: Sendable, Hashable {
    var place: FilePlace
    var isWriting: Bool
    /// For a folder that is removed, moved, or one document.
    var coversContents: Bool

    func conflicts(with other: FileAccess) -> Bool {
        (isWriting || other.isWriting) && touches(other.place, other.coversContents)
    }

    func touches(_ other: FilePlace, _ coversItsContents: Bool) -> Bool {
        place == other || coversContents && other.isWithin(place) || coversItsContents && place.isWithin(other)
    }
}

/// Grants access to files in the order of the claims: many readers or one writer.
///
/// A claim does not wait for claims of the same purpose, for claims within which it runs, or for a claim whose holder
/// has asked its presenter to save first.
struct FileClaims: ~Copyable {
    typealias ID = UInt64

    struct Claim: Sendable, Hashable {
        var accesses: [FileAccess]
        /// Identifies a coordinator, or all coordinators of one presenter.
        var purpose: String
        /// The claims around the claiming code.
        var within: Set<ID> = []
    }

    fileprivate struct Entry {
        let id: ID
        var claim: Claim
        var isGranted = false
        /// Presenters that were asked to save and relinquish.
        var asked: Set<String> = []
    }

    /// In the order of arrival.
    private var entries: [Entry] = []
    private var lastID: ID = 0

    /// If not granted at once, it is in a later result.
    mutating func arrived(_ claim: Claim) -> (id: ID, isGranted: Bool) {
        lastID += 1
        entries.append(Entry(id: lastID, claim: claim))
        let granted = grant()
        return (lastID, granted.contains(lastID))
    }

    /// Lets presenters use the files while they save. Returns the granted claims.
    mutating func asks(_ id: ID, _ purposes: Set<String>) -> [ID] {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { return [] }
        entries[index].asked = purposes
        return purposes.isEmpty ? [] : grant()
    }

    /// Ends a claim or its wait. Returns the granted claims.
    mutating func ended(_ id: ID) -> [ID] {
        entries.removeAll { $0.id == id }
        return grant()
    }

    /// Waiting claims follow the file. Returns the granted claims.
    mutating func moved(from old: FilePlace, to new: FilePlace) -> [ID] {
        for entry in entries.indices where !entries[entry].isGranted {
            for access in entries[entry].claim.accesses.indices {
                if let place = entries[entry].claim.accesses[access].place.moved(from: old, to: new) {
                    entries[entry].claim.accesses[access].place = place
                }
            }
        }
        return grant()
    }

    func places(of id: ID) -> [FilePlace] {
        entries.first { $0.id == id }?.claim.accesses.map(\.place) ?? []
    }

    func isClaimed(_ access: FileAccess) -> Bool {
        entries.contains { $0.claim.accesses.contains { $0.touches(access.place, access.coversContents) } }
    }

    var isEmpty: Bool { entries.isEmpty }

    private mutating func grant() -> [ID] {
        var granted: [ID] = []
        for index in entries.indices where !entries[index].isGranted && !waits(index) {
            entries[index].isGranted = true
            granted.append(entries[index].id)
        }
        return granted
    }

    /// Whether a granted or earlier claim blocks it. An earlier claim does not if it waits for a claim around this.
    private func waits(_ index: Int) -> Bool {
        let entry = entries[index]
        return entries.enumerated().contains { position, other in
            guard position != index, entry.conflicts(with: other), !entry.belongs(to: other) else { return false }
            if other.isGranted { return true }
            return position < index
                && !entries.contains { $0.isGranted && entry.belongs(to: $0) && $0.conflicts(with: other) }
        }
    }
}

extension FileClaims.Entry {
    fileprivate func conflicts(with other: Self) -> Bool {
        claim.accesses.contains { access in other.claim.accesses.contains { access.conflicts(with: $0) } }
    }

    fileprivate func belongs(to other: Self) -> Bool {
        claim.purpose == other.claim.purpose || claim.within.contains(other.id)
            || other.asked.contains(claim.purpose)
    }
}
