// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire
internal import Logging

/// A device that was removed and does not know it dials. It gets no session: it is told what the roster says about it, and
/// of what it says only a recovery of the account is heard, which proves itself. Then the link is closed.
struct FormerMemberLink {
    /// Such links at a time; one more is closed at once.
    static let limit = 4

    let link: any PeerLink
    let deadline: Instant
}

extension SessionsService {
    func tellFormerMember(_ link: any PeerLink) {
        // It was one when we dialled, which is no time to tell it.
        guard !link.isDialled, formerMembers.count < FormerMemberLink.limit else { return link.close() }
        log.info("Former member told", metadata: ["device": "\(link.device.short)"])
        // A digest that is nobody's, so that it says what it has.
        let hello = PeerHello(boot: boot, rosterDigest: [], software: DisplayText(cleaning: ""))
        formerMembers.append(
            FormerMemberLink(link: link, deadline: time.now.advanced(by: SessionLimits.helloDeadline)))
        link.send(PeerFrame(.hello(hello)))
        link.send(PeerFrame(.roster(roster.removalNotice)))
        arm()
    }

    func heardFormerMember(_ frame: PeerFrame, on link: any PeerLink) {
        guard case .roster(let update) = frame.message, formerMembers.contains(where: { $0.link === link }) else {
            return
        }
        do {
            guard try roster.mergeRecovery(update) else { return }
        } catch {
            log.error("Roster could not be saved", metadata: ["reason": "\(error)"])
        }
        // It may dial again, as a member.
        formerMembers.removeAll { $0.link === link }
        link.send(PeerFrame(.goodbye(Failure(.cancelled, "the account was recovered"))))
        link.close()
    }

    func dismissFormerMembers(until now: Instant) {
        let late = formerMembers.filter { $0.deadline <= now }
        formerMembers.removeAll { $0.deadline <= now }
        for former in late {
            former.link.send(PeerFrame(.goodbye(.removed)))
            former.link.close()
        }
    }
}

extension Failure {
    static let removed = Failure(.deviceRemoved, "the device is not a member of the account any more")
}
