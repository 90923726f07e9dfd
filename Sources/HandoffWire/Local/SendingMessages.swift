// SPDX-License-Identifier: Apache-2.0

extension LocalMessage {
    package enum Sending: Hashable, Sendable {
        /// The device by its name, or the beginning of its id. Answered with a list of that send.
        case sendActivity(ActivityID, to: String)
        case listSends
        case sendList([SendReport])
        /// The id of the send. Answered with a list of that send as it was.
        case unsendActivity(ActivityID)
        /// An activity sent here. Nil: the only device that sent this id.
        case dismissSent(ActivityID, from: DeviceID?)
    }
}

package struct SendReport: Hashable, Sendable {
    package enum Standing: Hashable, Sendable {
        /// `problem`: the last attempt's failure; nil: the device is not connected.
        case waiting(problem: Failure?)
        case refused(Failure)
        /// Stored on the device's disk.
        case taken
    }

    /// As in `SentActivity`.
    package var offer: Offer
    package var device: DeviceID
    package var deviceName: DisplayText
    package var sent: WallTime
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
