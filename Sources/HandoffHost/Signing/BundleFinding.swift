// SPDX-License-Identifier: Apache-2.0

package import HandoffTrust

/// Something that keeps a bundle from being verified, or from being signed, in one sentence that names what it is about.
package enum BundleFinding: Error, Hashable, Sendable, CustomStringConvertible {
    case unsigned
    case signature(SignatureRejection)
    /// It is not what was signed.
    case difference(BundleDifference)
    /// Nothing that a bundle may hold: the whole sentence.
    case unfit(String)
    case changedWhileRead(BundlePath)
    case unreadable(String)
    /// Its property lists say something else than the manifest: the whole sentence.
    case contradiction(String)

    package var description: String {
        switch self {
        case .unsigned: "the bundle is not signed: there is no \(BundlePath.signature)"
        case .signature(let rejection): rejection.description
        case .difference(let difference): difference.description
        case .unfit(let sentence), .unreadable(let sentence), .contradiction(let sentence): sentence
        case .changedWhileRead(let path): "\(path) changed while it was read"
        }
    }
}
