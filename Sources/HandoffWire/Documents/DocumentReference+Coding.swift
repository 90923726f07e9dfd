// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

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
    /// Empty: none.
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
    /// Empty: none.
    init(wire bytes: some Collection<UInt8>) throws(WireError) {
        self = bytes.isEmpty ? nil : try AbsolutePath(bytes: bytes)
    }
}
