// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Logging

/// Must not depend on web links or launching, which both use it.
final class AppsService: Feature {
    private let catalog: any AppCatalog
    private let teams: any TeamTrust
    private let membership: any Membership
    private let time: any TimeSource
    private let log: Logger

    /// For the apps to be read at the start.
    static let patience = Duration.seconds(2)
    private static let notRead = "the installed apps are still being read: a disk is slow or does not respond"

    /// Since the start. Before it, `all` is empty.
    private(set) var areRead = false
    private var known: Set<InstalledApp> = []
    private var observers: [(AppsChange) -> Void] = []
    /// Nil after the wait for the first reading.
    private var waiting: [() -> Void]? = []
    private var alarm: (any Alarm)?

    init(
        catalog: any AppCatalog, teams: any TeamTrust, membership: any Membership, time: any TimeSource, log: Logger
    ) {
        self.catalog = catalog
        self.teams = teams
        self.membership = membership
        self.time = time
        self.log = log
    }

    func start() throws {
        teams.onChange { [weak self] in self?.teamChanged($0.team) }
        alarm = time.makeAlarm { [weak self] in self?.waitEnded() }
        alarm?.set(time.now.advanced(by: Self.patience))
        reload { [weak self] _ in self?.waitEnded() }
    }

    func stop() { alarm?.set(nil) }

    private func waitEnded() {
        alarm?.set(nil)
        if !areRead { log.warning("Programs are accepted without apps", metadata: ["reason": "\(Self.notRead)"]) }
        let waiting = waiting ?? []
        self.waiting = nil
        for work in waiting { work() }
    }

    private func teamChanged(_ team: DeveloperTeam) {
        tell(.trust(Set(all.lazy.filter { $0.developer == team }.map(\.bundle))))
    }

    private func reloaded() {
        let isFirst = !areRead
        areRead = true
        let before = known
        known = Set(all)
        log.info("Installed apps read", metadata: ["apps": "\(all.count)", "problems": "\(problems.count)"])
        tell(.installed(Set(before.symmetricDifference(known).map(\.bundle))), isFirst: isFirst)
    }

    private func tell(_ change: AppsChange, isFirst: Bool = false) {
        guard isFirst || !change.bundles.isEmpty else { return }
        for observer in observers { observer(change) }
    }
}

extension AppsService {
    /// Includes apps of untrusted teams.
    var all: [InstalledApp] { catalog.apps }
    /// Sentences for the user.
    var problems: [String] { areRead ? catalog.problems : [Self.notRead] }
    /// As `AppCatalog.owner`.
    func owner(of program: RunningProgram, then: @escaping (Result<ProgramOwner, Failure>) -> Void) {
        catalog.owner(of: program, then: then)
    }
    /// As `AppCatalog.condition`.
    func condition(of app: InstalledApp, then: @escaping (Result<AppCondition, Failure>) -> Void) {
        catalog.condition(of: app, then: then)
    }
    /// Always true for an unsigned app.
    func isTrusted(_ app: InstalledApp) -> Bool { app.developer.map(teams.isTrusted) ?? true }

    /// An app may act for its own team, if trusted, or, under development, for the account's personal team.
    func team(of app: InstalledApp) -> Team? {
        isTrusted(app) ? app.team(in: membership.account) : nil
    }

    /// As `AppCatalog.reload`. Calls `then` once, after the observers.
    func reload(then: @escaping (Result<Void, Failure>) -> Void) {
        catalog.reload { [weak self] result in
            if case .success = result { self?.reloaded() }
            then(result)
        }
    }

    func whenReadOrLate(_ work: @escaping () -> Void) {
        if waiting == nil { work() } else { waiting?.append(work) }
    }

    /// Also called if the first reading finds no app. `Membership` reports changes of the account, on which the team of
    /// an app under development depends.
    func onChange(_ observer: @escaping (AppsChange) -> Void) { observers.append(observer) }
}

extension AppsService {
    func app(_ bundle: BundleID) -> InstalledApp? { all.first { $0.bundle == bundle } }
}

enum AppsChange: Hashable, Sendable {
    case installed(Set<BundleID>)
    case trust(Set<BundleID>)

    var bundles: Set<BundleID> {
        switch self {
        case .installed(let bundles), .trust(let bundles): bundles
        }
    }
}
