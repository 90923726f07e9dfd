// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

extension SessionsService: PeerNetworkHandler {
    /// A former member too: it gets no session, but is told that it is one.
    package func isMember(_ device: DeviceID) -> Bool { counts(device) || membership.isFormerMember(device) }

    func counts(_ device: DeviceID) -> Bool { device != membership.device && membership.member(device) != nil }

    package func linkAccepted(_ link: any PeerLink) { begin(link) }

    package func frameReceived(_ frame: PeerFrame, on link: any PeerLink) {
        guard let session = session(of: link) else { return heardFormerMember(frame, on: link) }
        carryOut(session.machine.frameReceived(frame, now: time.now), on: session)
    }

    package func linkClosed(_ link: any PeerLink, failure: Failure?) {
        formerMembers.removeAll { $0.link === link }
        guard let session = session(of: link) else { return }
        carryOut(session.machine.linkClosed(failure), on: session)
    }

    // MARK: Neither streams nor joining are ours

    package func streamOffered(_ hello: StreamHello, by device: DeviceID, on link: any StreamLink) {
        guard let streams else { return link.refuse(Failure(.unimplemented, "no streams here")) }
        streams.streamOffered(hello, by: device, on: link)
    }

    package var isEnrolling: Bool { enrollment.isEnrolling }

    package func enrollLinkAccepted(_ link: any EnrollLink) { enrollment.enrollLinkAccepted(link) }

    package func enrollMessageReceived(_ message: EnrollMessage, on link: any EnrollLink) {
        enrollment.enrollMessageReceived(message, on: link)
    }

    package func enrollLinkClosed(_ link: any EnrollLink, failure: Failure?) {
        enrollment.enrollLinkClosed(link, failure: failure)
    }
}
