// SPDX-License-Identifier: Apache-2.0

extension LocalMessage {
    /// Activities that are sent to a chosen device.
    package enum Sending: Hashable, Sendable {
        /// The device by its name, or the beginning of its id. Answered with a list of that one.
        case sendActivity(ActivityID, to: String)
        case listSends
        case sendList([SendReport])
        /// The id is the one of the send. Answered with a list of that one, as it was.
        case unsendActivity(ActivityID)
        /// An activity that another device has sent here. Nil: the one device that sent an activity of that id.
        case dismissSent(ActivityID, from: DeviceID?)
    }
}

/// What became of an activity that was sent, or may still become of it.
package struct SendReport: Hashable, Sendable {
    package enum Standing: Hashable, Sendable {
        /// For the device. `problem`: why it could not be handed over when that was tried last; nil: it is not connected.
        case waiting(problem: Failure?)
        /// By the device, for good.
        case refused(Failure)
        /// By the device: it is on its disk.
        case taken
    }

    /// As in `SentActivity`.
    package var offer: Offer
    package var device: DeviceID
    package var deviceName: DisplayText
    package var sent: WallTime
    /// When it is dropped.
    package var until: WallTime
    package var standing: Standing

    package init(
        offer: Offer, device: DeviceID, deviceName: DisplayText, sent: WallTime, until: WallTime, standing: Standing
    ) {
        self.offer = offer
        self.device = device
        self.deviceName = deviceName
        self.sent = sent
        self.until = until
        self.standing = standing
    }
}
