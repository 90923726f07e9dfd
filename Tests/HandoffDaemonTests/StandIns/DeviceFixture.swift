// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Logging

@testable import HandoffDaemon

/// One device's apps, clients and boards on in-memory adapters, joined with others by substitutes for identity and
/// sessions.
final class DeviceFixture {
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
    let store: MemoryStateStore
    let history = MemoryActivityIndex()
    /// Without it, the catalog and the store work synchronously.
    let work: VirtualWork
    let documents = MemoryDocumentFiles()
    let documentWork: VirtualWork
    let rules = MemoryAdministratorRules()
    let membership: StandInMembership
    let sessions: StandInSessions
    let teams = MemoryTeamTrust()
    let sites: MemorySites
    /// The teams trusted by certificate; nil if `teams` decides.
    let realTeams: TeamsService?
    let features: DeviceFeatures

    var apps: AppsService { features.apps }
    var policy: PolicyService { features.policy }
    var launching: LaunchingService { features.launching }
    var webLinks: WebLinksService { features.webLinks }
    var clients: ClientsService { features.clients }
    var boards: AdvertisingService { features.advertising }

    /// The program that may act for others.
    static let busDoor = "/usr/libexec/handoff/handoff-bus"

    init(
        _ name: String, number: UInt8 = 1, time: VirtualTime = VirtualTime(), apps: [InstalledApp] = [],
        account: AccountID? = DeviceFixture.account, clientLimits: ClientLimits = ClientLimits(),
        board: BoardLimits = BoardLimits(), webDeveloper: Bool = false, roots: [[UInt8]] = [],
        hasRealTeams: Bool = false, readingApps: Duration? = nil, store: MemoryStateStore = MemoryStateStore(),
        historyStays: Duration = HistoryLimits.unused
    ) throws {
        self.time = time
        self.store = store
        sites = MemorySites(time: time)
        work = VirtualWork(time: time)
        documentWork = VirtualWork(time: time)
        let device = DeviceID(uncheckedBytes: Array(repeating: number, count: 32))
        member = Member(
            device: device, name: DisplayText(cleaning: name), kind: .laptop, admitted: time.wallTime, admittedBy: nil)
        listener = MemoryClientListener(time: time)
        catalog = MemoryAppCatalog(apps)
        let firstReading = VirtualWork(time: time)
        if let readingApps {
            firstReading.takes = readingApps
            catalog.work = firstReading
        }
        launcher = MemoryAppLauncher(time: time, listener: listener)
        membership = StandInMembership(device: device, account: account, members: account == nil ? [] : [member])
        sessions = StandInSessions(device: device, time: time)
        let log = Logger(label: name) { _ in SwiftLogNoOpLogHandler() }
        realTeams = hasRealTeams ? try TeamsService(catalog: catalog, store: store, time: time, log: log) : nil
        let node = MemoryNetwork(time: time, seed: UInt64(number)).node(name, device: device)
        let adapters = Adapters(
            network: node.network, air: node.air, listener: listener, catalog: catalog, launcher: launcher,
            sites: sites, rules: rules, store: store, history: history, work: work,
            documents: .inMemory(documents, time: time, work: documentWork), time: time, roots: { roots },
            localHosts: { [] }, become: { _ in }, isBusDoor: { $0.path == Self.busDoor })
        var settings = Settings(name, board: board)
        settings.webDeveloper = webDeveloper
        settings.history = historyStays
        var random = Randomness.seeded(UInt64(number))
        var handlers = ClientHandlers()
        handlers.teams = realTeams
        features = DeviceFeatures(
            adapters, membership: membership, sessions: sessions, teams: realTeams ?? teams,
            handlers: handlers, settings: settings,
            software: Software(
                name: DisplayText(cleaning: "handoffd 0"), processID: 1, places: DaemonPlaces(Locations(root: "/desk"))),
            clientLimits: clientLimits,
            random: &random, log: log)
        for feature in features.features { try feature.start() }
        firstReading.takes = .zero
    }

    /// Both devices are members of each other's account, with a session between them.
    func join(_ other: DeviceFixture) {
        for (fixture, peer) in [(self, other), (other, self)] where fixture.membership.member(peer.member.device) == nil
        {
            fixture.membership.members.append(peer.member)
        }
        StandInSessions.join(sessions, other.sessions)
        settle()
    }

    func part(_ other: DeviceFixture) {
        StandInSessions.part(sessions, other.sessions)
        settle()
    }

    /// Lets everything under way arrive, without passing a deadline.
    func settle() { time.advance(by: .milliseconds(20)) }

    static let mpv = InstalledApp(
        bundle: try! BundleID(systemProgram: "mpv"), name: DisplayText(cleaning: "mpv"), signer: .system,
        activityTypes: [.playingMedia], path: "/usr/share/applications/mpv.desktop", executable: "")

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

    /// An app with a desktop entry, which no executable identifies.
    static func entry(_ name: String, way: AppEntry.Way = .activation(withoutBus: nil)) -> InstalledApp {
        var app = app(name, team: nil)
        app.signer = .entry
        app.executable = ""
        app.path = "/usr/share/applications/com.example.\(name).desktop"
        app.entry = AppEntry(path: app.path, hash: [], way: way)
        return app
    }

    /// A running process of that app that accepts continuations, after its welcome.
    func run(_ app: InstalledApp, receives: Bool = true) -> TestClient {
        let client = listener.connect(executable: app.executable)
        client.hello(LocalHello(role: .app, bundle: app.bundle, name: app.name, receives: receives))
        settle()
        return client
    }

    /// As `run`. It answers each request to save with a new state.
    func runSaving(
        _ app: InstalledApp, type: ActivityType = editing, persistentIdentifier: String? = nil
    ) -> TestClient {
        let client = run(app)
        var saves = 0
        client.onFrame = { [weak client] frame in
            guard case .advertising(.save) = frame.message else { return }
            saves += 1
            let state = ActivityState(
                type: type, title: "save \(saves)", persistentIdentifier: persistentIdentifier, supportsStreams: true)
            client?.answer(frame.request, .advertising(.saved(state, saving: .zero)))
        }
        return client
    }

    func script() -> TestClient {
        let client = listener.connect(executable: "/usr/bin/handoff")
        client.hello(LocalHello(role: .control, name: DisplayText(cleaning: "script")))
        settle()
        return client
    }

    static func activity(_ number: UInt8) -> ActivityID {
        ActivityID(uncheckedBytes: Array(repeating: number, count: 16))
    }

    func answer(_ client: TestClient, _ message: LocalMessage) -> LocalMessage? {
        let request = client.request(message)
        settle()
        return client.answers(to: request).first
    }

    @discardableResult
    func publish(
        _ number: UInt8, by client: TestClient, type: ActivityType = editing, title: String? = nil, page: Bool = false,
        streams: Bool = false, expires: Duration? = nil
    ) -> LocalMessage? {
        answer(
            client,
            .advertising(
                .publish(
                    Publication(
                        activity: Self.activity(number), type: type, title: title.map { DisplayText(cleaning: $0) },
                        supportsStreams: streams, hasWebPage: page, expires: expires.map(time.wallTime.advanced(by:)))))
        )
    }

    func list(all: Bool = false) -> [ListedActivity] {
        guard
            case .advertising(.activityList(let list))? = answer(
                script(), .advertising(.listActivities(watch: false, all: all)))
        else {
            return []
        }
        return list
    }

    /// The lists that a watching client receives, including the first.
    func watch(all: Bool = false) -> () -> [[ListedActivity]] {
        let client = script()
        let request = client.request(.advertising(.listActivities(watch: true, all: all)))
        settle()
        return {
            client.answers(to: request).compactMap { message in
                guard case .advertising(.activityList(let list)) = message else { return nil }
                return list
            }
        }
    }
}

extension [ListedActivity] {
    var activities: [ActivityID] { map(\.offer.activity) }
}
