// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

package enum InstallRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    case unsigned
    case notVerified([BundleFinding])
    case olderVersion(String, installed: String)
    case installedByAnotherTeam(BundleID, DeveloperTeam)

    package var description: String {
        switch self {
        case .unsigned: "the bundle is not signed"
        case .notVerified(let findings):
            findings.count == 1 ? "\(findings[0])" : "the bundle cannot be verified: \(findings.count) findings"
        case .olderVersion(let version, let installed):
            (version.isEmpty ? "a bundle without a version" : "version \(version)")
                + " is older than \(installed), which is installed"
        case .installedByAnotherTeam(let bundle, let team):
            "\(bundle) is installed and belongs to another team, \(team.id) with the key \(team.key.grouped)"
        }
    }
}

extension InstallRefusal {
    func naming(_ source: String, insteadOf copy: String) -> InstallRefusal {
        guard case .notVerified(let findings) = self else { return self }
        func named(_ text: String) -> String { text.replacing(copy, with: source) }
        return .notVerified(
            findings.map { finding in
                switch finding {
                case .unfit(let text): .unfit(named(text))
                case .unreadable(let text): .unreadable(named(text))
                case .contradiction(let text): .contradiction(named(text))
                case .unsigned, .signature, .difference, .changedWhileRead: finding
                }
            })
    }
}
