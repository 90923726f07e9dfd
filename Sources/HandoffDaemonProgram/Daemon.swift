// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffDaemon
internal import HandoffHost
internal import HandoffNet
internal import HandoffSystem
internal import HandoffWire
internal import Logging
internal import NIOCore

final class Daemon {
    private let features: DaemonFeatures
    private let network: TLSPeerNetwork
    private let clock: ClockWatch

    /// Returns after SIGTERM or SIGINT, when everything has stopped. Throws if it could not start.
    static func run(
        _ settings: Settings, in surroundings: Surroundings, on loop: any EventLoop, log: Logger
    ) async throws {
        // Held until the end of this function.
        let lock = try DaemonLock(path: surroundings.locations.lock)
        let stateLock = try StateLock(state: surroundings.locations.state) { failure in
            // Any further write would overwrite the other daemon's data.
            log.critical("Another host has taken over the state", metadata: ["reason": "\(failure)"])
            _exit(Handoffd.ExitCode.failed.rawValue)
        }
        defer { withExtendedLifetime((lock, stateLock)) {} }
        let descriptors = try DescriptorListener(path: surroundings.locations.descriptors, log: log)
        defer { descriptors.stop() }
        // Threads that wait for programs and disks may still report after the caller has shut down the loop.
        let gate = LoopGate(to: loop)
        defer { gate.close() }
        let reports = SupervisorReports(surroundings.supervisor, on: loop, log: log)
        let daemon = try await loop.submit {
            let daemon = try Daemon(settings, in: surroundings, descriptors, on: loop, onLoop: gate.pass, log: log)
            return NIOLoopBound(daemon, eventLoop: loop)
        }.get()
        // Before the start: a signal during it stops the daemon in order.
        let signalled = try StopSignals.trap(on: loop)
        try await loop.submit {
            try daemon.value.start(reports, log: log)
        }.get()
        try await signalled.get()
        try await loop.submit {
            reports.stopping()
            daemon.value.clock.stop()
            daemon.value.features.stop()
        }.get()
        log.info("Stopped")
    }

    private init(
        _ settings: Settings, in surroundings: Surroundings, _ descriptors: DescriptorListener, on loop: any EventLoop,
        onLoop: @escaping OnLoop, log: Logger
    ) throws {
        let locations = surroundings.locations
        let time = EventLoopTime(loop: loop)
        let work = ThreadedWork(onLoop: onLoop)
        let store = try DirectoryStateStore(directory: locations.state, work: work)
        let credentials = try DeviceCredentials.loadOrCreate(store: store)
        let network = try TLSPeerNetwork(
            key: credentials.key, certificate: credentials.certificate, listen: settings.listen, loop: loop, log: log)
        let air = MulticastBeaconAir(loop: loop, withLoopback: settings.loopback, log: log)
        let listener = UnixClientListener(
            path: locations.socket, supervisor: surroundings.supervisor, loop: loop, log: log)
        let passed = NIOLoopBound(listener, eventLoop: loop)
        descriptors.watch(locations.socket) {
            onLoop {
                do {
                    try passed.value.restore()
                } catch {
                    log.error("Programs cannot connect", metadata: ["reason": "\(error)"])
                }
            }
        }
        let adapterHost = CompanionProgram("handoff-adapters", besides: Surroundings.executable)
        let catalog = BundleCatalog(
            directory: locations.apps, installs: locations.installs,
            entries: EntryFolders(environment: surroundings.environment, adapters: adapterHost.installedPath),
            work: work, log: log)
        let busDoor = CompanionProgram("handoff-bus", besides: Surroundings.executable)
        let launcher = ProcessLauncher(
            locations: locations, environment: surroundings.environment, busDoor: busDoor.path, log: log,
            onLoop: onLoop)
        let rules = AdministratorPolicyFile(log: log, onLoop: onLoop)

        let documents = DocumentDisk(
            files: try DirectoryDocumentFiles(
                state: locations.state, received: locations.received, home: surroundings.home
            ) { [files = descriptors.files] token throws(Failure) in try files.documentOpen(by: token) },
            histories: DirectoryDocumentHistories(locations.histories),
            intake: DescriptorIntake(descriptors.files, time: time, onLoop: onLoop),
            places: try DocumentPlaces(locations), work: ThreadedWork(limits: .documents, onLoop: onLoop),
            zone: LocalClock.secondsFromUTC)
        let adapters = Adapters(
            network: network, air: air, listener: listener, catalog: catalog, launcher: launcher,
            sites: SiteProgram(besides: Surroundings.executable, onLoop: onLoop), rules: rules,
            store: store,
            history: IndexProgram(besides: Surroundings.executable, file: locations.history) {
                log.warning("History", metadata: ["notice": "\($0)"])
            },
            work: work, documents: documents, time: time, memory: HeapMemory(),
            roots: TrustedRoots.certificates,
            localHosts: { LocalHosts.all(withLoopback: settings.loopback) },
            become: { [weak network] credentials in
                do {
                    try network?.identify(key: credentials.key, certificate: credentials.certificate)
                } catch {
                    log.critical("New key cannot be used before a restart", metadata: ["reason": "\(error)"])
                }
            },
            beaconSwitch: settings.hasFixedBeacons
                ? nil : BeaconSwitchFile(path: locations.configurationFile, log: log, onLoop: onLoop),
            isBusDoor: busDoor.isRun)
        var random = Randomness.system
        features = try DaemonFeatures(
            adapters, credentials: credentials, settings: settings,
            software: Software(
                name: .software, processID: Surroundings.processID,
                clientsKnown: DisplayText(cleaning: PeerCertainty.here.rawValue), places: DaemonPlaces(locations),
                hasServiceManager: TransientUnits(environment: surroundings.environment) != nil,
                hasIPv6: { LocalHosts.haveIPv6 }),
            random: &random, log: log)
        self.network = network
        clock = ClockWatch(on: loop) { [features] in features.clockChanged() }
    }

    private func start(_ reports: SupervisorReports, log: Logger) throws {
        try features.start()
        do throws(SystemError) { try clock.start() } catch {
            log.warning("Wake-ups of this machine are noticed late", metadata: ["reason": "\(error)"])
        }
        guard let address = network.listeningAddress else { return }
        CodeMemory.letGo()
        log.info("Ready", metadata: ["listening": "\(address)", "version": "\(DisplayText.software.text)"])
        reports.ready()
    }
}
