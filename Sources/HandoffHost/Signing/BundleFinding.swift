// SPDX-License-Identifier: Apache-2.0

package import HandoffTrust

/// A fault that prevents the verification or signing of a bundle, in one sentence that names the item.
package enum BundleFinding: Error, Hashable, Sendable, CustomStringConvertible {
    case unsigned
    case signature(SignatureRejection)
    /// It differs from what was signed.
    case difference(BundleDifference)
    /// Something that a bundle must not contain: the whole sentence.
    case unfit(String)
    case changedWhileRead(BundlePath)
    case unreadable(String)
    /// Its property lists contradict the manifest: the whole sentence.
    case contradiction(String)

    package var description: String {
        switch self {
        case .unsigned: "the bundle is not signed: it has no \(BundlePath.signature)"
        case .signature(let rejection): rejection.description
        case .difference(let difference): difference.description
        case .unfit(let sentence), .unreadable(let sentence), .contradiction(let sentence): sentence
        case .changedWhileRead(let path): "\(path) changed while it was read"
        }
    }
}
