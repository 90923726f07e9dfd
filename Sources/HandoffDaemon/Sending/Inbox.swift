// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// The activities that were sent to this device. Implemented by `InboxService`.
package protocol Inbox: AnyObject {
    /// By sending device, newest first, regardless of its connection.
    var sentOffers: [DeviceID: [Offer]] { get }
    /// The devices that sent an activity with that ID. An ID proves nothing, because each device chooses its own.
    func senders(of activity: ActivityID) -> Set<DeviceID>
    func sentOffer(_ activity: ActivityID, from device: DeviceID) -> Offer?
    func sentState(_ activity: ActivityID, from device: DeviceID) throws(Failure) -> CarriedState
    /// The activity was continued or dismissed, and is removed from the lists. `then` is called once that is safe from
    /// a crash.
    func sentEnded(_ activity: ActivityID, from device: DeviceID, then: @escaping () -> Void)
    /// Called after `sentOffers` changed, in the order of registration.
    func onChange(_ observer: @escaping () -> Void)
}
