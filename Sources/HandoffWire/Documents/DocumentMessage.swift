// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

/// The receiver sends `ask`, gets `head`, sends `wish` if there is a list, and gets `data` and `tail`.
package enum DocumentMessage: Hashable, Sendable {
    case ask(DocumentForm)
    case head(DocumentHead)
    case wish(DocumentWish)
    /// The number of raw bytes that follow, 1 to `Limits.documentDataBytes`.
    case data(Int)
    /// The hash of the content as sent.
    case tail(FileDigest)
    /// Ends the stream.
    case failure(Failure)
}

package enum DocumentForm: Int, Sendable, Hashable, CaseIterable {
    case whole = 1
    /// A chunk list, then the requested chunks.
    case chunks = 2
    /// A manifest, then the requested members.
    case members = 3
}

package struct DocumentHead: Hashable, Sendable {
    /// Bytes, at most `Limits.documentBytes`.
    package var size: UInt64
    package var modified: FileTime
    package var mode: SentMode
    package var hash: FileDigest?
    /// 0: none follows.
    package var listBytes: Int

    package init(size: UInt64, modified: FileTime, mode: SentMode, hash: FileDigest?, listBytes: Int = 0) {
        self.size = size
        self.modified = modified
        self.mode = mode
        self.hash = hash
        self.listBytes = listBytes
    }
}

package struct DocumentWish: Hashable, Sendable {
    /// Item i is bit i % 8, from the lowest, of byte i / 8.
    package private(set) var bits: [UInt8]

    package init(bits: [UInt8]) { self.bits = bits }
    package init(itemCount: Int) { bits = [UInt8](repeating: 0, count: (itemCount + 7) / 8) }

    /// Setting an item beyond the list traps.
    package subscript(item: Int) -> Bool {
        get { item / 8 < bits.count && bits[item / 8] & 1 << (item % 8) != 0 }
        set {
            if newValue { bits[item / 8] |= 1 << (item % 8) } else { bits[item / 8] &= ~(1 << (item % 8)) }
        }
    }
}

extension DocumentMessage {
    package func encoded() throws(WireError) -> [UInt8] {
        var frame = PBDocumentFrame()
        switch self {
        case .ask(let form): frame.ask = .with { $0.form = PBDocumentForm(rawValue: form.rawValue) ?? .unspecified }
        case .head(let head):
            frame.head = .with {
                $0.size = head.size
                $0.modifiedNs = head.modified.nanoseconds
                $0.mode = UInt32(head.mode.bits)
                $0.hash = (head.hash?.bytes ?? []).data
                $0.listBytes = UInt32(clamping: head.listBytes)
            }
        case .wish(let wish): frame.wish = .with { $0.bits = wish.bits.data }
        case .data(let count): frame.data = .with { $0.bytes = UInt32(clamping: count) }
        case .tail(let hash): frame.tail = .with { $0.hash = hash.bytes.data }
        case .failure(let failure): frame.failure = PBFailure(failure)
        }
        return try frame.bytes()
    }

    package init(encoded bytes: some Collection<UInt8>) throws(WireError) {
        switch try PBDocumentFrame.decode(bytes).body {
        case .ask(let ask)?:
            guard let form = DocumentForm(rawValue: ask.form.rawValue) else {
                throw WireError(.unknownKind, "a document in a form that this version does not know")
            }
            self = .ask(form)
        case .head(let head)?:
            guard head.listBytes <= Limits.documentListBytes else {
                throw WireError(.tooLarge, "a document's list has at most \(Limits.documentListBytes) bytes")
            }
            self = .head(
                DocumentHead(
                    size: try UInt64(documentBytes: head.size), modified: FileTime(nanoseconds: head.modifiedNs),
                    mode: SentMode(try UInt16(permissions: head.mode)), hash: try FileDigest?(wire: head.hash),
                    listBytes: Int(head.listBytes)))
        case .wish(let wish)?: self = .wish(DocumentWish(bits: Array(wish.bits)))
        case .data(let data)?:
            guard 1...Limits.documentDataBytes ~= Int(data.bytes) else {
                throw WireError(.tooLarge, "1 to \(Limits.documentDataBytes) bytes of a document follow a frame")
            }
            self = .data(Int(data.bytes))
        case .tail(let tail)?: self = .tail(try FileDigest(bytes: tail.hash))
        case .failure(let failure)?: self = .failure(Failure(failure))
        case nil: throw WireError(.missingField, "a frame of a document's stream is empty")
        }
    }
}
