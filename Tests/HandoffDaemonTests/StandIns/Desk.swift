// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffDaemon
import HandoffTesting
import HandoffWire
import Logging

/// One device's apps, clients and boards on twins, joined with others by stand-ins for identity and sessions.
final class Desk {
    static let account = AccountID(uncheckedBytes: Array(repeating: 7, count: 32))
    static let personal = Team.personal(account)
    static let team = Team.made("ABCDE12345")
    static let editing = try! ActivityType("com.example.editing")
    static let reading = try! ActivityType("com.example.reading")

    let time: VirtualTime
    let member: Member
    let listener: MemoryClientListener
    let catalog: MemoryAppCatalog
    let launcher: MemoryAppLauncher
    let store = MemoryStateStore()
    let rules = MemoryAdministratorRules()
    let policy: PolicyService
    let membership: StandInMembership
    let sessions: StandInSessions
    let teams = MemoryTeamTrust()
    let sites: MemorySites
    private(set) var launching: LaunchingService
    private(set) var webLinks: WebLinksService
    private(set) var clients: ClientsService
    private(set) var boards: AdvertisingService

    init(
        _ name: String, number: UInt8 = 1, time: VirtualTime = VirtualTime(), apps: [InstalledApp] = [],
        account: AccountID? = Desk.account, clientLimits: ClientLimits = ClientLimits(),
        board: BoardLimits = BoardLimits(), webDeveloper: Bool = false, roots: [[UInt8]] = []
    ) throws {
        self.time = time
        sites = MemorySites(time: time)
        let device = DeviceID(uncheckedBytes: Array(repeating: number, count: 32))
        member = Member(
            device: device, name: DisplayText(cleaning: name), kind: .laptop, admitted: time.wallTime, admittedBy: nil)
        listener = MemoryClientListener(time: time)
        catalog = MemoryAppCatalog(apps)
        launcher = MemoryAppLauncher(time: time, listener: listener)
        membership = StandInMembership(device: device, account: account, members: account == nil ? [] : [member])
        sessions = StandInSessions(device: device, time: time)
        let log = Logger(label: name) { _ in SwiftLogNoOpLogHandler() }
        policy = PolicyService(store: store, rules: rules, time: time, log: log)
        launching = LaunchingService(
            catalog: catalog, launcher: launcher, membership: membership, teams: teams, policy: policy, store: store,
            time: time, random: .seeded(UInt64(number)), log: log)
        webLinks = WebLinksService(
            launching: launching, sites: sites, store: store, time: time, random: .seeded(UInt64(number)),
            policy: policy, isForDevelopment: webDeveloper, roots: { roots }, log: log)
        clients = ClientsService(
            listener: listener, launching: launching, membership: membership, time: time,
            deviceName: DisplayText(cleaning: name), software: DisplayText(cleaning: "handoffd 0"),
            limits: clientLimits, log: log)
        boards = AdvertisingService(
            clients: clients, sessions: sessions, launching: launching, membership: membership, policy: policy,
            time: time, limits: board, log: log)
        try policy.start()
        launching.approval = webLinks
        try launching.start()
        try webLinks.start()
        clients.register(policy)
        clients.register(launching)
        clients.register(webLinks)
        try clients.start()
        try boards.start()
    }

    /// Both devices are members of each other's account, with a session between them.
    func join(_ other: Desk) {
        for (desk, peer) in [(self, other), (other, self)] where desk.membership.member(peer.member.device) == nil {
            desk.membership.members.append(peer.member)
        }
        StandInSessions.join(sessions, other.sessions)
        settle()
    }

    func part(_ other: Desk) {
        StandInSessions.part(sessions, other.sessions)
        settle()
    }

    /// Lets everything that is under way arrive, and no deadline pass.
    func settle() { time.advance(by: .milliseconds(20)) }

    static func app(
        _ name: String, types: Set<ActivityType> = [editing], team: DeveloperTeam? = .made("ABCDE12345"),
        domains: [String] = []
    ) -> InstalledApp {
        InstalledApp(
            bundle: try! BundleID("com.example.\(name)"), name: DisplayText(cleaning: name),
            signer: team.map { .team($0, name: DisplayText(cleaning: "Example")) } ?? .development,
            activityTypes: types, associatedDomains: domains, path: "/apps/\(name).app",
            executable: "/apps/\(name).app/Contents/Linux/\(name)")
    }

    /// A running process of that app that takes continuations, welcomed.
    func run(_ app: InstalledApp, receives: Bool = true) -> TestClient {
        let client = listener.connect(executable: app.executable)
        client.hello(LocalHello(role: .app, bundle: app.bundle, name: app.name, receives: receives))
        settle()
        return client
    }

    /// As `run`; asked to save, it does, with as many states as it was asked for.
    func runSaving(_ app: InstalledApp, type: ActivityType = editing) -> TestClient {
        let client = run(app)
        var saves = 0
        client.onFrame = { [weak client] frame in
            guard case .save = frame.message else { return }
            saves += 1
            client?.answer(frame.request, .saved(ActivityState(type: type, title: "save \(saves)"), saving: .zero))
        }
        return client
    }

    /// A control client, welcomed.
    func script() -> TestClient {
        let client = listener.connect(executable: "/usr/bin/handoff")
        client.hello(LocalHello(role: .control, name: DisplayText(cleaning: "script")))
        settle()
        return client
    }

    static func activity(_ number: UInt8) -> ActivityID {
        ActivityID(uncheckedBytes: Array(repeating: number, count: 16))
    }

    /// The answer to a request, once there is one.
    func answer(_ client: TestClient, _ message: LocalMessage) -> LocalMessage? {
        let request = client.request(message)
        settle()
        return client.answers(to: request).first
    }

    @discardableResult
    func publish(
        _ number: UInt8, by client: TestClient, type: ActivityType = editing, title: String? = nil, page: Bool = false,
        expires: Duration? = nil
    ) -> LocalMessage? {
        answer(
            client,
            .publish(
                Publication(
                    activity: Self.activity(number), type: type, title: title.map { DisplayText(cleaning: $0) },
                    hasWebPage: page, expires: expires.map(time.wallTime.advanced(by:)))))
    }

    func list(all: Bool = false) -> [ListedActivity] {
        guard case .activityList(let list)? = answer(script(), .listActivities(watch: false, all: all)) else {
            return []
        }
        return list
    }

    /// Lists as a watching client sees them, the first one included.
    func watch(all: Bool = false) -> () -> [[ListedActivity]] {
        let client = script()
        let request = client.request(.listActivities(watch: true, all: all))
        settle()
        return {
            client.answers(to: request).compactMap { message in
                guard case .activityList(let list) = message else { return nil }
                return list
            }
        }
    }
}

extension [ListedActivity] {
    var activities: [ActivityID] { map(\.offer.activity) }
}
