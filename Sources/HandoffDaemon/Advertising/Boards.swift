// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// What the other features ask of the boards, ours and our peers'. `AdvertisingService` answers.
package protocol Boards: AnyObject {
    /// What this device offers, and who has its state.
    func ownOffer(_ activity: ActivityID) -> (offer: Offer, source: OfferSource<any Client>)?
    /// Also of what is not offered now since its user is away: for a device that was given its state before.
    func ownEntry(_ activity: ActivityID) -> (offer: Offer, source: OfferSource<any Client>)?
    /// What its app had saved last, if that is held.
    func savedState(of activity: ActivityID) -> SavedState?
    /// A device was given this state, which the client has just saved.
    func saved(_ state: ActivityState, of activity: ActivityID, by client: any Client)
    /// The connected peers that offer an activity of that id. An id proves nothing: each device chooses its own.
    func peers(offering activity: ActivityID) -> Set<DeviceID>
    func peerOffer(_ activity: ActivityID, on device: DeviceID) -> Offer?
    var ownOfferCount: Int { get }
    var peerOfferCount: Int { get }
}
