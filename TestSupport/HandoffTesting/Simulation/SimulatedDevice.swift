// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffDaemon
internal import HandoffTrust
package import HandoffWire

/// A complete daemon on in-memory adapters. Its disk and apps survive the daemon.
package final class SimulatedDevice {
    package let name: String
    package let host: MemoryNetwork.Host
    package let store: MemoryStateStore
    package let listener: MemoryClientListener
    package let catalog: MemoryAppCatalog
    package let launcher: MemoryAppLauncher
    package let sites: MemorySites
    package let memory = CountingMemory()
    package let documents = MemoryDocumentFiles()
    package let histories = MemoryDocumentHistories()
    package let intake: MemoryFileIntake
    /// Including those that ended.
    package private(set) var apps: [SimulatedApp] = []
    package private(set) var wishes: [SimulatedRequest] = []

    /// Takes effect at its next start.
    package var clockError: Duration = .zero
    /// Another program has the port of the beacons. Takes effect at the next start.
    package var airFailure: Failure?
    private let simulation: Simulation
    private var life: Lifetime?
    /// Reads installed apps, and does writes that a crash may lose.
    private var work: VirtualWork?
    private var daemon: DaemonFeatures?

    init(
        name: String, host: MemoryNetwork.Host, files: [String: [UInt8]], installed: [InstalledApp],
        simulation: Simulation
    ) {
        self.name = name
        self.host = host
        self.simulation = simulation
        store = MemoryStateStore()
        intake = MemoryFileIntake(time: simulation.time)
        store.files = files
        store.files[TeamsService.fileName] = Simulation.trustedTeams
        listener = MemoryClientListener(time: simulation.time)
        catalog = MemoryAppCatalog(installed)
        sites = MemorySites(time: simulation.time)
        launcher = MemoryAppLauncher(time: simulation.time, listener: listener)
        launcher.connected = { [weak self] client, launch in
            guard let self, let team = self.team(of: launch.app) else { return }
            let app = SimulatedApp(app: launch.app, team: team, time: simulation.time)
            apps.append(app)
            app.attach(client)
        }
    }

    /// Outside the event loop, from now on.
    package func workTakes(_ duration: Duration) { work?.takes = duration }

    package var isRunning: Bool { daemon != nil }
    /// In the order of their starts.
    package var features: [any Feature] { daemon?.features ?? [] }
    package var device: DeviceID? { daemon?.identity.device }
    package var account: AccountID? { daemon?.identity.account }
    /// Nil for a member.
    package var end: MembershipEnd? { daemon?.identity.end }
    package var members: Set<DeviceID> { Set(daemon?.identity.members.map(\.device) ?? []) }
    package var connected: Set<DeviceID> { daemon?.sessions.connected ?? [] }
    /// Including streams that are being set up.
    package var streamCount: Int { daemon?.device.streams.count ?? 0 }

    package func start() throws {
        let life = Lifetime(time: simulation.time, clockError: clockError, store: store)
        let work = VirtualWork(time: simulation.time)
        work.takes = simulation.timeOfWork()
        (catalog.work, store.work) = (work, work)
        let credentials = try DeviceCredentials.loadOrCreate(store: life)
        let node = simulation.network.node(host, device: credentials.device, key: credentials.key.publicKey.spki)
        node.air.startFailure = airFailure
        let adapters = Adapters(
            network: node.network, air: node.air, listener: listener, catalog: catalog, launcher: launcher,
            sites: sites, store: life, work: work,
            documents: .inMemory(documents, histories: histories, intake: intake, time: life, work: work), time: life,
            memory: memory,
            become: { [weak node] credentials in
                node?.identify(as: credentials.device, key: credentials.key.publicKey.spki)
            })
        let daemon = try DaemonFeatures(
            adapters, credentials: credentials, settings: Settings(name, board: simulation.board),
            random: &simulation.random)
        self.life = life
        self.work = work
        self.daemon = daemon
        try daemon.start()
        // As the library does.
        for app in apps where app.isAlive {
            simulation.time.schedule(after: .milliseconds(5)) { [weak self] in
                guard let self, isRunning, app.isAlive, !app.isAttached else { return }
                app.connect(to: listener)
            }
        }
    }

    /// Its clock is set while it runs, and stays so.
    package func setClock(by error: Duration) {
        clockError = error
        life?.clockError = error
    }

    /// As the kernel reports it.
    package func clockChanged() { daemon?.clockChanged() }

    /// Nothing is sent; the kernel closes open connections.
    package func crash(silently: Bool = false) {
        life?.end()
        work?.stop()
        (life, work) = (nil, nil)
        simulation.network.crash(host, silently: silently)
        listener.stop()
        daemon = nil
    }

    /// Its user opens the app.
    package func open(_ app: InstalledApp) -> SimulatedApp? {
        guard let team = team(of: app) else { return nil }
        let process = SimulatedApp(app: app, team: team, time: simulation.time)
        apps.append(process)
        if isRunning { process.connect(to: listener) }
        return process
    }

    /// An orderly stop.
    package func stop() {
        daemon?.stop()
        life?.end()
        (life, work) = (nil, nil)
        simulation.network.crash(host)
        daemon = nil
    }

    package func control() -> TestClient {
        let client = listener.connect()
        if !client.isClosed { client.hello(LocalHello(role: .control, name: DisplayText(cleaning: "handoff"))) }
        return client
    }

    @discardableResult
    package func wish(for activity: ActivityID) -> SimulatedRequest {
        let wish = SimulatedRequest(client: control(), start: StartContinuation(activity: activity))
        wishes.append(wish)
        return wish
    }

    package func team(of app: InstalledApp) -> Team? {
        app.team(in: account)
    }

    /// The list as its user sees it, including own activities; nil without a daemon.
    package func listed() -> [ListedActivity]? {
        let client = control()
        let request = client.request(.advertising(.listActivities(watch: false, all: true)))
        _ = simulation.time.run(until: { !client.answers(to: request).isEmpty || client.isClosed }, within: .seconds(1))
        defer { client.close() }
        guard case .advertising(.activityList(let list))? = client.answers(to: request).first else { return nil }
        return list
    }
}

/// A user's request to continue an activity.
package final class SimulatedRequest {
    package enum End: Hashable, Sendable {
        case continued
        case failed(Failure.Code)
        /// The requested daemon ended first.
        case cut
    }

    package private(set) var ends: [End] = []
    /// The state is from the last save, because the origin's app had quit.
    package private(set) var isOfAnAppThatQuit = false
    /// Files that a script's state named without a delivered document.
    package private(set) var strayFiles: [String] = []
    private let client: TestClient

    init(client: TestClient, start: StartContinuation) {
        self.client = client
        guard !client.isClosed else {
            ends = [.cut]
            return
        }
        let request = client.request(.continuation(.startContinuation(start)))
        client.onFrame = { [weak self] frame in
            guard let self, frame.answer == request else { return }
            switch frame.message {
            case .continuation(.outcome(let outcome)):
                ends.append(.continued)
                isOfAnAppThatQuit = outcome.saved != nil
                if case .state(let state) = outcome.how {
                    strayFiles = state.strayFiles(besides: outcome.documents)
                }
            case .failure(let failure): ends.append(.failed(failure.code))
            default: break
            }
        }
        client.onClose = { [weak self] in
            guard let self, ends.isEmpty else { return }
            ends.append(.cut)
        }
    }
}

package final class CountingMemory: ProcessMemory {
    package private(set) var returns = 0

    init() {}

    package func giveBack() { returns += 1 }
}
