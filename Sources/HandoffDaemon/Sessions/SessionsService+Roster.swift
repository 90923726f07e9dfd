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
        let update = membership.rosterUpdate
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
            if try membership.merge(update) { passOnRoster() }
        } catch {
            log.error("The roster could not be kept", metadata: ["reason": "\(error)"])
        }
    }

    /// The account or its members changed, by a merge or on this device.
    func membershipChanged() {
        for session in links where !counts(session.device) {
            carryOut(session.machine.send(.roster(membership.removalNotice)), on: session)
            carryOut(session.machine.close(.removed), on: session)
        }
        passOnRoster()
    }

    private func passOnRoster() {
        guard membership.rosterDigest != announcedDigest else { return }
        announcedDigest = membership.rosterDigest
        for session in links where session !== rosterSource && open[session.device] === session {
            sendRoster(on: session)
        }
    }
}
