// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// What is to come, in the words of the other device. A list can be long, so it is read beside the loop.
package enum SaidContent: Hashable, Sendable {
    /// So many bytes of a file.
    case whole(size: UInt64)
    /// `size`: of the document, as its head says.
    case chunks([UInt8], size: UInt64)
    case members([UInt8], size: UInt64)

    /// Throws `.malformed` for a list that is none, or is not of what the head says.
    package func read() throws(Failure) -> ArrivingContent {
        do throws(WireError) {
            switch self {
            case .whole(let size): return .whole(size: size)
            case .chunks(let bytes, let size):
                let list = try ChunkList(encoded: bytes)
                guard list.size == size else { break }
                return .chunks(list)
            case .members(let bytes, let size):
                let manifest = try PackageManifest(encoded: bytes)
                guard manifest.size == size else { break }
                return .members(manifest)
            }
        } catch {
            throw Failure(.malformed, error.reason)
        }
        throw Failure(.malformed, "the other device said two sizes of one document")
    }
}
