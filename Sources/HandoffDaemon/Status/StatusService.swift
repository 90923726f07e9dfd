// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// Answers `status`: how this daemon is, in one look.
package final class StatusService: Feature {
    package static let name = "Status"

    private let network: any PeerNetwork
    private let membership: any Membership
    private let sessions: any PeerMessaging
    private let boards: any Boards
    private let launching: any Launching
    private let teams: any TeamTrust
    private let clients: any ClientMessaging
    private let policy: any Policing
    private let time: any TimeSource
    private let deviceName: DisplayText
    private let software: String
    private let processID: Int
    private let started: Instant
    /// Sentences for the user about what is not as it should be; asked each time.
    private let warnings: () -> [String]

    package init(
        network: any PeerNetwork, membership: any Membership, sessions: any PeerMessaging, boards: any Boards,
        launching: any Launching, teams: any TeamTrust, clients: any ClientMessaging, policy: any Policing,
        time: any TimeSource, deviceName: DisplayText, software: String, processID: Int,
        warnings: @escaping () -> [String]
    ) {
        self.network = network
        self.membership = membership
        self.sessions = sessions
        self.boards = boards
        self.launching = launching
        self.teams = teams
        self.clients = clients
        self.policy = policy
        self.time = time
        self.deviceName = deviceName
        self.software = software
        self.processID = processID
        self.warnings = warnings
        started = time.now
    }

    package func start() throws { clients.register(self) }

    package func stop() {}

    private var status: DaemonStatus {
        var status = DaemonStatus()
        status.software = software
        status.deviceName = membership.member(membership.device)?.name ?? deviceName
        status.device = membership.device
        status.account = membership.account
        status.listening = network.listeningAddress?.description ?? ""
        status.warnings = [membership.removal].compactMap { $0 } + warnings()
        status.devicesKnown = membership.members.count
        status.devicesConnected = sessions.connected.count
        status.activitiesHere = boards.ownOfferCount
        status.activitiesOffered = boards.peerOfferCount
        status.appsInstalled = launching.apps.count
        status.appsInDevelopment = launching.apps.count(where: \.isInDevelopment)
        status.appsNotTrusted = launching.apps.lazy.compactMap(\.developer).count { !teams.isTrusted($0) }
        status.teamsTrusted = teams.trustedCount
        status.pid = processID
        status.policy = policy.summary
        status.uptime = started.duration(to: time.now)
        return status
    }
}

extension StatusService: ClientMessageHandler {
    package func handle(_ message: LocalMessage, from client: any Client, reply: @escaping ClientReply) -> Bool {
        guard case .getStatus = message else { return false }
        reply(.status(status))
        return true
    }
}
