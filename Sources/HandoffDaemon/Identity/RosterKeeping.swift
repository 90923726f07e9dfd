// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// What the sessions ask about the roster: what they pass on of it, and who keeps what comes. `IdentityService` answers.
package protocol RosterKeeping: AnyObject {
    /// All that other members may lack.
    var rosterUpdate: RosterUpdate { get }
    /// What of that is new since this was called last.
    func takeRosterNews() -> RosterUpdate
    /// 32 bytes, equal for equal rosters and secrets; empty without an account.
    var rosterDigest: [UInt8] { get }
    /// What of it is not here; nothing is proven yet, and little time spent.
    func unknown(of update: RosterUpdate) -> RosterUpdate
    /// Keeps what is new and proven; returns whether anything changed, which is on disk then. What is not proven is
    /// dropped and logged. Throws where the disk refuses.
    func merge(_ update: RosterUpdate) throws -> Bool
    /// That member has what we have.
    func hasCaughtUp(_ device: DeviceID)
    /// Two machines have the key of that device, which may be this one: that member reports it, nil: our own sessions show it.
    func copyFound(of device: DeviceID, reportedBy member: DeviceID?)

    /// It was a member once and is none now: it is told so, and nothing else.
    func isFormerMember(_ device: DeviceID) -> Bool
    /// What a former member is shown of the roster.
    var removalNotice: RosterUpdate { get }
    /// What a former member says counts for nothing, but that the account was recovered: what of it may be that. Nothing
    /// is proven yet, and little time spent.
    func recoveries(in update: RosterUpdate) -> RosterUpdate
}
