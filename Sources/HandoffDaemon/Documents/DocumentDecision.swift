// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// Decides from earlier contents on both devices. Ignores times, because clocks differ and tools set them
/// (docs/decisions/0038).
enum DocumentDecision: Hashable, Sendable {
    case same
    case create
    /// The document was deleted here.
    case createAgain
    /// The content here is an earlier content of the origin.
    case fastForward
    /// The incoming content is an earlier content of this device.
    case newerHere
    /// Neither content precedes the other, each does, or an earlier content was restored. The local content becomes a
    /// copy.
    case conflict
    /// Several names here match.
    case ambiguous
    /// A file is here and a folder arrives, or vice versa.
    case otherKind
    /// A hash is still missing.
    case undecided

    /// `hash`: of the incoming content, if known. `history`: may include the present content.
    init(
        of reference: DocumentReference, hash: FileDigest?, here sight: DocumentSnapshot, history: DocumentHistory?
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
            // An origin that does not know its present content may have noted it last.
            let isNotedLast = reference.hash == nil && reference.known.last == theirs
            let known = isNotedLast ? reference.known.dropLast() : reference.known
            // The file may have changed since it was last noted.
            self.init(theirs, after: known, ours: ours, after: history?.hashes(before: ours) ?? [])
        }
    }

    private init(_ theirs: FileDigest, after known: [FileDigest], ours: FileDigest, after earlier: [FileDigest]) {
        if theirs == ours {
            self = .same
        } else if known.contains(theirs) || earlier.contains(ours) {
            // Restored; the lists do not show the content that it replaced.
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
