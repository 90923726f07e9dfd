// SPDX-License-Identifier: Apache-2.0

/// A frame on a document's stream. The receiver sends `ask` and gets `head`. If there is a list, it sends `wish`. Then
/// it gets `data` and `tail`.
package enum DocumentMessage: Hashable, Sendable {
    case ask(DocumentForm)
    case head(DocumentHead)
    case wish(DocumentWish)
    /// The number of raw bytes that follow, 1 to `Limits.documentDataBytes`.
    case data(Int)
    /// The hash of the content as sent.
    case tail(FileDigest)
    /// From either side, in place of any frame. It ends the stream.
    case failure(Failure)
}

package enum DocumentForm: Int, Sendable, Hashable, CaseIterable {
    case whole = 1
    /// A chunk list, and then the requested chunks.
    case chunks = 2
    /// A manifest, and then the requested members.
    case members = 3
}

package struct DocumentHead: Hashable, Sendable {
    /// Bytes, at most `Limits.documentBytes`.
    package var size: UInt64
    package var modified: FileTime
    package var mode: SentMode
    package var hash: FileDigest?
    /// Bytes of the list that follows; 0 if there is none.
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
