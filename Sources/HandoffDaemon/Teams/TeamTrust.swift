// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// What the other features ask about developer teams. `TeamsService` answers; tests may stand in.
package protocol TeamTrust: AnyObject {
    /// By its key, whatever its Team ID says.
    func isTrusted(_ team: DeveloperTeam) -> Bool
    /// Teams that are trusted, count.
    var trustedCount: Int { get }
    /// Called after a team was trusted or distrusted, in the order of registration.
    func onChange(_ observer: @escaping (TeamsChange) -> Void)
}

/// A team that is trusted now or not any more.
package struct TeamsChange: Hashable, Sendable {
    package let team: DeveloperTeam
    package let isTrusted: Bool

    package init(_ team: DeveloperTeam, isTrusted: Bool) {
        self.team = team
        self.isTrusted = isTrusted
    }
}
