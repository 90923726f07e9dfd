// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// What the other features ask of the boards, ours and our peers'. `AdvertisingService` answers.
package protocol Boards: AnyObject {
    /// The offer on this device's own board, and the client that published it.
    func ownOffer(_ activity: ActivityID) -> (offer: Offer, client: any Client)?
    /// The newest offer of that activity on a connected peer's board; `device` narrows it.
    func peerOffer(_ activity: ActivityID, on device: DeviceID?) -> (offer: Offer, device: DeviceID)?
    var ownOfferCount: Int { get }
    var peerOfferCount: Int { get }
}
