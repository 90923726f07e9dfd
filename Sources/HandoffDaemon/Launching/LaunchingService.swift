// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Logging

final class LaunchingService: Feature {
    static let recencyFile = "apps-used"
    static let preferredFile = "apps-preferred"
    /// Delays writing a changed order, so that no continuation waits for the disk.
    static let recencyDelay: Duration = .seconds(30)

    private let apps: AppsService
    private let launcher: any AppLauncher
    private let membership: any Membership
    private let policy: PolicyService
    private let approval: WebLinksService
    private let choices: WebChoicesService
    private let store: any StateStore
    private let time: any TimeSource
    private var random: Randomness
    private let log: Logger

    private var machine = LaunchStateMachine<UInt64>()
    private var recency = AppRecency()
    /// By the user, newest first.
    private var preferred = AppRecency()
    private var recencyDue: Instant?
    private var running: [BundleID: [any Client]] = [:]

    /// At 512 characters each, they leave most of the frame to apps.
    private static let problemsListed = 64
    private var browsers: [any Client] = []
    private var waiting: [UInt64: (Result<any Client, Failure>) -> Void] = [:]
    private var lastWaiter: UInt64 = 0
    private var observers: [(LaunchingChange) -> Void] = []
    private var alarm: (any Alarm)?

    init(
        apps: AppsService, launcher: any AppLauncher, membership: any Membership, policy: PolicyService,
        approval: WebLinksService, choices: WebChoicesService, store: any StateStore, time: any TimeSource,
        random: Randomness, log: Logger
    ) {
        self.apps = apps
        self.launcher = launcher
        self.membership = membership
        self.policy = policy
        self.approval = approval
        self.choices = choices
        self.store = store
        self.time = time
        self.random = random
        self.log = log
    }

    func start() throws {
        alarm = time.makeAlarm { [weak self] in self?.alarmRang() }
        recency = AppRecency(file: try store.read(Self.recencyFile) ?? [])
        preferred = AppRecency(file: try store.read(Self.preferredFile) ?? [])
        apps.onChange { [weak self] in self?.changed(.apps($0)) }
        policy.onChange { [weak self] in if $0.switches { self?.changed(.switches) } }
        approval.onChange { [weak self] in self?.changed(.approval($0)) }
        choices.onChange { [weak self] in self?.changed(.choice($0)) }
    }

    func stop() {
        if recencyDue != nil { writeRecency() }
        alarm?.set(nil)
    }

    private func changed(_ change: LaunchingChange) {
        for observer in observers { observer(change) }
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
        recencyDue = nil
        store.writeLater(recency.file, to: Self.recencyFile) { [log] failure in
            log.warning("Order of app use could not be saved", metadata: ["cause": "\(failure)"])
        }
    }

    private func receivingClient(of bundle: BundleID) -> (any Client)? { running[bundle]?.last { $0.receives } }

    private func settle(_ waiters: [UInt64], _ result: Result<any Client, Failure>) {
        for waiter in waiters { waiting.removeValue(forKey: waiter)?(result) }
    }

    private func didNotStart(_ bundle: BundleID, _ what: String) -> Failure {
        Failure(.appDidNotStart, "\(apps.app(bundle)?.name.text ?? bundle.name) \(what)")
    }
}

extension LaunchingService {
    /// `direction`: its switches may forbid it.
    func resolve(
        _ offer: Offer, wish: Resolution.Wish, direction: HandoffDirection = .receiving
    ) -> Resolution {
        if let obstacle = policy.obstacle(to: direction, of: nil) {
            return .nothing(obstacle.reason, advice: obstacle.advice)
        }
        let host = offer.browsedHost
        let approved = Set(host.map(approval.approvedApps) ?? [])
        let candidates = apps.all.map { app in
            AppCandidate(
                app: app, team: app.team(in: membership.account), isTrusted: apps.isTrusted(app),
                isRunning: receivingClient(of: app.bundle) != nil, recency: recency[app.bundle],
                obstacle: policy.obstacle(to: direction, of: app.bundle), isApproved: approved.contains(app.bundle),
                isPreferred: preferred[app.bundle] != nil,
                isIndexer: direction == .history && offer.type == .searchableItem && offer.bundle == app.bundle)
        }
        return Resolution.of(
            offer, wish: wish,
            among: Resolution.Candidates(
                apps: candidates, browser: browsers.last?.name, choice: host.flatMap(choices.choice),
                personalTeam: membership.account.map(Team.personal)))
    }

    /// For a page that a browser offers. Nil: an address that no app accepts.
    func resolve(pageOf host: WebHost?, wish: Resolution.Wish) -> Resolution {
        resolve(.page(of: host, in: membership.account), wish: wish)
    }

    /// `client` if it is a browser, else the latest to connect.
    func browser(preferring client: (any Client)?) -> (any Client)? {
        browsers.first { $0 === client } ?? browsers.last
    }

    /// Returns the app's receiving client, and starts the app first if necessary. Fails with `.appDidNotStart` at the
    /// deadline, or if the app exits first. Calls `completion` once.
    func ensureRunning(
        _ bundle: BundleID, for activityType: ActivityType, activation: ActivationToken?, deadline: Duration,
        completion: @escaping (Result<any Client, Failure>) -> Void
    ) {
        guard let app = apps.app(bundle) else {
            completion(.failure(Failure(.noApp, "\(bundle) is not installed")))
            return
        }
        guard apps.isTrusted(app) else {
            completion(.failure(Failure(.noApp, "the team of \(app.name) is not trusted on this device")))
            return
        }
        if let client = receivingClient(of: bundle) {
            completion(.success(client))
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
            look(at: Start(bundle: bundle, token: token, activityType: activityType, activation: activation))
        }
    }

    /// Off the loop.
    private func look(at start: Start) {
        guard let app = apps.app(start.bundle), apps.isTrusted(app) else {
            return gaveUp(start.token, "\(start.bundle) is no longer installed, or its team is no longer trusted")
        }
        apps.condition(of: app) { [weak self] in self?.looked(at: app, start, $0) }
    }

    /// The waiter may have given up, or the app may be running or replaced.
    private func looked(at app: InstalledApp, _ start: Start, _ condition: Result<AppCondition, Failure>) {
        guard machine.isAwaited(start.token) else {
            _ = machine.ended(start.token)
            return
        }
        guard apps.app(app.bundle) == app, apps.isTrusted(app) else { return look(at: start) }
        switch condition {
        case .success(.asRead):
            log.info("App starting", metadata: ["bundle": "\(app.bundle)"])
            launcher.launch(app, token: start.token, for: start.activityType, activation: start.activation) {
                [weak self] exit in self?.ended(app.bundle, start.token, exit)
            }
        case .success(.altered):
            gaveUp(start.token, "\(app.name) has changed since it was installed; install it again")
        case .success(.outdated) where start.isReread:
            gaveUp(start.token, "the desktop entry of \(app.name) changed while it was read")
        case .success(.outdated): reread(start)
        case .failure(let failure): gaveUp(start.token, "\(app.name) could not be checked: \(failure.reason)")
        }
    }

    /// Only once, because the desktop entry's writer may change it continually.
    private func reread(_ start: Start) {
        apps.reload { [weak self] result in
            switch result {
            case .success:
                var start = start
                start.isReread = true
                self?.look(at: start)
            case .failure(let failure):
                self?.gaveUp(start.token, "the desktop entry of \(start.bundle) could not be read: \(failure.reason)")
            }
        }
    }

    private struct Start {
        let bundle: BundleID
        let token: LaunchToken
        let activityType: ActivityType
        let activation: ActivationToken?
        var isReread = false
    }

    private func gaveUp(_ token: LaunchToken, _ reason: String) {
        let waiters = machine.ended(token)
        arm()
        settle(waiters, .failure(Failure(.appDidNotStart, reason)))
    }

    private func ended(_ bundle: BundleID, _ token: LaunchToken, _ exit: AppExit) {
        log.info("App ended", metadata: ["bundle": "\(bundle)", "exit": "\(exit)"])
        let waiters = machine.ended(token)
        arm()
        settle(waiters, .failure(didNotStart(bundle, exit.phrase)))
    }

    func isRunning(_ bundle: BundleID) -> Bool { running[bundle] != nil }

    func redeem(_ token: LaunchToken) -> BundleID? { machine.redeemed(token) }

    /// Sorted. Limited, because any program may claim to be a browser.
    var browserNames: [DisplayText] {
        Array(Set(browsers.map(\.name)).sorted { $0.text < $1.text }.prefix(Limits.browsersListed))
    }

    func used(_ bundle: BundleID) {
        guard recency.used(bundle) else { return }
        recencyDue = recencyDue ?? time.now.advanced(by: Self.recencyDelay)
        arm()
        if hasEqual(bundle) { changed(.used(bundle)) }
    }

    /// Without another app for the same offer, the order decides nothing, and each published activity would resolve all
    /// offers again.
    private func hasEqual(_ bundle: BundleID) -> Bool {
        guard let used = apps.app(bundle) else { return false }
        return apps.all.contains { other in
            other.bundle != bundle
                && (!other.activityTypes.isDisjoint(with: used.activityTypes)
                    || !other.associatedDomains.isEmpty && !used.associatedDomains.isEmpty)
        }
    }

    func onChange(_ observer: @escaping (LaunchingChange) -> Void) { observers.append(observer) }
}

extension LaunchingService: LocalMessageHandler {
    func clientOpened(_ client: any Client) {
        if client.audience == .browser, client.receives {
            browsers.append(client)
            changed(.browsers)
        }
        guard let bundle = client.bundle else { return }
        running[bundle, default: []].append(client)
        let waiters = client.receives ? machine.appConnected(bundle) : []
        arm()
        changed(.running(bundle))
        settle(waiters, .success(client))
    }

    func clientClosed(_ client: any Client) {
        if browsers.contains(where: { $0 === client }) {
            browsers.removeAll { $0 === client }
            changed(.browsers)
        }
        guard let bundle = client.bundle else { return }
        running[bundle]?.removeAll { $0 === client }
        if running[bundle]?.isEmpty ?? false { running[bundle] = nil }
        changed(.running(bundle))
    }

    func handle(_ message: LocalMessage.Launching, from client: any Client, reply: @escaping ClientReply) {
        switch message {
        case .reloadApps:
            apps.reload { result in
                switch result {
                case .success: reply(.done(accepted: true))
                case .failure(let failure): reply(.failure(failure))
                }
            }
        case .listApps: reply(.launching(list))
        case .preferApp(let bundle, let isPreferred):
            do throws(Failure) {
                try prefer(bundle, isPreferred)
                reply(.done(accepted: true))
            } catch {
                reply(.failure(error))
            }
        case .appList: reply(.failure(.notForTheDaemon))
        }
    }

    /// An app that is no longer installed can be forgotten.
    private func prefer(_ bundle: BundleID, _ isPreferred: Bool) throws(Failure) {
        var changed = preferred
        if isPreferred {
            guard let app = apps.app(bundle) else { throw Failure(.noApp, "\(bundle) is not installed") }
            for other in apps.all where !other.activityTypes.isDisjoint(with: app.activityTypes) {
                changed.remove(other.bundle)
            }
            _ = changed.used(bundle)
        } else {
            changed.remove(bundle)
        }
        guard changed != preferred else { return }
        // First: a reported choice must survive a crash.
        try store.write(changed.file, to: Self.preferredFile)
        preferred = changed
        self.changed(.preferred(bundle))
    }

    /// Running apps preferred, sorted by name.
    private var list: LocalMessage.Launching {
        let all = summaries
        let problems = listedProblems
        // Each problem's tag and length fit into ten bytes.
        let listed = (all.filter(\.isRunning) + all.filter { !$0.isRunning })
            .fitting(reserved: problems.reduce(0) { $0 + $1.utf8.count + 10 }) { .launching(.appList($0)) }
            .sorted { ($0.name.text, $0.bundle) < ($1.name.text, $1.bundle) }
        return .appList(listed, problems: problems)
    }

    private var listedProblems: [String] {
        let all = apps.problems
        let listed = Array(all.prefix(Self.problemsListed))
        let others = all.count - listed.count
        return others == 0 ? listed : listed + ["\(others) others, which are in the log of handoffd"]
    }

    private var summaries: [AppSummary] {
        apps.all.map { app in
            AppSummary(
                bundle: app.bundle, name: app.name, version: app.version, team: app.team(in: membership.account),
                teamName: app.signer.teamName, isInDevelopment: app.isInDevelopment, isTrusted: apps.isTrusted(app),
                activityTypes: app.activityTypes.sorted(), path: app.path, entry: app.entry?.path,
                isRunning: isRunning(app.bundle), isPreferred: preferred[app.bundle] != nil)
        }
    }
}

extension AppSigner {
    fileprivate var teamName: DisplayText? {
        switch self {
        case .team(_, let name): name
        case .development, .entry, .system: nil
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

/// Why an offer may resolve differently. `Membership` reports changes of the account.
enum LaunchingChange: Hashable, Sendable {
    case apps(AppsChange)
    case running(BundleID)
    case browsers
    case used(BundleID)
    case preferred(BundleID)
    case approval(ApprovalChange)
    case choice(WebHost)
    case switches
}
