// SPDX-License-Identifier: Apache-2.0

/// A file that goes along with an activity: what the origin says of it.
package struct DocumentReference: Hashable, Sendable {
    package enum Place: Hashable, Sendable {
        case container(ContainerID, DocumentPath)
        /// In no folder that both devices know; the name alone.
        case outside(name: DocumentPath)
    }

    /// Of the `Value.document` that stands for it, below `Limits.documents`.
    package var index: UInt32
    package var place: Place
    package var kind: DocumentKind
    /// Bytes, at most `Limits.documentBytes`; of a package those of all members.
    package var size: UInt64
    package var modified: FileTime
    /// Permission bits, at most 0o777.
    package var mode: UInt16
    /// Of the content, of a package that of its manifest. Nil: not known yet.
    package var hash: FileDigest?
    /// What the origin had there before, oldest first, at most `Limits.knownHashes`. `hash` is among them only if it came
    /// back. Where it is not known, the last of them may be it.
    package var known: [FileDigest]

    package init(
        index: UInt32, place: Place, kind: DocumentKind = .file, size: UInt64, modified: FileTime, mode: UInt16 = 0o644,
        hash: FileDigest?, known: [FileDigest] = []
    ) {
        self.index = index
        self.place = place
        self.kind = kind
        self.size = size
        self.modified = modified
        self.mode = mode
        self.hash = hash
        self.known = known
    }

    /// What it is called, for people.
    package var shownName: String {
        switch place {
        case .container(_, let path), .outside(let path): path.shownName
        }
    }
}

package enum DocumentKind: Int, Sendable, Hashable, CaseIterable {
    case file = 1
    /// A folder that is one document.
    case package = 2
    /// The place alone; nothing of what is in it.
    case folder = 3
}

/// Nanoseconds since 1970, as a file system has it.
package struct FileTime: Hashable, Sendable, Comparable {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Beyond what there is room for: the last moment, or the first.
    package init(seconds: Int, nanoseconds: Int) {
        let (whole, overflow) = Int64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isOver) = whole.addingReportingOverflow(Int64(nanoseconds))
        self.nanoseconds = overflow || isOver ? (seconds < 0 ? .min : .max) : sum
    }

    package static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }
}

/// What became of a document that went along.
package struct DeliveredDocument: Hashable, Sendable {
    /// In userInfo, on this device. Empty if it did not travel and null replaces it.
    package var url: String
    package var fate: DocumentFate
    /// Where it is stored, or will be. Nil if it did not travel.
    package var path: AbsolutePath?
    /// In a conflict: what was here before.
    package var keptCopy: AbsolutePath?
    /// For people, where something is to be said.
    package var note: String?

    package init(
        url: String, fate: DocumentFate, path: AbsolutePath?, keptCopy: AbsolutePath? = nil, note: String? = nil
    ) {
        self.url = url
        self.fate = fate
        self.path = path
        self.keptCopy = keptCopy
        self.note = note
    }
}

package enum DocumentFate: Int, Sendable, Hashable, CaseIterable {
    /// It was here already.
    case same = 1
    case created = 2
    /// The origin's took the place of an older one.
    case replaced = 3
    /// What is here is newer, and stays.
    case newerHere = 4
    /// Both were changed: the origin's took the name, what was here is kept as a copy beside it.
    case conflict = 5
    /// Of a file that lies in no folder of both: changes do not go back.
    case copy = 6
    /// It comes when the app asks for it.
    case pending = 7
    /// It did not travel; null replaces it.
    case notTakenAlong = 8
}
