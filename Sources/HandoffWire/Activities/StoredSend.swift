// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

package struct StoredSend: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        case activity(SentActivity)
        case refused(Offer, Failure)
        case ended(ActivityID)
    }

    /// The receiver, or the sender.
    package var device: DeviceID
    package var time: WallTime
    package var content: Content

    package init(device: DeviceID, time: WallTime, content: Content) {
        self.device = device
        self.time = time
        self.content = content
    }

    package var activity: ActivityID {
        switch content {
        case .activity(let sent): sent.offer.activity
        case .refused(let offer, _): offer.activity
        case .ended(let activity): activity
        }
    }
}

extension StoredSend {
    private static let version: UInt32 = 1

    package func encoded() throws(WireError) -> [UInt8] {
        var message = PBStoredSend()
        message.version = Self.version
        message.device = device.bytes.data
        message.timeMs = time.milliseconds
        switch content {
        case .activity(let sent):
            message.offer = PBOffer(sent.offer)
            message.state = sent.state.message
        case .refused(let offer, let failure):
            message.offer = PBOffer(offer)
            message.refused = PBFailure(failure)
        case .ended(let activity): message.activity = activity.bytes.data
        }
        return try message.bytes()
    }

    package init(encoded bytes: some Collection<UInt8>) throws(WireError) {
        let message = try PBStoredSend.decode(bytes)
        guard message.version == Self.version else {
            throw WireError(
                .unknownKind, "the file has version \(message.version), but only version \(Self.version) is supported")
        }
        let content: Content
        if message.hasState {
            let sent = SentActivity(offer: try Offer(message.offer), state: try CarriedState(sent: message.state))
            try sent.check()
            content = .activity(sent)
        } else if message.hasOffer {
            content = .refused(try Offer(message.offer), Failure(message.refused))
        } else {
            content = .ended(try ActivityID(bytes: message.activity))
        }
        self.init(
            device: try DeviceID(bytes: message.device), time: WallTime(milliseconds: message.timeMs), content: content)
    }
}
