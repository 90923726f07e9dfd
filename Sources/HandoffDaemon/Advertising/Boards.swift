// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// The boards of this device and its peers. Implemented by `AdvertisingService`.
package protocol Boards: AnyObject {
    func ownOffer(_ activity: ActivityID) -> (offer: Offer, source: OfferSource<any Client>)?
    /// Includes offers hidden while the user is away, for a device that already received the state.
    func ownEntry(_ activity: ActivityID) -> (offer: Offer, source: OfferSource<any Client>)?
    func savedState(of activity: ActivityID) -> SavedState?
    /// A device received this state, which the client has just saved.
    func saved(_ state: ActivityState, of activity: ActivityID, by client: any Client)
    /// The connected peers that offer an activity with that ID. An ID proves nothing, because each device chooses its
    /// own.
    func peers(offering activity: ActivityID) -> Set<DeviceID>
    func peerOffer(_ activity: ActivityID, on device: DeviceID) -> Offer?
    var ownOfferCount: Int { get }
    var peerOfferCount: Int { get }
}
