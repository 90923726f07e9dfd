// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// What the other features ask of what was sent to this device. `InboxService` answers.
package protocol Inbox: AnyObject {
    /// Of each device that sent, newest first; whether it is connected or not.
    var sentOffers: [DeviceID: [Offer]] { get }
    /// The devices that sent an activity of that id. An id proves nothing: each device chooses its own.
    func senders(of activity: ActivityID) -> Set<DeviceID>
    func sentOffer(_ activity: ActivityID, from device: DeviceID) -> Offer?
    /// From this device's disk.
    func sentState(_ activity: ActivityID, from device: DeviceID) throws(Failure) -> CarriedState
    /// It was continued or dismissed, and is gone from the lists. `then` is called once it would be after a crash, too.
    func sentEnded(_ activity: ActivityID, from device: DeviceID, then: @escaping () -> Void)
    /// Called after `sentOffers` became another. In the order of registration.
    func onChange(_ observer: @escaping () -> Void)
}
