// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// The reception of one document.
///
///     waiting -> looking <-> asking, searching, reopening
///                looking -> fetching -> placing -> ended
///                   ^------- file changed ------/
///
/// The local file is examined before the request, and again right before it is replaced. A failure never changes it. A
/// complete arrival is never discarded because of it, but stored next to it.
struct DocumentTransferStateMachine: ~Copyable {
    enum Target: Hashable, Sendable {
        case container(ContainerID, folder: AbsolutePath, storage: DocumentStorage, history: DocumentHistory?)
        /// A separate copy. `reason` is for the user.
        case copy(reason: String)
    }

    enum Action: Equatable {
        /// `looked` follows.
        case look(DocumentLocation, asPackage: Bool, hashing: UInt64)
        /// `searched` follows.
        case find(FileNumber, size: UInt64, hash: FileDigest?, in: AbsolutePath)
        /// Apps must save and release it. `appsLetGo` or the deadline follows.
        case askApps(AbsolutePath)
        /// `basis`: local files with reusable parts. `arrived` or `failed` follows.
        case fetch(DocumentForm, for: DocumentLocation, basis: [DocumentLocation])
        /// `keepsCopy`: the previous file also becomes a conflict copy, unless an identical copy exists. `placed` or
        /// `failed` follows.
        case place(DocumentLocation, replaces: FileVersion?, keepsCopy: Bool)
        /// Under exactly that name, next to a file whose name has the other Unicode form. `placed` or `failed` follows.
        case placeExactly(DocumentLocation)
        /// Next to the file there, as a conflict copy. `placed` or `failed` follows.
        case placeBeside(DocumentLocation)
        /// Shared storage may still show the origin's content.
        case wait(until: Instant)
        /// Discard an arrival that was not placed.
        case finish(Finished)
        /// Discard the arrival.
        case fail(Failure)
        case nothing
    }

    struct Finished: Hashable, Sendable {
        var fate: DocumentFate
        var location: DocumentLocation
        /// Nil: the URL stays as sent.
        var path: AbsolutePath?
        var oldPath: DocumentPath?
        var note: String?
        var hash: FileDigest?
        var found: FoundDocument?
    }

    enum Plan: Hashable {
        case name(DocumentDecision)
        /// Next to a document with the other Unicode form of the name.
        case exactly
        /// Next to the unchanged local file.
        case beside(reason: String)
        case copy(reason: String)
        case undecided
    }

    enum State: Hashable {
        /// Can transition to: looking, fetching, ended.
        case waiting
        /// Can transition to: searching, reopening, asking, fetching, placing, ended.
        case looking
        /// The document was here; other names are searched. Can transition to: looking, fetching, placing, ended.
        case searching
        /// The storage may soon show something else. Can transition to: looking, ended.
        case reopening(until: Instant)
        /// Apps save and release the document. Can transition to: looking, fetching, placing, ended.
        case asking(until: Instant)
        /// Can transition to: looking, placing, ended.
        case fetching(Plan)
        /// `isCancelled` has no effect if placing succeeds. Can transition to: looking, placing, ended.
        case placing(Plan, isCancelled: Bool)
        case ended
    }

    var reference: DocumentReference
    let target: Target
    let continuation: ContinuationID
    let rate: UInt64?
    let limits: DocumentLimits

    var state = State.waiting
    /// Nil until complete.
    var arrived: FileDigest?
    /// Only the folder of copies can take it.
    var isFetchedAsCopy = false
    var haveAppsLetGo = false
    /// Differs from the origin's path if the document was found elsewhere.
    var path: DocumentPath
    var found: FoundDocument?
    var hasSearched = false
    var searchFailure: Failure?
    /// The origin changed the document. `hashBefore`: its earlier hash, if known.
    var hasRestarted = false
    var hashBefore: FileDigest?
    /// The file system treats both Unicode forms as equal.
    var foldsForm = false
    var tries = 0
    var copyNumber = 1
    var sharedUntil: Instant?

    /// `continuation`: owns a copy. `rate`: from the origin, recent bytes per second; nil: unknown.
    init(
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

    var hasEnded: Bool { state == .ended }

    var step: DocumentStep {
        switch state {
        case .waiting, .looking, .searching, .reopening, .ended: .looking
        case .asking: .askingApp
        case .fetching: .receiving
        case .placing: .placing
        }
    }

    var nextDeadline: Instant? {
        switch state {
        case .reopening(let until), .asking(let until): until
        case .waiting, .looking, .searching, .fetching, .placing, .ended: nil
        }
    }

    // MARK: Events

    mutating func begin(at now: Instant) -> Action {
        guard state == .waiting else { return .nothing }
        switch target {
        case .container: return look()
        case .copy where reference.kind == .folder:
            return notTakenAlong("It is a folder that this device does not share.")
        case .copy(let reason): return proceed(.copy(reason: reason))
        }
    }

    mutating func looked(_ sight: Result<DocumentSnapshot, Failure>, at now: Instant) -> Action {
        guard state == .looking else { return .nothing }
        found = if case .success(.found(let found)) = sight { found } else { nil }
        switch sight {
        case .success(let sight): return reference.kind == .folder ? seenFolder(sight) : seen(sight, at: now)
        case .failure(let failure):
            switch failure.code {
            case .notAllowed, .documentGone, .limitReached: return setAside("\(failure.reason).")
            default: return end(with: failure)
            }
        }
    }

    mutating func searched(_ path: Result<DocumentPath?, Failure>, at now: Instant) -> Action {
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

    mutating func appsLetGo(isSaved: Bool, at now: Instant) -> Action {
        guard case .asking = state else { return .nothing }
        haveAppsLetGo = isSaved
        guard !isSaved else { return look() }
        return proceed(.beside(reason: "An app here has unsaved changes to it."))
    }

    mutating func arrived(_ hash: FileDigest, at now: Instant) -> Action {
        guard case .fetching(let plan) = state else { return .nothing }
        guard reference.hash == nil || reference.hash == hash else {
            return end(
                with: Failure(.malformed, "the document that arrived differs from the other device's description"))
        }
        arrived = hash
        if let hashBefore, hashBefore != hash {
            reference.known = (reference.known + [hashBefore]).suffix(Limits.knownHashes)
        }
        guard case .undecided = plan else { return place(plan) }
        return look()
    }

    /// Restarts once; then the arrival's hash decides.
    mutating func changedAtOrigin(at now: Instant) -> Action {
        guard case .fetching(let plan) = state else { return .nothing }
        guard !hasRestarted else {
            return end(with: Failure(.documentChanged, "the document kept changing while it arrived"))
        }
        hasRestarted = true
        hashBefore = reference.hash
        reference.hash = nil
        // An app may have opened it again.
        haveAppsLetGo = false
        if case .container = target, !isFetchedAsCopy { return look() }
        return proceed(plan)
    }

    mutating func placed(_ outcome: PlacementOutcome, at now: Instant) -> Action {
        guard case .placing(let plan, let isCancelled) = state else { return .nothing }
        switch outcome {
        case .placed(let path, let found): return finish(plan, at: path, as: found)
        case .changedMeanwhile where isCancelled: return end(with: .documentNotWanted)
        case .changedMeanwhile: return placeWasTaken(plan)
        }
    }

    mutating func deadlineReached(at now: Instant) -> Action {
        guard let nextDeadline, nextDeadline <= now else { return .nothing }
        switch state {
        case .reopening: return look()
        case .asking: return appsLetGo(isSaved: false, at: now)
        case .waiting, .looking, .searching, .fetching, .placing, .ended: return .nothing
        }
    }

    mutating func failed(_ failure: Failure, at now: Instant) -> Action { end(with: failure) }

    mutating func cancelled() -> Action {
        guard case .placing(let plan, _) = state else { return end(with: .documentNotWanted) }
        state = .placing(plan, isCancelled: true)
        return .nothing
    }
}

extension Failure {
    fileprivate static var documentNotWanted: Failure { Failure(.cancelled, "the document is no longer wanted") }
}
