// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

struct PlacementPlan: Hashable, Sendable {
    /// The file to replace; nil if the name must be free.
    var replaces: FileVersion?
    /// The previous file is also kept next to the new one.
    var keepsCopy: Bool = false
    var isFolder: Bool = false
    /// For folders, and for files without support for unnamed files.
    var isNamed: Bool = false
}

/// An atomic operation: a crash leaves it either not begun or done.
enum PlacementStep: Hashable, Sendable, CaseIterable {
    /// Answer: `looked`.
    case look
    /// Syncs the version. Answer: `kept`.
    case keep
    /// Also makes the conflict copy. Answer: `kept`.
    case copy
    case giveName
    /// Swaps the arrival with the file there, which gets the hidden name.
    case exchange
    case lookAtReplaced
    case exchangeBack
    case replace
    case moveAside
    case moveBack
    /// Only if the name is free.
    case takeName
    case removeReplaced
    /// Waits until the folder is on the disk.
    case sync
    case removeUnplaced
    case removeCopy
    case removeVersion
}

enum PlacementAction: Hashable, Sendable {
    case perform(PlacementStep)
    case end(PlacementEnd)
}

enum PlacementEnd: Hashable, Sendable {
    case placed
    /// The arrival has not moved.
    case changedMeanwhile
    case failed(Failure)
}

/// After a failure, the earlier steps are undone.
///
/// At any moment, the old or the new document is complete under the name, except for a package on a file system that
/// cannot swap names. The previous file is kept as a version before the name is touched. With swaps, no other writer's
/// file can be lost either.
struct PlacementStateMachine: ~Copyable {
    private enum State {
        /// Can transition to: looking.
        case fresh
        /// Can transition to: keeping, takingName, undoing, ended.
        case looking
        /// Can transition to: copying, lookingAgain, undoing.
        case keeping
        /// Can transition to: lookingAgain, undoing.
        case copying
        /// Comparing again, because keeping took time. Can transition to: naming, swapping, undoing.
        case lookingAgain
        /// Can transition to: swapping, undoing.
        case naming
        /// By `exchange`, `replace` or `moveAside`. Can transition to: itself by `moveAside`, lookingLast, checking,
        /// checkingAside, syncing, undoing.
        case swapping(PlacementStep)
        /// Unlike a swap, a replacement cannot be reversed, so the file is compared right before. Can transition to:
        /// swapping, undoing.
        case lookingLast
        /// Can transition to: clearing, swappingBack.
        case checking
        /// Can transition to: takingName, movingBack.
        case checkingAside
        /// It was a different file, which gets its name back. Can transition to: undoing, ended.
        case swappingBack(PlacementEnd)
        /// The arrival takes the free name; `movedAside`: the machine freed it. Can transition to: clearing, syncing,
        /// movingBack, undoing, ended.
        case takingName(movedAside: Bool)
        /// The package that was moved aside gets its name back; `isKept`: the versions contain it. Can transition to:
        /// clearing, undoing, ended.
        case movingBack(PlacementEnd, isKept: Bool)
        /// Can transition to: syncing, ended.
        case clearing(PlacementEnd)
        /// Can transition to: ended.
        case syncing
        /// Undoing steps, the last first. Can transition to: ended.
        case undoing(ArraySlice<PlacementStep>, PlacementEnd)
        case ended
    }

    private let plan: PlacementPlan
    private var state = State.fresh
    /// `plan.replaces`, updated after links to it were made.
    private var expected: FileVersion?
    private var keepsVersion = false
    private var hasCopy = false
    private var isNamed: Bool

    init(_ plan: PlacementPlan) {
        self.plan = plan
        expected = plan.replaces
        isNamed = plan.isNamed
    }

    mutating func begun() -> PlacementAction {
        guard case .fresh = state else { preconditionFailure("a document is placed only once") }
        return next(.looking, .look)
    }

    mutating func looked(_ version: FileVersion?) -> PlacementAction {
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
        default: preconditionFailure("no look was requested")
        }
    }

    /// `version`: the kept file, with more links.
    mutating func kept(_ version: FileVersion) -> PlacementAction {
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
        default: preconditionFailure("no copy was requested")
        }
    }

    mutating func done() -> PlacementAction {
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
        default: preconditionFailure("no step was requested")
        }
    }

    mutating func unsupported() -> PlacementAction {
        guard case .swapping(.exchange) = state else { preconditionFailure("only a swap has an alternative") }
        return plan.isFolder ? swap(.moveAside) : next(.lookingLast, .look)
    }

    /// Another program took the free name, or the file to replace is gone.
    mutating func nameChanged() -> PlacementAction {
        switch state {
        // The other program's file keeps the name.
        case .takingName(movedAside: true): next(.clearing(.changedMeanwhile), .removeReplaced)
        case .movingBack(let end, isKept: true): next(.clearing(end), .removeReplaced)
        case .movingBack(let end, isKept: false): self.end(end)
        default: undo(.changedMeanwhile)
        }
    }

    mutating func failed(_ failure: Failure) -> PlacementAction {
        switch state {
        // The document is placed. The remaining file is removed when the folder is used next.
        case .clearing(.placed): next(.syncing, .sync)
        case .clearing(let end): self.end(end)
        case .syncing: end(.failed(failure))
        case .checking: next(.swappingBack(.failed(failure)), .exchangeBack)
        case .checkingAside: next(.movingBack(.failed(failure), isKept: false), .moveBack)
        case .takingName(movedAside: true): next(.movingBack(.failed(failure), isKept: true), .moveBack)
        // The previous file has a hidden name, so no file is removed.
        case .swappingBack, .movingBack: end(.failed(failure))
        case .undoing(let rest, let end): undoNext(rest, end)
        case .ended: preconditionFailure("no step was requested")
        default: undo(.failed(failure))
        }
    }

    private mutating func next(_ state: State, _ step: PlacementStep) -> PlacementAction {
        self.state = state
        return .perform(step)
    }

    private mutating func swap(_ step: PlacementStep) -> PlacementAction { next(.swapping(step), step) }

    private mutating func undo(_ end: PlacementEnd) -> PlacementAction {
        var steps: [PlacementStep] = []
        // After a change, the caller may try again with the arrival.
        if isNamed, end != .changedMeanwhile { steps.append(.removeUnplaced) }
        if hasCopy { steps.append(.removeCopy) }
        if keepsVersion { steps.append(.removeVersion) }
        return undoNext(steps[...], end)
    }

    private mutating func undoNext(_ steps: ArraySlice<PlacementStep>, _ end: PlacementEnd) -> PlacementAction {
        guard let step = steps.first else { return self.end(end) }
        return next(.undoing(steps.dropFirst(), end), step)
    }

    private mutating func end(_ end: PlacementEnd) -> PlacementAction {
        state = .ended
        return .end(end)
    }
}

extension FileVersion {
    /// A new link changes only the time of the last change.
    func isSame(butForItsChange other: FileVersion) -> Bool {
        var same = self
        same.changed = other.changed
        return same == other
    }
}
