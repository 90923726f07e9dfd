// SPDX-License-Identifier: Apache-2.0

package import HandoffBus
package import HandoffClient
package import HandoffWire

/// Makes all features of this program, and tells each what the bus and the daemon say.
package final class DesktopFeatures {
    private let desk: DaemonDesk
    /// For what programs on the bus ask, which is less than this program may.
    private let calls: DaemonDesk
    private let bus: BusConnector
    /// The connection of `participation` alone: see `InterfaceForm`.
    private let participantBus: BusConnector
    private let participation: InterfaceFeature
    private let sandboxes: SandboxGuard
    private let presence: PresenceWatch
    private let features: [any DesktopFeature]
    private var isBusStarted = false
    /// The welcome of the connected daemon.
    private var welcome: Welcome?
    private var isBegun = false

    /// `lines`: makes connections to the daemon at `locations`: one for all of this, and others for programs on the bus.
    /// `sessionBus`: the address of the user's bus. `systemBus`: of the machine's. `environment`: what of this program's says
    /// which language its user reads. `firstList`: how long a search waits for the daemon's first list.
    package init(
        lines: @escaping () -> any DaemonLine, locations: Locations, sessionBus: String, systemBus: String,
        tray: TrayPreference, environment: [String: String], firstList: Duration = SearchWaits.firstList,
        on loop: BusLoop
    ) {
        desk = DaemonDesk(
            lines(), hello: LocalHello(role: .control, name: DisplayText(cleaning: "handoff-bus")), on: loop)
        calls = DaemonDesk(
            lines(), hello: LocalHello(role: .busProgram, name: DisplayText(cleaning: "handoff-bus")), on: loop)
        bus = BusConnector(to: sessionBus, on: loop)
        participantBus = BusConnector(to: sessionBus, on: loop)
        sandboxes = SandboxGuard(locations, on: loop)
        let room = ParticipantRoom()
        participation = InterfaceFeature(.participant, desk: desk, calls: calls, lines: lines, room: room, on: loop)
        presence = PresenceWatch(desk: desk, systemBus: systemBus, tray: tray, on: loop)
        let continuing = ActivityContinuing(DesktopContinuation(by: desk))
        let words = DesktopWords(environment)
        let notifications = NotificationsFeature(desk, locations: locations, words: words, on: loop)
        continuing.failed = { [unowned notifications] failure, choice in
            // Of one that was found a while ago nothing can be said but that it is gone.
            if let activity = choice.activity { notifications.failed(activity, failure) }
        }
        let window = HandoffWindow()
        let searched = SearchedOffers(firstList: firstList, on: loop)
        features = [
            // Before all that speak.
            words,
            presence, window, participation,
            InterfaceFeature(.whole, desk: desk, calls: calls, lines: lines, room: room, on: loop),
            notifications,
            searched, ShellSearch(searched, continuing: continuing, window: window, words: words),
            RunnerSearch(searched, continuing: continuing, words: words),
            Tray(tray, continuing: continuing, window: window, words: words, on: loop),
        ]
        presence.onChange = { [unowned self] isAway in features.forEach { $0.presenceChanged(isAway: isAway) } }
        bus.connected = { [unowned self] connection in
            connection.admission = sandboxes.admit
            connection.matchRefused = Self.complain()
            for feature in features where feature !== participation { feature.busConnected(connection) }
        }
        bus.disconnected = { [unowned self] in
            for feature in features where feature !== participation { feature.busDisconnected() }
        }
        participantBus.connected = { [unowned self] connection in
            connection.matchRefused = Self.complain()
            participation.busConnected(connection)
        }
        participantBus.disconnected = { [unowned self] in participation.busDisconnected() }
        desk.connected = { [unowned self] in
            welcome = $0
            begin()
        }
        calls.connected = { [unowned self] _ in begin() }
        desk.unavailable = { [unowned self] _ in startBus() }
        desk.disconnected = { [unowned self] in
            welcome = nil
            guard isBegun else { return }
            isBegun = false
            features.forEach { $0.daemonDisconnected() }
            features.forEach { $0.offersChanged([]) }
        }
    }

    /// One line for each connection to the bus.
    private static func complain() -> (BusFailure) -> Void {
        var isSaid = false
        return { failure in
            guard !isSaid else { return }
            isSaid = true
            Complaint.say("the bus refused a match, so some signals are missed: \(failure.sentence)")
        }
    }

    /// Once both connections to the daemon are there: a program that sees a daemon may ask it.
    private func begin() {
        guard let welcome, calls.isConnected, !isBegun else { return }
        isBegun = true
        features.forEach { $0.daemonConnected(welcome) }
        watchOffers()
    }

    package func start() {
        presence.start()
        desk.start()
        calls.start()
    }

    /// Once it is known what the daemon offers, or that there is none: whoever sees the names on the bus may call, and is not to
    /// hear that there is nothing while there is something.
    private func startBus() {
        guard !isBusStarted else { return }
        isBusStarted = true
        bus.start()
        participantBus.start()
    }

    package func stop() {
        desk.stop()
        calls.stop()
    }

    private func watchOffers() {
        desk.follow(.advertising(.listActivities(watch: true, all: true))) { [unowned self] result in
            if case .success(.advertising(.activityList(let offers))) = result {
                features.forEach { $0.offersChanged(offers) }
            }
            guard !isBusStarted else { return }
            // Answered after all that was asked before, the account and its devices among it.
            desk.request(.status(.getStatus)) { [weak self] _ in self?.startBus() }
        }
    }
}
