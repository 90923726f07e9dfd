// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// What is to be done about a document that comes from another device, by what each of the two had there before. Times
/// decide nothing: clocks differ, and tools set them. Why so: docs/decisions/0038.
package enum DocumentDecision: Hashable, Sendable {
    /// What is here is what comes.
    case same
    /// It was never here.
    case create
    /// It was here and is not any more.
    case createAgain
    /// What is here is what the origin had before.
    case fastForward
    /// What comes is what was here before.
    case newerHere
    /// Neither, both, or content that came back: what is here is kept as a copy.
    case conflict
    /// Several names here could be meant.
    case ambiguous
    /// A folder lies there and a file comes, or the other way round.
    case otherKind
    /// The hash of one of the two has to be known first.
    case undecided

    /// `hash`: of what comes, where it is known. `history`: ours of that place, whether or not it has what lies there
    /// now.
    package init(
        of reference: DocumentReference, hash: FileDigest?, here sight: DocumentSight, history: DocumentHistory?
    ) {
        switch sight {
        case .nothing: self = history?.hashes.isEmpty ?? true ? .create : .createAgain
        case .ambiguous: self = .ambiguous
        case .found(let found) where found.kind != reference.kind: self = .otherKind
        case .found(let found):
            guard let theirs = hash, let ours = found.hash else {
                self = .undecided
                return
            }
            // Who does not know what is there now may have noted it last.
            let isNotedLast = reference.hash == nil && reference.known.last == theirs
            let known = isNotedLast ? reference.known.dropLast() : reference.known
            // It may have been changed by anybody since it was noted last.
            self.init(theirs, after: known, ours: ours, after: history?.hashes(before: ours) ?? [])
        }
    }

    /// Two contents, each with what was in its place before it.
    private init(_ theirs: FileDigest, after known: [FileDigest], ours: FileDigest, after earlier: [FileDigest]) {
        if theirs == ours {
            self = .same
        } else if known.contains(theirs) || earlier.contains(ours) {
            // Who went back to it meant to, and the lists cannot say what it went back from.
            self = .conflict
        } else {
            switch (known.contains(ours), earlier.contains(theirs)) {
            case (true, false): self = .fastForward
            case (false, true): self = .newerHere
            case (true, true), (false, false): self = .conflict
            }
        }
    }
}
