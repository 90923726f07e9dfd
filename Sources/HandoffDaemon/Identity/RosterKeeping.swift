// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Gives sessions access to the roster, to send it and to merge updates. Implemented by `IdentityService`.
package protocol RosterKeeping: AnyObject {
    /// Everything that other members may lack.
    var rosterUpdate: RosterUpdate { get }
    func takeRosterNews() -> RosterUpdate
    /// 32 bytes, equal for equal rosters and secrets; empty without an account.
    var rosterDigest: [UInt8] { get }
    /// The part that is missing here. Unverified, and cheap to compute.
    func unknown(of update: RosterUpdate) -> RosterUpdate
    /// Stores the new and proven statements; unproven ones are dropped and logged. Returns whether anything changed,
    /// which is then on disk. Throws if the disk fails.
    func merge(_ update: RosterUpdate) throws -> Bool
    func hasCaughtUp(_ device: DeviceID)
    /// Two machines have the key of that device, which may be this one. `member` reported it; nil: this device's own
    /// sessions show it.
    func copyFound(of device: DeviceID, reportedBy member: DeviceID?)

    /// It was a member and was removed. It is notified of that, and of nothing else.
    func isFormerMember(_ device: DeviceID) -> Bool
    /// The part of the roster that a former member receives.
    var removalNotice: RosterUpdate { get }
    /// A former member's statements are ignored, except a recovery of the account: returns the candidates. Unverified,
    /// and cheap to compute.
    func recoveries(in update: RosterUpdate) -> RosterUpdate
}
