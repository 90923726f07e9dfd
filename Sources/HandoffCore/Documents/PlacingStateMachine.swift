// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// What is to take its place.
package struct PlacingPlan: Hashable, Sendable {
    /// What has to lie there right before; nil: nothing may.
    package var replaces: FileVersion?
    /// What lies there is kept beside it, too.
    package var keepsCopy: Bool
    /// What comes is a package.
    package var isFolder: Bool
    /// What comes has a hidden name already: every folder has, and a file where none is without.
    package var isNamed: Bool

    package init(replaces: FileVersion?, keepsCopy: Bool = false, isFolder: Bool = false, isNamed: Bool = false) {
        self.replaces = replaces
        self.keepsCopy = keepsCopy
        self.isFolder = isFolder
        self.isNamed = isNamed
    }
}

/// One thing to do on the disk. Whatever ends in the middle of one has not begun, or is done.
package enum PlacingStep: Hashable, Sendable, CaseIterable {
    /// See what is under the name: `looked`.
    case look
    /// Keep what is there among the versions, and wait until that is on the disk: `kept`.
    case keep
    /// Give it, or a copy of it, the name of the conflict copy as well: `kept`.
    case copy
    /// Give the file that comes its hidden name.
    case giveName
    /// Swap what comes and what is there: what is there has the hidden name then.
    case exchange
    /// See what that was, or what was moved aside: `looked`.
    case lookAtReplaced
    /// Swap them once more.
    case exchangeBack
    /// Put what comes in the place of the file that is there.
    case replace
    /// Give the package that is there a hidden name.
    case moveAside
    /// Give it its name again.
    case moveBack
    /// Give what comes the name, where nothing has it.
    case takeName
    /// Remove what has the hidden name now.
    case removeReplaced
    /// Wait until the folder is on the disk.
    case sync
    /// Remove what came from its hidden name.
    case removeComing
    case removeCopy
    case removeVersion
}

package enum PlacingAction: Hashable, Sendable {
    case perform(PlacingStep)
    case end(PlacingEnd)
}

package enum PlacingEnd: Hashable, Sendable {
    case placed
    /// What is there is not what was to be replaced. What came still is where it was.
    case changedMeanwhile
    case failed(Failure)
}

/// The steps by which a document that is on the disk under no name, or a hidden one, takes its place, and what is undone when
/// one of them fails: it says the next step and is told how it went.
///
/// At any moment the old document or the new one is whole under the name, but for packages on a file system that cannot swap
/// two names. What was there is among the versions, on the disk, before the name is touched; and where names can be swapped,
/// nothing but that can get lost, whoever else writes there.
package struct PlacingStateMachine: ~Copyable {
    private enum State {
        /// Nothing was done. Can transition to: looking.
        case fresh
        /// What is there is compared with what should be. Can transition to: keeping, takingName, undoing, ended.
        case looking
        /// It becomes a version. Can transition to: copying, lookingAgain, undoing.
        case keeping
        /// It becomes the conflict copy. Can transition to: lookingAgain, undoing.
        case copying
        /// That took its time, so it is compared once more. Can transition to: naming, swapping, undoing.
        case lookingAgain
        /// The file gets its hidden name. Can transition to: swapping, undoing.
        case naming
        /// By `exchange`, `replace` or `moveAside`. Can transition to: itself by `moveAside`, lookingLast, checking,
        /// checkingAside, syncing, undoing.
        case swapping(PlacingStep)
        /// It cannot be swapped, but replaced blindly, so it is compared right before. Can transition to: swapping, undoing.
        case lookingLast
        /// What was swapped out is compared with what should have been. Can transition to: clearing, swappingBack.
        case checking
        /// So is what was moved aside. Can transition to: takingName, movingBack.
        case checkingAside
        /// It was something else, which gets its name back. Can transition to: undoing, ended.
        case swappingBack(PlacingEnd)
        /// The name is free, and is taken; `movedAside`: we made it free. Can transition to: clearing, syncing, movingBack,
        /// undoing, ended.
        case takingName(movedAside: Bool)
        /// What was moved aside gets its name back; `isKept`: it is what is among the versions. Can transition to: clearing,
        /// undoing, ended.
        case movingBack(PlacingEnd, isKept: Bool)
        /// What was replaced is removed. Can transition to: syncing, ended.
        case clearing(PlacingEnd)
        /// It is there; the folder is synced. Can transition to: ended.
        case syncing
        /// What was done goes, the last first. Can transition to: ended.
        case undoing(ArraySlice<PlacingStep>, PlacingEnd)
        case ended
    }

    private let plan: PlacingPlan
    private var state = State.fresh
    /// What has to be under the name: `plan.replaces`, and once links to it were made, as it is since then.
    private var expected: FileVersion?
    private var keepsVersion = false
    private var hasCopy = false
    private var isNamed: Bool

    package init(_ plan: PlacingPlan) {
        self.plan = plan
        expected = plan.replaces
        isNamed = plan.isNamed
    }

    package mutating func begun() -> PlacingAction {
        guard case .fresh = state else { preconditionFailure("a document takes its place once") }
        return next(.looking, .look)
    }

    /// What `look` or `lookAtReplaced` saw.
    package mutating func looked(_ version: FileVersion?) -> PlacingAction {
        switch state {
        case .looking:
            guard version == expected else { return undo(.changedMeanwhile) }
            guard version != nil else { return next(.takingName(movedAside: false), .takeName) }
            keepsVersion = true
            return next(.keeping, .keep)
        case .lookingAgain:
            guard version == expected else { return undo(.changedMeanwhile) }
            return isNamed ? swap(.exchange) : next(.naming, .giveName)
        case .lookingLast: return version == expected ? swap(.replace) : undo(.changedMeanwhile)
        case .checking:
            guard let version, let expected, version.isSame(butForItsChange: expected) else {
                return next(.swappingBack(.changedMeanwhile), .exchangeBack)
            }
            return next(.clearing(.placed), .removeReplaced)
        case .checkingAside:
            guard let version, let expected, version.isSame(butForItsChange: expected) else {
                return next(.movingBack(.changedMeanwhile, isKept: false), .moveBack)
            }
            return next(.takingName(movedAside: true), .takeName)
        default: preconditionFailure("nobody was to look")
        }
    }

    /// `keep` or `copy` is done; `version`: what they kept, as it is now, with more links to it.
    package mutating func kept(_ version: FileVersion) -> PlacingAction {
        guard let expected, version.isSame(butForItsChange: expected) else {
            if case .copying = state { hasCopy = true }
            return undo(.changedMeanwhile)
        }
        self.expected = version
        switch state {
        case .keeping where plan.keepsCopy: return next(.copying, .copy)
        case .keeping: return next(.lookingAgain, .look)
        case .copying:
            hasCopy = true
            return next(.lookingAgain, .look)
        default: preconditionFailure("nothing was to be kept")
        }
    }

    /// Any other step is done.
    package mutating func done() -> PlacingAction {
        switch state {
        case .naming:
            isNamed = true
            return swap(.exchange)
        case .swapping(.exchange): return next(.checking, .lookAtReplaced)
        case .swapping(.moveAside): return next(.checkingAside, .lookAtReplaced)
        case .swapping: return next(.syncing, .sync)
        case .takingName(let movedAside):
            return movedAside ? next(.clearing(.placed), .removeReplaced) : next(.syncing, .sync)
        case .swappingBack(let end): return undo(end)
        case .movingBack(let end, _): return undo(end)
        case .clearing(.placed): return next(.syncing, .sync)
        case .clearing(let end): return self.end(end)
        case .syncing: return end(.placed)
        case .undoing(let rest, let end): return undoNext(rest, end)
        default: preconditionFailure("nothing was to be done")
        }
    }

    /// The file system cannot swap two names.
    package mutating func unsupported() -> PlacingAction {
        guard case .swapping(.exchange) = state else { preconditionFailure("only a swap can be done in another way") }
        return plan.isFolder ? swap(.moveAside) : next(.lookingLast, .look)
    }

    /// The name that was to be taken is taken, or the one that was to be replaced is gone.
    package mutating func nameChanged() -> PlacingAction {
        switch state {
        // Whoever took the name keeps it. What lay there is among the versions, and stays there.
        case .takingName(movedAside: true): next(.clearing(.changedMeanwhile), .removeReplaced)
        case .movingBack(let end, isKept: true): next(.clearing(end), .removeReplaced)
        case .movingBack(let end, isKept: false): self.end(end)
        default: undo(.changedMeanwhile)
        }
    }

    package mutating func failed(_ failure: Failure) -> PlacingAction {
        switch state {
        // It is there all the same; what could not be removed goes when the folder is used next.
        case .clearing(.placed): next(.syncing, .sync)
        case .clearing(let end): self.end(end)
        case .syncing: end(.failed(failure))
        case .checking: next(.swappingBack(.failed(failure)), .exchangeBack)
        case .checkingAside: next(.movingBack(.failed(failure), isKept: false), .moveBack)
        case .takingName(movedAside: true): next(.movingBack(.failed(failure), isKept: true), .moveBack)
        // What was there has a hidden name: nothing more is removed.
        case .swappingBack, .movingBack: end(.failed(failure))
        case .undoing(let rest, let end): undoNext(rest, end)
        case .ended: preconditionFailure("nothing was to be done")
        default: undo(.failed(failure))
        }
    }

    private mutating func next(_ state: State, _ step: PlacingStep) -> PlacingAction {
        self.state = state
        return .perform(step)
    }

    private mutating func swap(_ step: PlacingStep) -> PlacingAction { next(.swapping(step), step) }

    private mutating func undo(_ end: PlacingEnd) -> PlacingAction {
        var steps: [PlacingStep] = []
        // Another try may follow a change, but nothing a failure.
        if isNamed, end != .changedMeanwhile { steps.append(.removeComing) }
        if hasCopy { steps.append(.removeCopy) }
        if keepsVersion { steps.append(.removeVersion) }
        return undoNext(steps[...], end)
    }

    private mutating func undoNext(_ steps: ArraySlice<PlacingStep>, _ end: PlacingEnd) -> PlacingAction {
        guard let step = steps.first else { return self.end(end) }
        return next(.undoing(steps.dropFirst(), end), step)
    }

    private mutating func end(_ end: PlacingEnd) -> PlacingAction {
        state = .ended
        return .end(end)
    }
}

extension FileVersion {
    /// A link to it changes the time of its last change, and nothing else that is looked at.
    package func isSame(butForItsChange other: FileVersion) -> Bool {
        var same = self
        same.changed = other.changed
        return same == other
    }
}
