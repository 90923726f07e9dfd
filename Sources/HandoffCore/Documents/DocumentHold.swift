// SPDX-License-Identifier: Apache-2.0

/// Why a document is not replaced. Names are for people.
package enum DocumentHold: Hashable, Sendable {
    /// By its lock file, an editor has it open ("LibreOffice"). It would write its own text over a new version.
    case editor(String)
    /// A process writes to it or has it locked. The process may be an app of ours, which lets go when asked.
    case process(String)
    /// A new file would not belong to this user.
    case user(String)
    /// A new file would not belong to this group.
    case group(String)
    /// The file has hard links, which would keep the old version.
    case links

    package var isOfApps: Bool {
        if case .process = self { true } else { false }
    }

    package var reason: String {
        switch self {
        case .editor(let program), .process(let program): "\(program) has it open here."
        case .user(let name): "It belongs to the user \(name) here, and a new version could not."
        case .group(let name): "It belongs to the group \(name) here, and a new version could not."
        case .links: "It has several names here (hard links), and a new version would have only one."
        }
    }
}
