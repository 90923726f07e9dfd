// SPDX-License-Identifier: Apache-2.0

import HandoffCore
internal import HandoffWire

extension DocumentTransferStateMachine {
    // MARK: The local document

    mutating func look() -> Action {
        found = nil
        guard let here else { return .nothing }
        state = .looking
        return .look(here, asPackage: reference.kind == .package, hashing: hashing)
    }

    /// Only if there is a hash to compare with.
    private var hashing: UInt64 {
        switch reference.kind {
        case .folder: 0
        case .file, .package: hash == nil && !isElsewhere ? 0 : .max
        }
    }

    private var hash: FileDigest? { arrived ?? reference.hash }

    mutating func seenFolder(_ sight: DocumentSnapshot) -> Action {
        guard let found, found.kind != .file else { return notTakenAlong("That folder does not exist here.") }
        return finish(.same)
    }

    mutating func seen(_ sight: DocumentSnapshot, at now: Instant) -> Action {
        guard case .container(_, _, let storage, let history) = target else { return .nothing }
        guard !isElsewhere || isOurs(history) else {
            path = named
            found = nil
            return create(again: true)
        }
        let decision = DocumentDecision(of: reference, hash: hash, here: sight, history: history)
        switch decision {
        case .same: return finish(.same)
        case .newerHere: return finish(.newerHere, "The version here is newer and was not replaced.")
        case .create, .createAgain, .fastForward, .conflict, .ambiguous, .otherKind, .undecided:
            // Waiting for the storage gains nothing once the content has arrived.
            guard storage.isShared, arrived == nil else { return decided(decision, history, at: now) }
            let until = sharedUntil ?? now.advanced(by: limits.sharedStorage)
            sharedUntil = until
            guard now < until else { return decided(decision, history, at: now) }
            let next = Swift.min(now.advanced(by: limits.sharedStorageLook), until)
            state = .reopening(until: next)
            return .wait(until: next)
        }
    }

    private mutating func decided(
        _ decision: DocumentDecision, _ history: DocumentHistory?, at now: Instant
    ) -> Action {
        switch decision {
        case .same, .newerHere: return .nothing
        case .ambiguous: return setAside("Several files here match.")
        case .otherKind: return setAside("A file of another kind has its name here.")
        case .create: return create(again: false)
        case .createAgain: return hasSearched || isShared ? create(again: true) : search(history)
        case .undecided where arrived == nil: return proceed(.undecided)
        case .undecided, .fastForward, .conflict:
            if let unwritable { return setAside(unwritable) }
            if decision != .fastForward, isOfOtherForm, !foldsForm { return proceed(.exactly) }
            if let hold = found?.hold, haveAppsLetGo || !hold.isOfApps { return proceed(.beside(reason: hold.reason)) }
            guard haveAppsLetGo else { return askApps(at: now) }
            // Without a hash, it is treated as a conflict, and so kept.
            return proceed(.name(decision == .fastForward ? .fastForward : .conflict))
        }
    }

    private var isShared: Bool {
        guard case .container(_, _, let storage, _) = target else { return false }
        return storage.isShared
    }

    var unwritable: String? {
        guard case .container(_, _, let storage, _) = target else { return nil }
        if storage.isShared { return "Its folder is on storage that other machines also write to: \(storage.name)." }
        return storage.readOnly.map { "Its folder is not writable: \($0)." }
    }

    // MARK: Renamed documents

    /// Names that differ only in their Unicode form.
    private var isOfOtherForm: Bool {
        guard let name = found?.path?.name, !name.elementsEqual(path.name),
            let here = String(validating: name, as: UTF8.self)
        else { return false }
        return here == String(validating: path.name, as: UTF8.self)
    }

    private mutating func search(_ history: DocumentHistory?) -> Action {
        guard case .container(_, let folder, _, _) = target, let history else { return create(again: true) }
        state = .searching
        // A hash does not identify empty files.
        return .find(history.file, size: reference.size, hash: reference.size > 0 ? hash : nil, in: folder)
    }

    /// Must match an earlier content, because file numbers are reused.
    private func isOurs(_ history: DocumentHistory?) -> Bool {
        guard let found, found.kind == reference.kind, found.version.size > 0, let ours = found.hash else {
            return false
        }
        return ours == hash || history?.hashes.contains(ours) ?? false || reference.known.contains(ours)
    }

    var named: DocumentPath {
        switch reference.place {
        case .container(_, let path), .outside(let path): path
        }
    }

    var isElsewhere: Bool { path != named }

    // MARK: Apps

    private mutating func askApps(at now: Instant) -> Action {
        guard let path = absolute(found?.path ?? path) else {
            return end(with: Failure(.limitReached, "the document's path is too long on this device"))
        }
        state = .asking(until: now.advanced(by: limits.save))
        return .askApps(path)
    }
}
