// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire
package import Logging

/// The apps of this device: which goes on with an offer, and starting it.
package final class LaunchingService: Feature {
    package static let name = "Launching"

    static let recencyFile = "apps-used"
    /// From a change of the order in which apps were used until it is written. Nothing much is lost without it, so no
    /// continuation waits for the disk.
    static let recencyDelay: Duration = .seconds(30)
    /// What the apps of a list take at most, bytes: they are one frame. Those that run are in it first; how many there are
    /// is in the daemon's status.
    package static let listedBytes = Limits.frameBytes - 1024

    private let catalog: any AppCatalog
    private let launcher: any AppLauncher
    private let membership: any Membership
    private let policy: any Policing
    private let teams: any TeamTrust
    private let store: any StateStore
    private let time: any TimeSource
    private var random: Randomness
    private let log: Logger
    package weak var approval: (any WebApproval)?
    package weak var choices: (any WebChoosing)?

    private var machine = LaunchStateMachine<UInt64>()
    private var recency = AppRecency()
    /// Set while the order on disk is older.
    private var recencyDue: Instant?
    /// Connected clients of each app, oldest first.
    private var running: [BundleID: [any Client]] = [:]
    /// That show pages, oldest first.
    private var browsers: [any Client] = []
    private var waiting: [UInt64: (Result<any Client, Failure>) -> Void] = [:]
    private var lastWaiter: UInt64 = 0
    private var observers: [() -> Void] = []
    private var alarm: (any Alarm)?

    package init(
        catalog: any AppCatalog, launcher: any AppLauncher, membership: any Membership, teams: any TeamTrust,
        policy: any Policing, store: any StateStore, time: any TimeSource, random: Randomness, log: Logger
    ) {
        self.catalog = catalog
        self.launcher = launcher
        self.membership = membership
        self.policy = policy
        self.teams = teams
        self.store = store
        self.time = time
        self.random = random
        self.log = log
    }

    package func start() throws {
        alarm = time.makeAlarm { [weak self] in self?.alarmRang() }
        teams.onChange { [weak self] in self?.changed() }
        recency = AppRecency(file: try store.read(Self.recencyFile) ?? [])
        policy.onChange { [weak self] in self?.changed() }
        approval?.onChange { [weak self] in self?.changed() }
        choices?.onChange { [weak self] in self?.changed() }
        reload()
    }

    package func stop() {
        writeRecency()
        alarm?.set(nil)
    }

    private func reload() {
        catalog.reload()
        log.info(
            "apps read", metadata: ["apps": "\(catalog.apps.count)", "unreadable": "\(catalog.problems.count)"])
        changed()
    }

    private func changed() {
        for observer in observers { observer() }
    }

    private func alarmRang() {
        if let due = recencyDue, due <= time.now { writeRecency() }
        let late = machine.deadlineReached(now: time.now)
        arm()
        for (waiter, bundle) in late { settle([waiter], .failure(didNotStart(bundle, "did not say hello in time"))) }
    }

    private func arm() {
        alarm?.set([machine.nextDeadline, recencyDue].compactMap(\.self).min())
    }

    private func writeRecency() {
        guard recencyDue != nil else { return }
        recencyDue = nil
        do {
            try store.write(recency.file, to: Self.recencyFile)
        } catch {
            log.warning("the order in which apps were used is not saved", metadata: ["cause": "\(error)"])
        }
    }

    private func receivingClient(of bundle: BundleID) -> (any Client)? { running[bundle]?.last { $0.receives } }

    private func settle(_ waiters: [UInt64], _ result: Result<any Client, Failure>) {
        for waiter in waiters { waiting.removeValue(forKey: waiter)?(result) }
    }

    private func didNotStart(_ bundle: BundleID, _ what: String) -> Failure {
        Failure(.appDidNotStart, "\(app(bundle)?.name.text ?? bundle.name) \(what)")
    }
}

extension LaunchingService: Launching {
    package var apps: [InstalledApp] { catalog.apps }
    package func app(_ bundle: BundleID) -> InstalledApp? { catalog.apps.first { $0.bundle == bundle } }
    package func owner(of program: RunningProgram) -> ProgramOwner { catalog.owner(of: program) }

    package func team(of app: InstalledApp) -> Team? {
        isTrusted(app) ? app.team(in: membership.account) : nil
    }

    private func isTrusted(_ app: InstalledApp) -> Bool { app.developer.map(teams.isTrusted) ?? true }

    package func resolve(_ offer: Offer, wish: Resolution.Wish) -> Resolution {
        if let obstacle = policy.obstacle(to: .receiving, of: nil) { return .nothing(obstacle.reason) }
        let host = offer.browsedHost
        let approved = Set(host.flatMap { approval?.approvedApps(for: $0) } ?? [])
        let apps = catalog.apps.map { app in
            AppCandidate(
                app: app, team: app.team(in: membership.account), isTrusted: isTrusted(app),
                isRunning: receivingClient(of: app.bundle) != nil, recency: recency[app.bundle],
                obstacle: policy.obstacle(to: .receiving, of: app.bundle), isApproved: approved.contains(app.bundle))
        }
        return Resolution.of(
            offer, wish: wish,
            among: Resolution.Takers(
                apps: apps, browser: browsers.last?.name, choice: host.flatMap { choices?.choice(for: $0) },
                personalTeam: membership.account.map(Team.personal)))
    }

    package func resolve(pageOf host: WebHost?, wish: Resolution.Wish) -> Resolution {
        resolve(.page(of: host, in: membership.account), wish: wish)
    }

    package func browser(preferring client: (any Client)?) -> (any Client)? {
        browsers.first { $0 === client } ?? browsers.last
    }

    package func ensureRunning(
        _ bundle: BundleID, for activityType: ActivityType, deadline: Duration,
        completion: @escaping (Result<any Client, Failure>) -> Void
    ) {
        guard let app = app(bundle) else {
            completion(.failure(Failure(.noApp, "\(bundle) is not installed")))
            return
        }
        guard isTrusted(app) else {
            completion(.failure(Failure(.noApp, "the team of \(app.name) is not trusted on this device")))
            return
        }
        if let client = receivingClient(of: bundle) {
            completion(.success(client))
            return
        }
        guard catalog.isIntact(app) else {
            completion(.failure(Failure(.appDidNotStart, "\(app.name) is not what was installed; install it again")))
            return
        }
        lastWaiter += 1
        waiting[lastWaiter] = completion
        let action = machine.requested(
            bundle, by: lastWaiter, deadline: time.now.advanced(by: deadline), fresh: .random(using: &random))
        arm()
        switch action {
        case .wait: break
        case .launch(let token):
            log.info("app starting", metadata: ["bundle": "\(bundle)"])
            launcher.launch(app, token: token, for: activityType) { [weak self] exit in
                self?.ended(bundle, token, exit)
            }
        }
    }

    private func ended(_ bundle: BundleID, _ token: LaunchToken, _ exit: AppExit) {
        log.info("app ended", metadata: ["bundle": "\(bundle)", "exit": "\(exit)"])
        let waiters = machine.ended(token)
        arm()
        settle(waiters, .failure(didNotStart(bundle, exit.phrase)))
    }

    package func redeem(_ token: LaunchToken) -> BundleID? { machine.redeemed(token) }

    package func used(_ bundle: BundleID) {
        guard recency.used(bundle) else { return }
        recencyDue = recencyDue ?? time.now.advanced(by: Self.recencyDelay)
        arm()
        changed()
    }

    package func onChange(_ observer: @escaping () -> Void) { observers.append(observer) }
}

extension LaunchingService: ClientMessageHandler {
    package func clientOpened(_ client: any Client) {
        if client.role == .browser, client.receives {
            browsers.append(client)
            changed()
        }
        guard let bundle = client.bundle else { return }
        running[bundle, default: []].append(client)
        let waiters = client.receives ? machine.appConnected(bundle) : []
        arm()
        changed()
        settle(waiters, .success(client))
    }

    package func clientClosed(_ client: any Client) {
        if browsers.contains(where: { $0 === client }) {
            browsers.removeAll { $0 === client }
            changed()
        }
        guard let bundle = client.bundle else { return }
        running[bundle]?.removeAll { $0 === client }
        if running[bundle]?.isEmpty ?? false { running[bundle] = nil }
        changed()
    }

    package func handle(_ message: LocalMessage, from client: any Client, reply: @escaping ClientReply) -> Bool {
        switch message {
        case .reloadApps:
            reload()
            reply(.done(accepted: true))
        case .listApps: reply(.appList(listed))
        default: return false
        }
        return true
    }

    /// As many as fit, by their names.
    private var listed: [AppSummary] {
        let all = summaries
        var room = Self.listedBytes
        return (all.filter(\.isRunning) + all.filter { !$0.isRunning })
            .filter { app in
                // With a frame of its own around it, which is more than its part of the common one.
                guard let bytes = try? LocalFrame(.appList([app])).encoded().count, bytes <= room else { return false }
                room -= bytes
                return true
            }
            .sorted { ($0.name.text, $0.bundle) < ($1.name.text, $1.bundle) }
    }

    private var summaries: [AppSummary] {
        catalog.apps.compactMap { app in
            // Without an account the apps of the personal team have none to be shown with.
            app.team(in: membership.account).map { team in
                AppSummary(
                    bundle: app.bundle, name: app.name, version: app.version, team: team, teamName: app.signer.teamName,
                    isInDevelopment: app.isInDevelopment, isTrusted: isTrusted(app),
                    activityTypes: app.activityTypes.sorted(), path: app.path, isRunning: running[app.bundle] != nil)
            }
        }
    }
}

extension AppSigner {
    fileprivate var teamName: DisplayText? {
        switch self {
        case .team(_, let name): name
        case .development: nil
        }
    }
}

extension AppExit {
    fileprivate var phrase: String {
        switch self {
        case .exited(let code): "ended with code \(code) before it said hello"
        case .signalled(let signal): "was ended by signal \(signal) before it said hello"
        case .notStarted(let reason): "could not be started: \(reason)"
        }
    }
}
