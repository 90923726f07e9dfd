// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

final class StatusService: Feature {
    private let network: any PeerNetwork
    private let air: any BeaconAir
    private let membership: any Membership
    private let sessions: any PeerMessaging
    private let boards: AdvertisingService
    private let apps: AppsService
    private let launching: LaunchingService
    private let sites: any SiteFetching
    private let teams: any TeamTrust
    private let policy: PolicyService
    private let presence: PresenceService
    private let phones: PhonesService
    private let streams: StreamsService
    private let time: any TimeSource
    private let deviceName: DisplayText
    private let software: Software
    private let overrides: [Fact]
    private let started: Instant
    private let explainer: OfferExplainer

    init(
        network: any PeerNetwork, air: any BeaconAir, membership: any Membership, sessions: any PeerMessaging,
        boards: AdvertisingService, inbox: InboxService, apps: AppsService, launching: LaunchingService,
        sites: any SiteFetching, teams: any TeamTrust, policy: PolicyService, presence: PresenceService,
        phones: PhonesService,
        streams: StreamsService, time: any TimeSource, deviceName: DisplayText, software: Software, overrides: [Fact]
    ) {
        self.network = network
        self.air = air
        self.membership = membership
        self.sessions = sessions
        self.boards = boards
        self.apps = apps
        self.launching = launching
        self.sites = sites
        self.teams = teams
        self.policy = policy
        self.presence = presence
        self.phones = phones
        self.streams = streams
        self.time = time
        self.deviceName = deviceName
        self.software = software
        self.overrides = overrides
        started = time.now
        explainer = OfferExplainer(
            boards: boards, inbox: inbox, sessions: sessions, membership: membership, apps: apps, launching: launching,
            policy: policy, presence: presence)
    }

    func start() throws {}

    func stop() {}

    private var status: DaemonStatus {
        var status = DaemonStatus()
        status.software = software.name.text
        status.deviceName = membership.member(membership.device)?.name ?? deviceName
        status.device = membership.device
        status.account = membership.account
        status.listening = network.listeningAddress?.description ?? ""
        status.warnings =
            [membership.end?.notice].compactMap(\.self) + membership.duplications
            + [network.listeningProblem, air.problem].compactMap(\.self) + apps.problems + sites.problems
        status.membershipEnd = membership.end
        status.recoveryKey = membership.recoveryKey
        status.devicesKnown = membership.members.count
        status.devicesConnected = sessions.connected.count
        status.activitiesHere = boards.ownOfferCount
        status.activitiesOffered = boards.peerOfferCount
        status.appsInstalled = apps.all.count { $0.signer != .system }
        status.appsInDevelopment = apps.all.count(where: \.isInDevelopment)
        status.appsNotTrusted = apps.all.lazy.compactMap(\.developer).count { !teams.isTrusted($0) }
        status.teamsTrusted = teams.trustedCount
        status.browsers = launching.browserNames
        status.phones = phones.phones
        status.strangers = membership.strangers
        status.wasReached = sessions.wasReached
        status.pid = software.processID
        status.policy = policy.summary
        status.missing =
            (presence.isWatched ? presence.word.missing : nil).missing
            + [
                software.hasServiceManager ? nil : .serviceManager,
                software.hasIPv6() ? nil : .ipv6,
            ].compactMap(\.self)
        status.uptime = started.duration(to: time.now)
        status.facts =
            [
                Fact("streamsOpen", .count(Int64(streams.count))), Fact("programsKnown", .text(software.clientsKnown)),
            ] + presenceFacts + overrides
        return status
    }

    private var presenceFacts: [Fact] {
        let word = presence.word
        let said = presence.isWatched ? "\(word.presence)" : "unwatched"
        return [Fact("presence", .text(DisplayText(cleaning: said)))]
            + [word.problem.map { Fact("presenceProblem", .text($0)) }].compactMap(\.self)
    }
}

extension StatusService: LocalMessageHandler {
    func handle(_ message: LocalMessage.Status, from client: any Client, reply: @escaping ClientReply) {
        switch message {
        case .getStatus: reply(.status(.status(status)))
        case .explainOffer(let question):
            explainer.explain(question) { result in
                switch result {
                case .success(let findings): reply(.status(.explanation(findings)))
                case .failure(let failure): reply(.failure(failure))
                }
            }
        case .status, .explanation: reply(.failure(.notForTheDaemon))
        }
    }
}

extension MissingPart {
    static let serviceManager = MissingPart(
        "systemd's user manager", loss: "nothing starts Handoff at log-in, or restarts it after a crash")
    static let ipv6 = MissingPart("IPv6", loss: "devices are found and reached by IPv4 only")
}

extension Set<DesktopPart>? {
    /// Nil: handoff-bus is not connected.
    var missing: [MissingPart] {
        guard let self else {
            return [
                MissingPart(
                    "a session bus with handoff-bus",
                    loss:
                        "no notifications, tray or search, no programs over D-Bus, and a locked screen is not detected")
            ]
        }
        return DesktopPart.allCases.filter(self.contains).map { part in
            switch part {
            case .sessionBus:
                MissingPart("a session bus", loss: "no notifications, tray or search, and no programs over D-Bus")
            case .notificationServer:
                MissingPart(
                    "a notification server", loss: "activities that other devices offer or send are not announced")
            case .tray: MissingPart("a tray (StatusNotifierWatcher)", loss: "the icon with its menu is not shown")
            case .screenLock:
                MissingPart(
                    "a program that reports a locked screen (systemd-logind or a screen saver)",
                    loss: "activities here stay offered while the screen is locked")
            }
        }
    }
}
