// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

/// One link and its machine.
final class Session {
    typealias Waiter = (Result<PeerMessage, Failure>) -> Void

    let link: any PeerLink
    var machine: SessionStateMachine<Waiter>
    /// The count under which we chose this link, where the choice is ours; zero: not chosen.
    var ourChoice: UInt64 = 0
    /// Set when the other side's hello came and agrees.
    var candidate: LinkElection.Candidate?
    /// We end it, since another machine has the other device's key.
    var isOfCopy = false
    /// Where the other device can be dialled, from its hello and from where the link leads.
    var listening: PeerEndpoint?

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
