// SPDX-License-Identifier: Apache-2.0

import HandoffWire

protocol SessionObserver: AnyObject {
    /// After the hellos.
    func sessionOpened(_ device: DeviceID)
    func sessionClosed(_ device: DeviceID)
    /// True if a user or program would notice the loss of the device. `PeerMessaging.watchingChanged` reports changes.
    func isWatching(_ device: DeviceID) -> Bool
}

protocol PeerMessageHandler<PeerMessages>: SessionObserver {
    associatedtype PeerMessages

    /// `reply` may be called once, at any time. No effect for a notice, or after the session ended.
    func handle(_ message: PeerMessages, from device: DeviceID, reply: @escaping (PeerMessage) -> Void)
}

extension SessionObserver {
    func sessionOpened(_ device: DeviceID) {}
    func sessionClosed(_ device: DeviceID) {}
    func isWatching(_ device: DeviceID) -> Bool { false }
}

struct PeerHandlers {
    weak var advertising: (any PeerMessageHandler<PeerMessage.Advertising>)?
    weak var continuation: (any PeerMessageHandler<PeerMessage.Continuation>)?
    weak var inbox: (any PeerMessageHandler<PeerMessage.Sending>)?
    weak var streams: (any PeerMessageHandler<PeerMessage.Streams>)?
    weak var discovery: (any SessionObserver)?
    weak var account: (any SessionObserver)?
    weak var outbox: (any SessionObserver)?

    var all: [any SessionObserver] {
        let all: [(any SessionObserver)?] = [
            advertising, continuation, inbox, streams, discovery, account, outbox,
        ]
        return all.compactMap { $0 }
    }

    func pass(_ message: PeerMessage, from device: DeviceID, reply: @escaping (PeerMessage) -> Void) {
        func pass<Message>(_ message: Message, to handler: (any PeerMessageHandler<Message>)?) {
            guard let handler else { return reply(.failure(.unknownRequest)) }
            handler.handle(message, from: device, reply: reply)
        }
        switch message {
        case .advertising(let message): pass(message, to: advertising)
        case .continuation(let message): pass(message, to: continuation)
        case .sending(let message): pass(message, to: inbox)
        case .streams(let message): pass(message, to: streams)
        case .hello, .roster, .ping, .pong, .failure, .goodbye, .unknown: reply(.failure(.unknownRequest))
        }
    }
}

extension Failure {
    static let unknownRequest = Failure(.unimplemented, "this device does not know that request")
}
