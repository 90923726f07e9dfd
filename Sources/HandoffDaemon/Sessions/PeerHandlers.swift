// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Who is told of sessions.
package protocol SessionObserver: AnyObject {
    /// After the hellos were exchanged.
    func sessionOpened(_ device: DeviceID)
    func sessionClosed(_ device: DeviceID)
}

/// A feature that takes the messages of one group from other devices.
package protocol PeerMessageHandler<PeerWords>: SessionObserver {
    /// `PeerMessage.Continuation`, for one.
    associatedtype PeerWords

    /// `reply` sends the answer of a request, at most once, at any time later; it does nothing for a notice and after the
    /// session ended.
    func handle(_ message: PeerWords, from device: DeviceID, reply: @escaping (PeerMessage) -> Void)
}

extension SessionObserver {
    package func sessionOpened(_ device: DeviceID) {}
    package func sessionClosed(_ device: DeviceID) {}
}

/// The one feature that takes each group of messages. Held weakly; where there is none, nobody knows the message.
package struct PeerHandlers {
    package weak var advertising: (any PeerMessageHandler<PeerMessage.Advertising>)?
    package weak var continuation: (any PeerMessageHandler<PeerMessage.Continuation>)?
    package weak var inbox: (any PeerMessageHandler<PeerMessage.Sending>)?
    package weak var streams: (any PeerMessageHandler<PeerMessage.Streams>)?
    /// These have nothing to say in a session.
    package weak var discovery: (any SessionObserver)?
    package weak var account: (any SessionObserver)?
    package weak var outbox: (any SessionObserver)?

    package init() {}

    package var all: [any SessionObserver] {
        let all: [(any SessionObserver)?] = [
            advertising, continuation, inbox, streams, discovery, account, outbox,
        ]
        return all.compactMap { $0 }
    }

    package func pass(_ message: PeerMessage, from device: DeviceID, reply: @escaping (PeerMessage) -> Void) {
        func pass<Words>(_ message: Words, to handler: (any PeerMessageHandler<Words>)?) {
            guard let handler else { return reply(.failure(.unknownRequest)) }
            handler.handle(message, from: device, reply: reply)
        }
        switch message {
        case .advertising(let message): pass(message, to: advertising)
        case .continuation(let message): pass(message, to: continuation)
        case .sending(let message): pass(message, to: inbox)
        case .streams(let message): pass(message, to: streams)
        // The session's own.
        case .hello, .roster, .ping, .pong, .failure, .goodbye, .unknown: reply(.failure(.unknownRequest))
        }
    }
}

extension Failure {
    static let unknownRequest = Failure(.unimplemented, "this device does not know that request")
}
