// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

extension DocumentHistory {
    /// That was seen there, or put there. The oldest gives way. What comes back is said twice, so that it can be told
    /// from what was never changed.
    package mutating func note(_ hash: FileDigest, of file: FileNumber, at now: WallTime) {
        if hashes.last != hash { hashes.append(hash) }
        if hashes.count > Limits.knownHashes { hashes.removeFirst(hashes.count - Limits.knownHashes) }
        device = file.device
        inode = file.inode
        looked = now
    }

    /// What was there before `hash`, which is there now; nil: not known what is there now, so all. What a reference
    /// says as `DocumentReference.known`.
    package func hashes(before hash: FileDigest?) -> [FileDigest] {
        // Nobody may have looked since it was changed.
        hash != nil && hashes.last == hash ? hashes.dropLast() : hashes
    }

    package var file: FileNumber { FileNumber(device: device, inode: inode) }
}
