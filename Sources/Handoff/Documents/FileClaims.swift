// SPDX-License-Identifier: Apache-2.0

/// What somebody does with a file or a folder.
struct FileAccess: Sendable, Hashable {
    var place: FilePlace
    var isWriting: Bool
    /// Of a folder: with all that is in it, as when it is removed or moved, or is one document.
    var coversContents: Bool

    /// Both are about the same thing, and one changes it.
    func conflicts(with other: FileAccess) -> Bool {
        (isWriting || other.isWriting) && touches(other.place, other.coversContents)
    }

    func touches(_ other: FilePlace, _ coversItsContents: Bool) -> Bool {
        place == other || coversContents && other.isWithin(place) || coversItsContents && place.isWithin(other)
    }
}

/// Who may use which files of this process, first come, first served: many readers, or one writer.
///
/// Nobody waits for himself: not for a claim of the same purpose, not for one within which he runs, and not for one whose
/// holder has asked him to save first.
struct FileClaims: ~Copyable {
    typealias ID = UInt64

    struct Claim: Sendable, Hashable {
        var accesses: [FileAccess]
        /// Of a coordinator, or of all coordinators of one presenter.
        var purpose: String
        /// Those within which whoever claims runs.
        var within: Set<ID> = []
    }

    fileprivate struct Entry {
        let id: ID
        var claim: Claim
        var isGranted = false
        /// Purposes of the presenters that are asked to save and let go.
        var asked: Set<String> = []
    }

    /// In the order in which they came.
    private var entries: [Entry] = []
    private var lastID: ID = 0

    /// A claim came. Wait until its number is among those that are granted, unless it is at once.
    mutating func arrived(_ claim: Claim) -> (id: ID, isGranted: Bool) {
        lastID += 1
        entries.append(Entry(id: lastID, claim: claim))
        let granted = grant()
        return (lastID, granted.contains(lastID))
    }

    /// Presenters are asked to save before the holder of that claim begins: they may use the files. Others that are granted
    /// by this.
    mutating func asks(_ id: ID, _ purposes: Set<String>) -> [ID] {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { return [] }
        entries[index].asked = purposes
        return purposes.isEmpty ? [] : grant()
    }

    /// A claim is over, or is not waited for any more. Those that are granted by this.
    mutating func ended(_ id: ID) -> [ID] {
        entries.removeAll { $0.id == id }
        return grant()
    }

    /// What was at one place is at another: who waits for it waits for it there.
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

    /// Where the files of a claim are by now.
    func places(of id: ID) -> [FilePlace] {
        entries.first { $0.id == id }?.claim.accesses.map(\.place) ?? []
    }

    /// Whether somebody uses that file or waits for it.
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

    /// Whether a claim has to wait for one that is granted, or for one before it that waits itself; unless that one waits
    /// for something of this one's own.
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
