// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

extension SessionsService: PeerSessionHandler {
    package func admission(of device: DeviceID) -> Admission {
        guard device != membership.device else { return .stranger }
        if membership.member(device) != nil { return .member }
        return roster.isFormerMember(device) ? .former : .stranger
    }

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
}
