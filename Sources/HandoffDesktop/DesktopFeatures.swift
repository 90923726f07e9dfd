// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffBus
import HandoffClient
import HandoffSystem
import HandoffWire

final class DesktopFeatures {
    private let daemon: DaemonClient
    /// For programs on the bus, which may do less.
    private let calls: DaemonClient
    private let bus: BusConnector
    /// Only for `participation`; `InterfaceForm` explains why.
    private let participantBus: BusConnector
    private let participation: InterfaceFeature
    private let sandboxes: SandboxGuard
    private let presence: PresenceWatch
    private let icons: AppIcons
    private let badges: LauncherBadges
    private let features: [any DesktopFeature]
    private var isBusStarted = false
    private var welcome: Welcome?
    private var isBegun = false

    /// `lines` makes connections to the daemon: for this program, and for programs on the bus. `environment` has the
    /// user's language. `firstList`: how long a search waits for the daemon's first list. `draw`: nil if lists have the
    /// plain icons.
    init(
        lines: @escaping () -> any DaemonLine, locations: Locations, sessionBus: String, systemBus: String,
        environment: [String: String], firstList: Duration = SearchWaits.firstList, draw: ComposedIcons.Draw? = nil,
        on loop: BusLoop
    ) {
        daemon = DaemonClient(
            lines(), hello: LocalHello(role: .control, name: DisplayText(cleaning: "handoff-bus")), on: loop)
        calls = DaemonClient(
            lines(), hello: LocalHello(role: .busProgram, name: DisplayText(cleaning: "handoff-bus")), on: loop)
        bus = BusConnector(to: sessionBus, on: loop)
        participantBus = BusConnector(to: sessionBus, on: loop)
        sandboxes = SandboxGuard(locations, on: loop)
        let room = ParticipantRoom()
        participation = InterfaceFeature(
            .participant, daemon: daemon, calls: calls, lines: lines, room: room, sandboxes: sandboxes, on: loop)
        let settings = SettingsWatch(locations, on: loop)
        presence = PresenceWatch(daemon: daemon, systemBus: systemBus, settings: settings, on: loop)
        let continuing = ActivityContinuing(DesktopContinuation(by: daemon))
        let strings = DesktopStrings(environment)
        icons = AppIcons(daemon, draw: draw, on: loop)
        let notifications = NotificationsFeature(
            daemon, locations: locations, settings: settings, icons: icons, strings: strings, on: loop)
        continuing.failed = { [unowned notifications] failure, choice in
            // A search result found earlier has no details to show.
            if let activity = choice.activity { notifications.failed(activity, failure) }
        }
        continuing.continued = { [unowned notifications] in notifications.continued($0.key) }
        let window = HandoffWindow()
        badges = LauncherBadges(settings)
        let searched = SearchedOffers(firstList: firstList, on: loop)
        let search = DesktopSearch(
            searched, daemon: daemon, continuing: continuing, window: window, icons: icons, on: loop)
        features = [
            // Before all features with text and icons.
            strings, icons,
            presence, window, participation,
            InterfaceFeature(
                .whole, daemon: daemon, calls: calls, lines: lines, room: room, sandboxes: sandboxes,
                continuing: continuing, on: loop),
            notifications,
            searched, search, ShellSearch(search, icons: icons, strings: strings),
            RunnerSearch(search, icons: icons, strings: strings),
            Tray(
                settings, daemon: daemon, icons: icons, continuing: continuing, window: window, strings: strings,
                on: loop),
            PrivacyWatch(daemon, on: loop), badges, AdapterStart(on: loop), AdapterKeeper(on: loop),
            PhonesFeature(daemon: daemon),
        ]
        presence.onChange = { [unowned self] isAway in features.forEach { $0.presenceChanged(isAway: isAway) } }
        bus.connected = { [unowned self] connection in
            connection.admission = sandboxes.admit
            connection.matchRefused = Self.complain()
            for feature in features where feature !== participation { feature.busConnected(connection) }
        }
        bus.late = Self.complain("the session bus does not respond: no notifications, tray or search until it does")
        bus.disconnected = { [unowned self] in
            for feature in features where feature !== participation { feature.busDisconnected() }
        }
        participantBus.connected = { [unowned self] connection in
            connection.matchRefused = Self.complain()
            participation.busConnected(connection)
        }
        participantBus.disconnected = { [unowned self] in participation.busDisconnected() }
        daemon.connected = { [unowned self] in
            welcome = $0
            if let places = $0.places {
                sandboxes.locations = locations.at(places)
                settings.follow(locations.at(places))
            }
            begin()
        }
        calls.connected = { [unowned self] _ in begin() }
        daemon.unavailable = { [unowned self] _ in startBus() }
        daemon.disconnected = { [unowned self] in
            welcome = nil
            guard isBegun else { return }
            isBegun = false
            features.forEach { $0.daemonDisconnected() }
            features.forEach { $0.policyChanged(nil) }
            features.forEach { $0.offersChanged([]) }
        }
    }

    private static func complain() -> (BusFailure) -> Void {
        var isSaid = false
        return { failure in
            guard !isSaid else { return }
            isSaid = true
            Complaint.say("the bus refused a match, so some signals are missed: \(failure.sentence)")
        }
    }

    private static func complain(_ sentence: String) -> () -> Void {
        var isSaid = false
        return {
            if !isSaid { Complaint.say(sentence) }
            isSaid = true
        }
    }

    /// A program that sees a daemon may send requests, so both must be connected.
    private func begin() {
        guard let welcome, calls.isConnected, !isBegun else { return }
        isBegun = true
        features.forEach { $0.daemonConnected(welcome) }
        watchPolicy()
        watchOffers()
    }

    func start() {
        presence.start()
        daemon.start()
        calls.start()
    }

    /// Called once the daemon's offers, or its absence, are known: programs that see the names must not get an empty
    /// list.
    private func startBus() {
        guard !isBusStarted else { return }
        isBusStarted = true
        bus.start()
        participantBus.start()
    }

    func stop() {
        badges.withdraw()
        daemon.stop()
        calls.stop()
    }

    private func watchPolicy() {
        daemon.follow(.policy(.showPolicy(watch: true))) { [unowned self] result in
            guard case .success(.policy(.policy(let policy))) = result else { return }
            features.forEach { $0.policyChanged(policy) }
        }
    }

    private func watchOffers() {
        daemon.follow(.advertising(.listActivities(watch: true, all: true))) { [unowned self] result in
            guard case .success(.advertising(.activityList(let offers))) = result else { return listed() }
            icons.prepare(offers) { [unowned self] in
                features.forEach { $0.offersChanged(offers) }
                listed()
            }
        }
    }

    private func listed() {
        guard !isBusStarted else { return }
        // Answered after all earlier requests.
        daemon.request(.status(.getStatus)) { [weak self] _ in self?.startBus() }
    }
}

/// All methods are called on the program's loop.
protocol DesktopFeature: AnyObject {
    /// Set up objects, matches and names on this connection.
    func busConnected(_ bus: BusConnection)
    func busDisconnected()
    func daemonConnected(_ welcome: Welcome)
    /// All pending requests are void.
    func daemonDisconnected()
    /// Nil without a daemon.
    func policyChanged(_ policy: PolicySummary?)
    /// Newest first; empty without a daemon.
    func offersChanged(_ offers: [ListedActivity])
    /// Initially, the user is considered present.
    func presenceChanged(isAway: Bool)
}

extension DesktopFeature {
    func busConnected(_ bus: BusConnection) {}
    func busDisconnected() {}
    func daemonConnected(_ welcome: Welcome) {}
    func daemonDisconnected() {}
    func policyChanged(_ policy: PolicySummary?) {}
    func offersChanged(_ offers: [ListedActivity]) {}
    func presenceChanged(isAway: Bool) {}
}

/// To the journal, through standard error. Must not contain the user's data.
enum Complaint {
    private static let standardError = DroppingStream(STDERR_FILENO)

    static func say(_ sentence: String) { standardError.write("handoff-bus: \(sentence)\n") }
}

extension BusConnection {
    /// If another program owns the name, logs a line.
    func serve(_ interfaces: [BusInterface], at path: String, as name: String) -> BusObject? {
        do throws(BusFailure) {
            let object = try BusObject(interfaces, at: path, on: self)
            requestName(name) { result in
                if case .failure(let failure) = result { Complaint.say(failure.sentence) }
            }
            return object
        } catch {
            Complaint.say("cannot offer \(name) on the bus: \(error.sentence)")
            return nil
        }
    }
}
