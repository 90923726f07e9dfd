// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// The content as the other device describes it. A list can be long, so it is read off the event loop.
package enum SaidContent: Hashable, Sendable {
    case whole(size: UInt64)
    /// `size`: of the document, according to its head.
    case chunks([UInt8], size: UInt64)
    case members([UInt8], size: UInt64)

    /// Throws `.malformed` if the list is invalid or contradicts the head.
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
        throw Failure(.malformed, "the other device announced two sizes for one document")
    }
}
