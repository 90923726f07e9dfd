// SPDX-License-Identifier: Apache-2.0

/// A frame on the stream of a document. Whoever asked says `ask`, hears `head`, says `wish` where there is a list, and
/// hears `data`, then `tail`.
package enum DocumentMessage: Hashable, Sendable {
    case ask(DocumentForm)
    case head(DocumentHead)
    case wish(DocumentWish)
    /// So many raw bytes follow, 1 to `Limits.documentDataBytes`.
    case data(Int)
    /// Of all of the content, as it was sent: its hash.
    case tail(FileDigest)
    /// By either, in place of any other: nothing more comes.
    case failure(Failure)
}

package enum DocumentForm: Int, Sendable, Hashable, CaseIterable {
    /// A file's bytes.
    case whole = 1
    /// A chunk list, and then those chunks that are wished.
    case chunks = 2
    /// A manifest, and then those members that are wished.
    case members = 3
}

package struct DocumentHead: Hashable, Sendable {
    /// Bytes, at most `Limits.documentBytes`.
    package var size: UInt64
    package var modified: FileTime
    package var mode: SentMode
    package var hash: FileDigest?
    /// Of the list, which follows; 0 where all of a file was asked for, and of an empty list.
    package var listBytes: Int

    package init(size: UInt64, modified: FileTime, mode: SentMode, hash: FileDigest?, listBytes: Int = 0) {
        self.size = size
        self.modified = modified
        self.mode = mode
        self.hash = hash
        self.listBytes = listBytes
    }
}

/// Which items of a list are to be sent.
package struct DocumentWish: Hashable, Sendable {
    /// Item i is bit i % 8, from the lowest, of byte i / 8.
    package private(set) var bits: [UInt8]

    package init(bits: [UInt8]) { self.bits = bits }
    /// Nothing of so many.
    package init(itemCount: Int) { bits = [UInt8](repeating: 0, count: (itemCount + 7) / 8) }

    /// Set only for items of the list.
    package subscript(item: Int) -> Bool {
        get { item / 8 < bits.count && bits[item / 8] & 1 << (item % 8) != 0 }
        set {
            if newValue { bits[item / 8] |= 1 << (item % 8) } else { bits[item / 8] &= ~(1 << (item % 8)) }
        }
    }
}
