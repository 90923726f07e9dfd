// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire
internal import Logging

/// A removed device that missed its removal gets no session, but the roster's statements about it. From its own
/// statements, only a recovery of the account is accepted, which proves itself.
struct FormerMemberLink {
    /// One link per device. A further link closes the oldest, so that no former member blocks another's recovery.
    static let limit = 16
    /// Per device: the answer may be a large part of the roster.
    static let pace = PaceLimit(burst: 3, spacing: .seconds(10))
    /// Checked signatures per link: a recovery has one statement for each device that stays.
    static let recoveries = Limits.devicesPerAccount
    /// Per link: a full roster takes half as many.
    static let frames = 32

    let link: any PeerLink
    let deadline: Instant
    var frames = 0
    var recoveries = 0
}

extension SessionsService {
    func tellFormerMember(_ link: any PeerLink) {
        let device = link.device
        // It was a member at the dial.
        guard !link.isDialled, !formerMembers.contains(where: { $0.link.device == device }),
            formerMemberPaces.take(device, at: time.now)
        else { return link.drop() }
        if formerMembers.count >= FormerMemberLink.limit { dismiss(formerMembers[0].link, .removed) }
        log.info("Former member notified", metadata: ["device": "\(device.short)"])
        // An empty digest matches no roster, so the device sends its own.
        let hello = PeerHello(boot: boot, rosterDigest: [], software: DisplayText(cleaning: ""))
        formerMembers.append(
            FormerMemberLink(link: link, deadline: time.now.advanced(by: SessionLimits.helloDeadline)))
        link.send(PeerFrame(.hello(hello)))
        link.send(PeerFrame(.roster(roster.removalNotice)))
        arm()
    }

    func heardFormerMember(_ frame: PeerFrame, on link: any PeerLink) {
        guard let index = formerMembers.firstIndex(where: { $0.link === link }) else { return }
        formerMembers[index].frames += 1
        guard formerMembers[index].frames <= FormerMemberLink.frames else { return dismiss(link, .removed) }
        guard case .roster(let update) = frame.message else { return }
        let recoveries = roster.recoveries(in: update)
        guard !recoveries.isEmpty else { return }
        formerMembers[index].recoveries += recoveries.statements.count
        guard formerMembers[index].recoveries <= FormerMemberLink.recoveries else { return dismiss(link, .removed) }
        do {
            guard try roster.merge(recoveries) else { return }
        } catch {
            log.error("Roster could not be saved", metadata: ["reason": "\(error)"])
        }
        // It may dial again, as a member.
        dismiss(link, Failure(.cancelled, "the account was recovered"))
    }

    private func dismiss(_ link: any PeerLink, _ failure: Failure) {
        formerMembers.removeAll { $0.link === link }
        link.send(PeerFrame(.goodbye(failure)))
        link.close()
    }

    func dismissFormerMembers(until now: Instant) {
        for former in formerMembers where former.deadline <= now { dismiss(former.link, .removed) }
    }
}

extension Failure {
    static let removed = Failure(.deviceRemoved, "the device is no longer a member of the account")
}
