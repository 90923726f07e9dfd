// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire
internal import Logging

/// Every member learns every statement: both sides of a new session send what they have if the rosters differ, and
/// what is new to one goes on to all its other sessions. It ends because only a change is passed on.
extension SessionsService {
    /// So that a frame stays far below its limit, whatever the statements weigh.
    private static var statementsPerFrame: Int { Limits.frameBytes / Limits.statementBytes / 2 }

    func sendRoster(on session: Session) {
        let update = roster.rosterUpdate
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
        // The membership tells its observers within the merge; the source need not hear its own words.
        rosterSource = session
        defer { rosterSource = nil }
        do {
            if try roster.merge(update) { passOnRoster() }
        } catch {
            log.error("Roster could not be saved", metadata: ["reason": "\(error)"])
        }
    }

    /// The account or its members changed, by a merge or on this device.
    func membershipChanged(_ change: MembershipChange) {
        for session in links where change.isOfMembers && admission(of: session.device) != .member {
            carryOut(session.machine.send(.roster(roster.removalNotice)), on: session)
            carryOut(session.machine.close(.removed), on: session)
        }
        passOnRoster()
    }

    private func passOnRoster() {
        guard roster.rosterDigest != announcedDigest else { return }
        announcedDigest = roster.rosterDigest
        for session in links where session !== rosterSource && open[session.device] === session {
            sendRoster(on: session)
        }
    }
}
