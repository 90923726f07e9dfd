// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

extension DocumentHistory {
    /// Records content that was seen or placed there, and drops the oldest entry if the list is full. Restored content
    /// is listed twice, to distinguish it from content that never changed.
    package mutating func note(_ hash: FileDigest, of file: FileNumber, at now: WallTime) {
        if hashes.last != hash { hashes.append(hash) }
        if hashes.count > Limits.knownHashes { hashes.removeFirst(hashes.count - Limits.knownHashes) }
        device = file.device
        inode = file.inode
        looked = now
    }

    /// The contents before `hash`, which is the present one. Nil: the present content is unknown, so all are returned.
    /// A reference carries the result as `DocumentReference.known`.
    package func hashes(before hash: FileDigest?) -> [FileDigest] {
        // The history may lack the present content if no one looked since the change.
        hash != nil && hashes.last == hash ? hashes.dropLast() : hashes
    }

    package var file: FileNumber { FileNumber(device: device, inode: inode) }
}
