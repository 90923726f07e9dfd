// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

extension LocalMessage {
    package enum Sending: Hashable, Sendable {
        /// By name, or beginning of an id. Answered with a list of that send.
        case sendActivity(ActivityID, to: String)
        /// From a browser; it need not be offered. Answered like `sendActivity`.
        case sendPage(ActivityState, to: String)
        case listSends
        case sendList([SendReport])
        /// Answered with a list of that send as it was.
        case unsendActivity(ActivityID)
        /// Nil: the only device that sent this id.
        case dismissSent(ActivityID, from: DeviceID?)
    }
}

package struct SendReport: Hashable, Sendable {
    package enum Standing: Hashable, Sendable {
        /// `problem`: the last attempt's failure; nil: not connected.
        case waiting(problem: Failure?)
        case refused(Failure)
        /// On the device's disk.
        case taken
    }

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

extension LocalMessage.Sending {
    var wire: PBLocalFrame.OneOf_Body {
        switch self {
        case .sendActivity(let activity, let device):
            .sendActivity(
                .with {
                    $0.activity = activity.bytes.data
                    $0.device = device
                })
        case .sendPage(let state, let device):
            .sendPage(
                .with {
                    $0.state = PBActivityState(state)
                    $0.device = device
                })
        case .listSends: .listSends(PBListSends())
        case .sendList(let sends): .sendList(.with { $0.sends = sends.map(PBSendReport.init) })
        case .unsendActivity(let activity): .unsendActivity(.with { $0.activity = activity.bytes.data })
        case .dismissSent(let activity, let device):
            .dismissSent(
                .with {
                    $0.activity = activity.bytes.data
                    if let device { $0.device = device.bytes.data }
                })
        }
    }

    init?(_ body: PBLocalFrame.OneOf_Body) throws(WireError) {
        switch body {
        case .sendActivity(let message):
            self = .sendActivity(try ActivityID(bytes: message.activity), to: message.device)
        case .sendPage(let message): self = .sendPage(try ActivityState(message.state), to: message.device)
        case .listSends: self = .listSends
        case .sendList(let list):
            var sends: [SendReport] = []
            for send in list.sends { sends.append(try SendReport(send)) }
            self = .sendList(sends)
        case .unsendActivity(let message): self = .unsendActivity(try ActivityID(bytes: message.activity))
        case .dismissSent(let message):
            self = .dismissSent(
                try ActivityID(bytes: message.activity),
                from: message.device.isEmpty ? nil : try DeviceID(bytes: message.device))
        default: return nil
        }
    }
}

extension PBSendReport {
    init(_ report: SendReport) {
        self.init()
        offer = PBOffer(report.offer)
        device = report.device.bytes.data
        deviceName = report.deviceName.text
        sentMs = report.sent.milliseconds
        untilMs = report.until.milliseconds
        switch report.standing {
        case .waiting(let failure):
            standing = .sendWaiting
            if let failure { problem = PBFailure(failure) }
        case .refused(let failure):
            standing = .sendRefused
            problem = PBFailure(failure)
        case .taken: standing = .sendTaken
        }
    }
}

extension SendReport {
    init(_ message: PBSendReport) throws(WireError) {
        let standing: Standing
        switch message.standing {
        case .sendWaiting: standing = .waiting(problem: message.hasProblem ? Failure(message.problem) : nil)
        case .sendRefused: standing = .refused(Failure(message.problem))
        case .sendTaken: standing = .taken
        case .unspecified, .UNRECOGNIZED:
            throw WireError(.unknownKind, "a send with a status that this version does not know")
        }
        self.init(
            offer: try Offer(message.offer), device: try DeviceID(bytes: message.device),
            deviceName: .name(message.deviceName), sent: WallTime(milliseconds: message.sentMs),
            until: WallTime(milliseconds: message.untilMs), standing: standing)
    }
}
