// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire
internal import Logging

/// Every member learns every statement: both sides of a new session send what they have if the rosters differ, and
/// what is new to one goes on to all its other sessions. It ends because only a change is passed on.
extension SessionsService {
    /// So that a frame stays far below its limit, whatever the statements weigh.
    private static var statementsPerFrame: Int { Limits.frameBytes / Limits.statementBytes / 2 }

    /// Now, or when that device may cost that much again.
    func tellAll(_ session: Session) {
        guard rosterTelling.asked(by: session.device, at: time.now) else {
            log.notice("Roster not sent yet: asked for too often", metadata: ["device": "\(session.device.short)"])
            return arm()
        }
        send(roster.rosterUpdate, on: session)
    }

    private func send(_ update: RosterUpdate, on session: Session) {
        var rest = update.statements[...]
        while rest.count > Self.statementsPerFrame {
            carryOut(
                session.machine.send(.roster(.init(statements: Array(rest.prefix(Self.statementsPerFrame))))),
                on: session)
            rest = rest.dropFirst(Self.statementsPerFrame)
        }
        // The secrets come last: each is good for nothing without its statement.
        carryOut(session.machine.send(.roster(.init(statements: Array(rest), secrets: update.secrets))), on: session)
    }

    func rosterReceived(_ update: RosterUpdate, from session: Session) {
        // Whoever says nothing asks.
        guard !update.isEmpty else { return tellAll(session) }
        let unknown = roster.unknown(of: update)
        guard !unknown.isEmpty else { return }
        if !rosterIntake.received(unknown, from: session.device) {
            log.notice("Roster statements dropped: too many wait", metadata: ["device": "\(session.device.short)"])
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
        // What comes in the middle of a merge has its turn after it.
        guard rosterSource == nil else { return }
        while let step = rosterIntake.next(at: time.now) {
            switch step {
            case .merge(let update, let device): merge(update, from: device)
            case .askForAll(let device):
                if let session = open[device] { carryOut(session.machine.send(.roster(RosterUpdate())), on: session) }
            }
        }
        arm()
    }

    private func merge(_ update: RosterUpdate, from device: DeviceID) {
        // The membership tells its observers within the merge, so it is passed on there; the source need not hear its own
        // words.
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

    /// The account or its members changed, by a merge or on this device.
    func membershipChanged(_ change: MembershipChange) {
        for session in links where change.isOfMembers && admission(of: session.device) != .member {
            carryOut(session.machine.send(.roster(roster.removalNotice)), on: session)
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
