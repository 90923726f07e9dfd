// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// One document at the receiver, from the reference that came with the state to what the app is given.
///
///     waiting -> looking <-> asking, searching, reopening
///                looking -> fetching -> placing -> ended
///                   ^----- changed meanwhile ---/
///
/// What is here is looked at before anything is asked for, and right before it is replaced. Whatever goes wrong, what
/// is here stays; and what has come is not thrown away because of what is here: it is put beside it.
package struct DocumentReceptionStateMachine: ~Copyable {
    package enum Target: Hashable, Sendable {
        /// `history`: what this device knows of that place.
        case container(ContainerID, folder: AbsolutePath, storage: DocumentStorage, history: DocumentHistory?)
        /// It arrives as a copy of its own; why, for people.
        case copy(reason: String)
    }

    package enum Action: Equatable {
        /// `looked` follows.
        case look(DocumentLocation, asPackage: Bool, hashing: UInt64)
        /// `searched` follows.
        case find(FileNumber, size: UInt64, hash: FileDigest?, in: AbsolutePath)
        /// Apps of this device that have it open are to save it and let go. `appsLetGo` follows, or the deadline.
        case askApps(AbsolutePath)
        /// Its bytes are to come. `form` and of what parts may be used again. `arrived` or `failed` follows.
        case fetch(DocumentForm, for: DocumentLocation, basis: [DocumentLocation])
        /// What arrived takes that place. `keepsCopy`: what lies there gets the name of a conflict copy, too, unless
        /// one with the same content lies there. `placed` or `failed` follows.
        case place(DocumentLocation, replaces: FileVersion?, keepsCopy: Bool)
        /// The document takes that name, byte for byte: the file with the other Unicode form of it is a different document.
        /// `placed` or `failed` follows.
        case placeExactly(DocumentLocation)
        /// What lies there stays; what arrived is put beside it, under the name of a conflict copy of the origin's.
        /// `placed` or `failed` follows.
        case placeBeside(DocumentLocation)
        /// Shared storage that may still show what the origin has.
        case wait(until: Instant)
        /// The arrival, if any, is to be discarded unless it was placed.
        case finish(Finished)
        /// The arrival, if any, is to be discarded.
        case fail(Failure)
        case nothing
    }

    package struct Finished: Hashable, Sendable {
        package var fate: DocumentFate
        package var location: DocumentLocation
        /// Where it lies. Nil: the URL stays as the origin sent it.
        package var path: AbsolutePath?
        /// It is another one here than the origin says: the origin's.
        package var oldPath: DocumentPath?
        /// For people.
        package var note: String?
        /// Of what lies there now.
        package var hash: FileDigest?
        package var found: FoundDocument?

        package init(
            fate: DocumentFate, location: DocumentLocation, path: AbsolutePath? = nil, oldPath: DocumentPath? = nil,
            note: String? = nil, hash: FileDigest? = nil, found: FoundDocument? = nil
        ) {
            self.fate = fate
            self.location = location
            self.path = path
            self.oldPath = oldPath
            self.note = note
            self.hash = hash
            self.found = found
        }
    }

    /// Where what arrives goes.
    enum Plan: Hashable {
        /// Under its name.
        case name(DocumentDecision)
        /// The same, beside a document whose name differs by its Unicode form alone.
        case exactly
        /// What is here stays, and it lies beside that.
        case beside(reason: String)
        /// Among the copies.
        case copy(reason: String)
        /// Its hash has to be known before it is decided.
        case undecided
    }

    enum State: Hashable {
        /// Nothing happened yet. Can transition to: looking, fetching, ended.
        case waiting
        /// At what is here. Can transition to: searching, reopening, asking, fetching, placing, ended.
        case looking
        /// It was here, and is looked for under other names. Can transition to: looking, fetching, placing, ended.
        case searching
        /// The storage may show something else soon. Can transition to: looking, ended.
        case reopening(until: Instant)
        /// Apps save it and let go. Can transition to: looking, fetching, placing, ended.
        case asking(until: Instant)
        /// The bytes come. Can transition to: looking, placing, ended.
        case fetching(Plan)
        /// `isCancelled`: too late, if it succeeds. Can transition to: looking, placing, ended.
        case placing(Plan, isCancelled: Bool)
        case ended
    }

    var reference: DocumentReference
    let target: Target
    let continuation: ContinuationID
    let rate: UInt64?
    let limits: DocumentLimits

    var state = State.waiting
    /// Of what came; nil: it did not yet.
    var arrived: FileDigest?
    /// Where it was fetched for: it is put into that folder.
    var isFetchedAsCopy = false
    var haveAppsLetGo = false
    /// Where it lies in its container: not where the origin says once it was found elsewhere.
    var path: DocumentPath
    /// What was seen there last.
    var found: FoundDocument?
    var hasSearched = false
    var searchFailure: Failure?
    /// It was begun anew, for it was changed there; what it was before, where that is known.
    var hasRestarted = false
    var hashBefore: FileDigest?
    /// The file system takes both forms of its name for one.
    var foldsForm = false
    /// How often it was decided anew.
    var tries = 0
    /// Of the copies' names the next one that is tried.
    var copyNumber = 1
    /// When shared storage has shown what it will.
    var sharedUntil: Instant?

    /// `continuation`: whose copy it would be. `rate`: bytes a second that lately came from the origin; nil: not known.
    package init(
        reference: DocumentReference, target: Target, continuation: ContinuationID, rate: UInt64?,
        limits: DocumentLimits = DocumentLimits()
    ) {
        self.reference = reference
        self.target = target
        self.continuation = continuation
        self.rate = rate
        self.limits = limits
        switch reference.place {
        case .container(_, let path), .outside(let path): self.path = path
        }
    }

    package var hasEnded: Bool { state == .ended }

    package var nextDeadline: Instant? {
        switch state {
        case .reopening(let until), .asking(let until): until
        case .waiting, .looking, .searching, .fetching, .placing, .ended: nil
        }
    }

    // MARK: Events

    package mutating func begin(at now: Instant) -> Action {
        guard state == .waiting else { return .nothing }
        switch target {
        case .container: return look()
        case .copy where reference.kind == .folder:
            return notTakenAlong("It is a folder that this device does not share.")
        case .copy(let reason): return proceed(.copy(reason: reason))
        }
    }

    package mutating func looked(_ sight: Result<DocumentSight, Failure>, at now: Instant) -> Action {
        guard state == .looking else { return .nothing }
        found = if case .success(.found(let found)) = sight { found } else { nil }
        switch sight {
        case .success(let sight): return reference.kind == .folder ? seenFolder(sight) : seen(sight, at: now)
        case .failure(let failure):
            switch failure.code {
            // Whatever lies there is left alone.
            case .notAllowed, .documentGone, .limitReached: return setAside("\(failure.reason).")
            default: return end(with: failure)
            }
        }
    }

    package mutating func searched(_ path: Result<DocumentPath?, Failure>, at now: Instant) -> Action {
        guard state == .searching else { return .nothing }
        hasSearched = true
        switch path {
        case .success(nil): return create(again: true)
        case .success(let path?):
            self.path = path
            return look()
        case .failure(let failure):
            searchFailure = failure
            return create(again: true)
        }
    }

    /// `isSaved` false: one has unsaved changes that it could not save, or did not answer.
    package mutating func appsLetGo(isSaved: Bool, at now: Instant) -> Action {
        guard case .asking = state else { return .nothing }
        haveAppsLetGo = isSaved
        guard !isSaved else { return look() }
        return proceed(.beside(reason: "An app here has changes of it that were not saved."))
    }

    package mutating func arrived(_ hash: FileDigest, at now: Instant) -> Action {
        guard case .fetching(let plan) = state else { return .nothing }
        guard reference.hash == nil || reference.hash == hash else {
            return end(with: Failure(.malformed, "what came of the document is not what the other device said of it"))
        }
        arrived = hash
        if let hashBefore, hashBefore != hash { reference.known.append(hashBefore) }
        guard case .undecided = plan else { return place(plan) }
        return look()
    }

    /// It was changed there while it came: it is begun anew, once, and what comes then is decided by its bytes.
    package mutating func changedAtOrigin(at now: Instant) -> Action {
        guard case .fetching(let plan) = state else { return .nothing }
        guard !hasRestarted else {
            return end(with: Failure(.documentChanged, "the document was changed again and again while it came"))
        }
        hasRestarted = true
        hashBefore = reference.hash
        reference.hash = nil
        if case .container = target, !isFetchedAsCopy { return look() }
        return proceed(plan)
    }

    package mutating func placed(_ outcome: PlacingOutcome, at now: Instant) -> Action {
        guard case .placing(let plan, let isCancelled) = state else { return .nothing }
        switch outcome {
        case .placed(let path, let found): return finish(plan, at: path, as: found)
        case .changedMeanwhile where isCancelled: return end(with: .documentNotWanted)
        case .changedMeanwhile: return placeWasTaken(plan)
        }
    }

    package mutating func deadlineReached(at now: Instant) -> Action {
        guard let nextDeadline, nextDeadline <= now else { return .nothing }
        switch state {
        case .reopening: return look()
        case .asking: return appsLetGo(isSaved: false, at: now)
        case .waiting, .looking, .searching, .fetching, .placing, .ended: return .nothing
        }
    }

    /// The disk, the other device or the way between them.
    package mutating func failed(_ failure: Failure, at now: Instant) -> Action { end(with: failure) }

    /// By the user. What is being placed at this moment is placed.
    package mutating func cancelled() -> Action {
        guard case .placing(let plan, _) = state else { return end(with: .documentNotWanted) }
        state = .placing(plan, isCancelled: true)
        return .nothing
    }
}

extension Failure {
    fileprivate static var documentNotWanted: Failure { Failure(.cancelled, "the document is not wanted any more") }
}
