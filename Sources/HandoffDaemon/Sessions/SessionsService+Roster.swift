// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire
internal import Logging

/// Both sides of a new session send their rosters if they differ, and a member passes on new statements to its other
/// sessions. The exchange ends because only changes are passed on.
extension SessionsService {
    /// Far below the frame limit even with statements of maximum size.
    private static var statementsPerFrame: Int { Limits.frameBytes / Limits.statementBytes / 2 }

    /// Later, if the device asks too often.
    func tellAll(_ session: Session) {
        guard rosterTelling.asked(by: session.device, at: time.now) else {
            log.notice("Roster not sent yet: requested too often", metadata: ["device": "\(session.device.short)"])
            return arm()
        }
        send(roster.rosterUpdate, on: session)
    }

    private func send(_ update: RosterUpdate, on session: Session) {
        var rest = update.statements[...]
        while rest.count > Self.statementsPerFrame {
            carryOut(
                session.machine.send(
                    .roster(.init(statements: Array(rest.prefix(Self.statementsPerFrame)))), now: time.now),
                on: session)
            rest = rest.dropFirst(Self.statementsPerFrame)
        }
        // Secrets last: each is useless without its statement.
        carryOut(
            session.machine.send(.roster(.init(statements: Array(rest), secrets: update.secrets)), now: time.now),
            on: session)
    }

    func rosterReceived(_ update: RosterUpdate, from session: Session) {
        // An empty update requests the whole roster.
        guard !update.isEmpty else { return tellAll(session) }
        let unknown = roster.unknown(of: update)
        guard !unknown.isEmpty else { return }
        if !rosterIntake.received(unknown, from: session.device) {
            log.notice(
                "Roster statements dropped: too many are waiting", metadata: ["device": "\(session.device.short)"])
        }
        workOffRoster()
    }

    func rosterDeadlineReached() {
        for device in rosterTelling.due(at: time.now) {
            if let session = open[device] { send(roster.rosterUpdate, on: session) }
        }
        workOffRoster()
    }

    private func workOffRoster() {
        guard rosterSource == nil else { return }
        while let step = rosterIntake.next(at: time.now) {
            switch step {
            case .merge(let update, let device): merge(update, from: device)
            case .askForAll(let device):
                if let session = open[device] {
                    carryOut(session.machine.send(.roster(RosterUpdate()), now: time.now), on: session)
                }
            }
        }
        arm()
    }

    private func merge(_ update: RosterUpdate, from device: DeviceID) {
        // The membership's observers pass the change on during the merge, except to the source.
        rosterSource = device
        defer { rosterSource = nil }
        let began = time.now
        do {
            _ = try roster.merge(update)
        } catch {
            log.error("Roster could not be saved", metadata: ["reason": "\(error)"])
            rosterIntake.lost(from: device)
        }
        rosterIntake.merged(began.duration(to: time.now), at: time.now)
    }

    func membershipChanged(_ change: MembershipChange) {
        for session in links where change.isOfMembers && admission(of: session.device) != .member {
            carryOut(session.machine.send(.roster(roster.removalNotice), now: time.now), on: session)
            carryOut(session.machine.close(.removed), on: session)
        }
        if change.isOfMembers {
            let members = Set(membership.members.map(\.device))
            rosterIntake.keep(members)
            rosterTelling.keep(members)
            copies.keep(members)
        }
        passOnRoster()
    }

    private func passOnRoster() {
        let news = roster.takeRosterNews()
        guard !news.isEmpty else { return }
        for session in links where session.device != rosterSource && open[session.device] === session {
            send(news, on: session)
        }
    }
}
