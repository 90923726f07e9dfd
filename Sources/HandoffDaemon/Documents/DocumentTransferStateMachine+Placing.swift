// SPDX-License-Identifier: Apache-2.0

import HandoffCore
internal import HandoffWire

extension DocumentTransferStateMachine {
    // MARK: Fetching

    mutating func create(again: Bool) -> Action {
        if let unwritable { return setAside(unwritable) }
        return proceed(.name(again ? .createAgain : .create))
    }

    mutating func setAside(_ reason: String) -> Action {
        // A container's arrival cannot go to another folder, which may be on another disk.
        proceed(arrived != nil && !isFetchedAsCopy ? .beside(reason: reason) : .copy(reason: reason))
    }

    mutating func proceed(_ plan: Plan) -> Action {
        guard arrived == nil else { return place(plan) }
        state = .fetching(plan)
        switch plan {
        case .copy: isFetchedAsCopy = true
        case .undecided: isFetchedAsCopy = unwritable != nil
        case .name, .exactly, .beside: isFetchedAsCopy = false
        }
        // Other kinds share no content with the arrival.
        let basis = found?.kind == reference.kind ? here : nil
        return .fetch(
            form(hasBasis: basis != nil), for: isFetchedAsCopy ? copy : here ?? copy, basis: basis.map { [$0] } ?? [])
    }

    /// Chunk lists help if the connection is slow and a basis is here.
    private func form(hasBasis: Bool) -> DocumentForm {
        guard reference.kind == .file else { return .members }
        let isListed = reference.size > limits.chunkedFrom && reference.size <= limits.chunkedUpTo && hasBasis
        return isListed && rate.map { $0 < limits.chunkedBelowRate } ?? true ? .chunks : .whole
    }

    // MARK: Placing

    mutating func place(_ plan: Plan) -> Action {
        state = .placing(plan, isCancelled: false)
        switch plan {
        case .name(let decision):
            return .place(here ?? copy, replaces: found?.version, keepsCopy: decision == .conflict)
        case .exactly:
            found = nil
            return .placeExactly(here ?? copy)
        case .beside: return .placeBeside(here ?? copy)
        case .copy, .undecided: return .place(copy, replaces: nil, keepsCopy: false)
        }
    }

    mutating func placeWasTaken(_ plan: Plan) -> Action {
        switch plan {
        case .name:
            tries += 1
            guard tries <= limits.tries else {
                return place(.beside(reason: "It keeps changing here."))
            }
            // An app may have opened it again.
            haveAppsLetGo = false
            return look()
        case .exactly:
            foldsForm = true
            return look()
        case .beside:
            tries += 1
            guard tries <= 2 * limits.tries else { return noName() }
            return place(plan)
        case .copy, .undecided:
            // Taken by another document of the activity.
            copyNumber += 1
            guard copyNumber <= Limits.documents else { return noName() }
            return place(plan)
        }
    }

    private mutating func noName() -> Action {
        end(with: Failure(.documentNotPlaced, "every name for the document is in use"))
    }

    var here: DocumentLocation? {
        guard case .container(_, let folder, _, _) = target else { return nil }
        return .container(folder: folder, found?.path ?? path)
    }

    private var copy: DocumentLocation {
        let name = named.last
        let numbered = copyNumber == 1 ? name : try? DocumentName.numbered(name, copyNumber)
        return .received(continuation, name: numbered ?? name)
    }

    func absolute(_ path: DocumentPath) -> AbsolutePath? {
        guard case .container(_, let folder, _, _) = target else { return nil }
        return try? folder.appending(path)
    }

    // MARK: The end

    mutating func end(with failure: Failure) -> Action {
        guard state != .ended else { return .nothing }
        state = .ended
        return .fail(failure)
    }

    mutating func notTakenAlong(_ note: String) -> Action {
        let place = here ?? copy
        state = .ended
        return .finish(Finished(fate: .notTakenAlong, location: place, note: note))
    }

    mutating func finish(_ fate: DocumentFate, _ note: String? = nil) -> Action {
        guard let here, let path = absolute(found?.path ?? path) else {
            return end(with: Failure(.limitReached, "the document's path is too long on this device"))
        }
        state = .ended
        return .finish(
            Finished(
                fate: fate, location: here, path: path, oldPath: isElsewhere ? named : nil,
                note: said([note, elsewhere]),
                hash: found?.hash, found: found))
    }

    mutating func finish(_ plan: Plan, at path: AbsolutePath, as placed: FoundDocument) -> Action {
        var finished = Finished(
            fate: .copy, location: copy, path: path, hash: placed.hash ?? arrived, found: placed)
        switch plan {
        case .name(let decision):
            found = placed
            finished.location = here ?? copy
            finished.oldPath = isElsewhere ? named : nil
            finished.fate = fate(of: decision)
            let searching = searchFailure.map { "It may have another name here: \($0.reason)." }
            let deleted = decision == .createAgain ? "It had been deleted here." : nil
            finished.note = said([deleted, searching, elsewhere])
        case .exactly:
            found = placed
            finished.location = here ?? copy
            finished.fate = .created
        case .beside(let reason):
            found = placed
            finished.location = here ?? copy
            finished.fate = .conflict
            finished.note = said([reason, "The version here keeps its name; the other device's version is next to it."])
        case .copy(let reason): finished.note = reason
        case .undecided: break
        }
        state = .ended
        return .finish(finished)
    }

    private func fate(of decision: DocumentDecision) -> DocumentFate {
        switch decision {
        case .same: .same
        case .create, .createAgain: .created
        case .fastForward: .replaced
        case .newerHere: .newerHere
        case .conflict, .ambiguous, .otherKind, .undecided: .conflict
        }
    }

    private var elsewhere: String? {
        let path = found?.path ?? path
        guard !isElsewhere else { return "It has another name here: \(path.description)." }
        guard DocumentName.isShort(Array(path.name), of: Array(named.name)) else { return nil }
        return "Its name is too long for the file system here, so it is called \(path.description)."
    }

    private func said(_ sentences: [String?]) -> String? {
        let sentences = sentences.compactMap(\.self)
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }
}
