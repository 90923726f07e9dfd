// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

/// One link and its machine.
final class Session {
    typealias Waiter = (Result<PeerMessage, Failure>) -> Void

    let link: any PeerLink
    var machine: SessionStateMachine<Waiter>
    /// Set when the hellos agreed.
    var candidate: LinkElection.Candidate?

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
