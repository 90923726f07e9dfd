// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

final class Session {
    typealias Waiter = (Result<PeerMessage, Failure>) -> Void

    let link: any PeerLink
    var machine: SessionStateMachine<Waiter>
    /// This device's number for the link; zero: not chosen.
    var ourChoice: UInt64 = 0
    /// Set once the other side's hello agrees.
    var candidate: LinkElection.Candidate?
    /// Ended by this device, because another machine has the other device's key.
    var isOfCopy = false
    /// For dialling the other device, from its hello and the link's endpoint.
    var listening: PeerEndpoint?
    /// The other device's version.
    var software: DisplayText?
    /// The other device's clock at this time.
    var clock: (shown: WallTime, heard: Instant)?

    init(link: any PeerLink, hello: PeerHello) {
        self.link = link
        self.machine = SessionStateMachine(hello: hello, isDialled: link.isDialled)
    }

    var device: DeviceID { link.device }
}

extension [SessionAction<Session.Waiter>] {
    var endsSession: Bool {
        contains { action in
            if case .ended = action { true } else { false }
        }
    }
}
