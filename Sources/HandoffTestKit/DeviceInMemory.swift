// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffDaemon
internal import HandoffTesting
internal import HandoffTrust
internal import HandoffWire

/// A daemon on in-memory adapters, with its apps' processes.
@MainActor final class DeviceInMemory {
    let name: String
    let host: MemoryNetwork.Host
    private(set) var processes: [ProcessInMemory] = []

    private let simulation: InMemorySimulation
    private let daemon: DaemonFeatures
    private let listener: MemoryClientListener
    private let catalog = MemoryAppCatalog()
    private let launcher = Launcher()
    private let control: TestClient
    private var starters: [BundleID: (_ launch: ProcessInMemory.Launch) -> Void] = [:]

    /// `number`: determines the key, because the order of device ids affects the events.
    init(_ name: String, number: UInt8, in simulation: InMemorySimulation) throws {
        self.name = name
        self.simulation = simulation
        host = "10.0.0.\(number)"
        let store = MemoryStateStore()
        let key = try DeviceKey(scalar: Array(repeating: number, count: 32))
        let credentials = try DeviceCredentials.create(key: key, store: store)
        let node = simulation.network.node(host, device: credentials.device, key: key.publicKey.spki)
        listener = MemoryClientListener(time: simulation.time)
        let work = VirtualWork(time: simulation.time)
        (catalog.work, store.work) = (work, work)
        daemon = try DaemonFeatures(
            Adapters(
                network: node.network, air: node.air, listener: listener, catalog: catalog, launcher: launcher,
                sites: MemorySites(time: simulation.time), store: store, work: work, time: simulation.time),
            credentials: credentials, settings: Settings(name), random: &simulation.random)
        try daemon.start()
        control = listener.connect()
        control.hello(LocalHello(role: .control, name: DisplayText(cleaning: "handoff")))
        launcher.launched = { [weak self] in self?.launched($0) }
    }

    var device: DeviceID { daemon.identity.device }
    var connected: Set<DeviceID> { daemon.sessions.connected }

    /// Asks as the command line does. Throws the `Failure` in the answer.
    @discardableResult
    func ask(_ message: LocalMessage, within limit: Duration = .seconds(60)) async throws -> LocalMessage {
        let request = control.request(message)
        func answer() -> LocalMessage? {
            // Progress frames precede the answer.
            control.answers(to: request).first { if case .continuation(.progress) = $0 { false } else { true } }
        }
        try await simulation.run(until: { answer() != nil }, within: limit)
        switch answer() {
        case .failure(let failure)?: throw failure
        case let answer?: return answer
        case nil: throw HandoffSimulationError("the daemon of \(name) does not answer")
        }
    }

    // MARK: Apps

    func install(
        _ app: InstalledApp, signedBy team: TeamCertificate, starter: @escaping (ProcessInMemory.Launch) -> Void
    )
        async throws
    {
        catalog.installed.removeAll { $0.bundle == app.bundle }
        catalog.installed.append(app)
        starters[app.bundle] = starter
        try await ask(.teams(.trustTeam(certificate: team.der)))
        try await ask(.launching(.reloadApps))
    }

    func installed(_ bundle: BundleID) -> InstalledApp? { catalog.installed.first { $0.bundle == bundle } }

    func makeProcess(_ app: InstalledApp, by launch: ProcessInMemory.Launch? = nil) -> ProcessInMemory {
        let process = ProcessInMemory(
            app, by: launch, in: simulation, listener: listener,
            ended: { [launcher] in if let launch { launcher.ended(launch.token) } })
        processes.append(process)
        return process
    }

    private func launched(_ launch: Launcher.Launch) {
        simulation.time.schedule(after: .milliseconds(30)) { [weak self] in
            self?.starters[launch.app.bundle]?(
                ProcessInMemory.Launch(token: launch.token, activityType: launch.activityType))
        }
    }

    func takeTurn() -> Bool {
        processes.removeAll { $0.hasEnded }
        // Without short-circuiting.
        return processes.map { $0.takeTurn() }.contains(true)
    }
}

private final class Launcher: AppLauncher {
    struct Launch {
        let app: InstalledApp
        let token: LaunchToken
        let activityType: ActivityType
        let ended: (AppExit) -> Void
    }

    var launched: (Launch) -> Void = { _ in }
    private var running: [LaunchToken: Launch] = [:]

    func launch(
        _ app: InstalledApp, token: LaunchToken, for activityType: ActivityType, activation: ActivationToken?,
        ended: @escaping (AppExit) -> Void
    ) {
        let launch = Launch(app: app, token: token, activityType: activityType, ended: ended)
        running[token] = launch
        launched(launch)
    }

    func ended(_ token: LaunchToken) { running.removeValue(forKey: token)?.ended(.exited(code: 0)) }
}
