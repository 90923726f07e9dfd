// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

/// A file that travels with an activity, as its origin describes it.
package struct DocumentReference: Hashable, Sendable {
    package enum Place: Hashable, Sendable {
        case container(ContainerID, DocumentPath)
        /// Not in a shared folder; only the name is known.
        case outside(name: DocumentPath)
    }

    /// The index of its `Value.document`, below `Limits.documents`.
    package var index: UInt32
    package var place: Place
    package var kind: DocumentKind
    /// Bytes, at most `Limits.documentBytes`; for a package, the sum of all members.
    package var size: UInt64
    package var modified: FileTime
    /// Permission bits, at most 0o777.
    package var mode: UInt16
    /// For a package, the manifest's. Nil: not known yet.
    package var hash: FileDigest?
    /// Earlier contents at the origin, oldest first, at most `Limits.knownHashes`. They include `hash` only if that
    /// content returned. If `hash` is nil, the last may be current.
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

    package var shownName: String {
        switch place {
        case .container(_, let path), .outside(let path): path.shownName
        }
    }
}

package enum DocumentKind: Int, Sendable, Hashable, CaseIterable {
    case file = 1
    case package = 2
    /// Its content does not travel.
    case folder = 3
}

/// Nanoseconds since 1970.
package struct FileTime: Hashable, Sendable, Comparable {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Saturates.
    package init(seconds: Int, nanoseconds: Int) {
        let (whole, overflow) = Int64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isOver) = whole.addingReportingOverflow(Int64(nanoseconds))
        self.nanoseconds = overflow || isOver ? (seconds < 0 ? .min : .max) : sum
    }

    package static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }
}

package struct DeliveredDocument: Hashable, Sendable {
    /// In userInfo, on this device. Empty if null replaces it.
    package var url: String
    package var fate: DocumentFate
    package var path: AbsolutePath?
    /// In a conflict, the previous local version.
    package var keptCopy: AbsolutePath?
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
    case same = 1
    case created = 2
    case replaced = 3
    /// The local version is newer and stays.
    case newerHere = 4
    /// Both changed: the origin's version took the name, the local one became a copy.
    case conflict = 5
    /// Not in a shared container: changes do not travel back.
    case copy = 6
    /// Fetched when the app asks.
    case pending = 7
    /// Null replaces it.
    case notTakenAlong = 8
}

extension PBDocumentReference {
    init(_ reference: DocumentReference) {
        self.init()
        index = reference.index
        switch reference.place {
        case .container(let container, let path):
            self.container = container.name
            self.path = path.bytes.data
        case .outside(let name): path = name.bytes.data
        }
        kind = PBDocumentKind(rawValue: reference.kind.rawValue) ?? .unspecified
        size = reference.size
        modifiedNs = reference.modified.nanoseconds
        mode = UInt32(reference.mode)
        hash = (reference.hash?.bytes ?? []).data
        known = reference.known.map(\.bytes.data)
    }
}

extension DocumentReference {
    init(_ message: PBDocumentReference) throws(WireError) {
        guard message.index < Limits.documents else {
            throw WireError(.limitReached, "more than \(Limits.documents) documents with one activity")
        }
        guard let kind = DocumentKind(rawValue: message.kind.rawValue) else {
            throw WireError(.unknownKind, "a document of a kind that this version does not know")
        }
        let path = try DocumentPath(bytes: message.path)
        let place: Place
        if message.container.isEmpty {
            guard path.parts.count == 1 else {
                throw WireError(.malformed, "a document outside any container has a name, and no folder")
            }
            place = .outside(name: path)
        } else {
            place = .container(try ContainerID(message.container), path)
        }
        guard message.known.count <= Limits.knownHashes else {
            throw WireError(.limitReached, "more than \(Limits.knownHashes) known hashes of a document")
        }
        self.init(
            index: message.index, place: place, kind: kind, size: try UInt64(documentBytes: message.size),
            modified: FileTime(nanoseconds: message.modifiedNs), mode: try UInt16(permissions: message.mode),
            hash: try FileDigest?(wire: message.hash), known: try [FileDigest](wire: message.known))
    }
}

extension [DocumentReference] {
    init(_ messages: [PBDocumentReference]) throws(WireError) {
        guard messages.count <= Limits.documents else {
            throw WireError(.limitReached, "more than \(Limits.documents) documents with one activity")
        }
        self.init()
        var indices: Set<UInt32> = []
        for message in messages {
            append(try DocumentReference(message))
            guard indices.insert(message.index).inserted else {
                throw WireError(.malformed, "two documents have the same index")
            }
        }
    }
}

extension UInt64 {
    init(documentBytes: UInt64) throws(WireError) {
        guard documentBytes <= Limits.documentBytes else {
            throw WireError(.tooLarge, "a document has \(documentBytes) bytes, more than a file can have")
        }
        self = documentBytes
    }
}

extension UInt16 {
    init(permissions: UInt32) throws(WireError) {
        guard permissions <= 0o777 else { throw WireError(.malformed, "a document's mode is at most 0777") }
        self = UInt16(permissions)
    }
}

extension FileDigest? {
    init(wire bytes: some Collection<UInt8>) throws(WireError) {
        self = bytes.isEmpty ? nil : try FileDigest(bytes: bytes)
    }
}

extension [FileDigest] {
    init(wire hashes: some Sequence<some Collection<UInt8>>) throws(WireError) {
        self.init()
        for hash in hashes { append(try FileDigest(bytes: hash)) }
    }
}

extension PBDeliveredDocument {
    init(_ document: DeliveredDocument) {
        self.init()
        url = document.url
        fate = PBDocumentFate(rawValue: document.fate.rawValue) ?? .unspecified
        path = (document.path?.bytes ?? []).data
        keptCopy = (document.keptCopy?.bytes ?? []).data
        note = document.note ?? ""
    }
}

extension DeliveredDocument {
    init(_ message: PBDeliveredDocument) throws(WireError) {
        guard let fate = DocumentFate(rawValue: message.fate.rawValue) else {
            throw WireError(.unknownKind, "a document with a fate that this version does not know")
        }
        self.init(
            url: message.url, fate: fate, path: try AbsolutePath?(wire: message.path),
            keptCopy: try AbsolutePath?(wire: message.keptCopy), note: message.note.isEmpty ? nil : message.note)
    }
}

extension [DeliveredDocument] {
    init(_ messages: [PBDeliveredDocument]) throws(WireError) {
        guard messages.count <= Limits.documents else {
            throw WireError(.limitReached, "more than \(Limits.documents) documents with one activity")
        }
        self.init()
        for message in messages { append(try DeliveredDocument(message)) }
    }
}

extension AbsolutePath? {
    init(wire bytes: some Collection<UInt8>) throws(WireError) {
        self = bytes.isEmpty ? nil : try AbsolutePath(bytes: bytes)
    }
}
