// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

package protocol SessionObserver: AnyObject {
    /// Called after the hellos were exchanged.
    func sessionOpened(_ device: DeviceID)
    func sessionClosed(_ device: DeviceID)
}

/// A feature that handles one group of other devices' messages.
package protocol PeerMessageHandler<PeerWords>: SessionObserver {
    associatedtype PeerWords

    /// `reply` sends the answer to a request, at most once and at any time later. It has no effect for a notice, or
    /// after the session ended.
    func handle(_ message: PeerWords, from device: DeviceID, reply: @escaping (PeerMessage) -> Void)
}

extension SessionObserver {
    package func sessionOpened(_ device: DeviceID) {}
    package func sessionClosed(_ device: DeviceID) {}
}

/// The feature that handles each group of messages. Held weakly; without one, the messages are unknown.
package struct PeerHandlers {
    package weak var advertising: (any PeerMessageHandler<PeerMessage.Advertising>)?
    package weak var continuation: (any PeerMessageHandler<PeerMessage.Continuation>)?
    package weak var inbox: (any PeerMessageHandler<PeerMessage.Sending>)?
    package weak var streams: (any PeerMessageHandler<PeerMessage.Streams>)?
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
        // Handled by the session.
        case .hello, .roster, .ping, .pong, .failure, .goodbye, .unknown: reply(.failure(.unknownRequest))
        }
    }
}

extension Failure {
    static let unknownRequest = Failure(.unimplemented, "this device does not know that request")
}
