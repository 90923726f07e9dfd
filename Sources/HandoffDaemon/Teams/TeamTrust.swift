// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// The trusted developer teams. Implemented by `TeamsService`; tests may substitute it.
package protocol TeamTrust: AnyObject {
    /// Checks the key; the Team ID is ignored.
    func isTrusted(_ team: DeveloperTeam) -> Bool
    var trustedCount: Int { get }
    /// Called after a team became trusted or untrusted, in the order of registration.
    func onChange(_ observer: @escaping (TeamsChange) -> Void)
}

package struct TeamsChange: Hashable, Sendable {
    package let team: DeveloperTeam
    package let isTrusted: Bool

    package init(_ team: DeveloperTeam, isTrusted: Bool) {
        self.team = team
        self.isTrusted = isTrusted
    }
}
