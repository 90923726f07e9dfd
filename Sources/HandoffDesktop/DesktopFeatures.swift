// SPDX-License-Identifier: Apache-2.0

package import HandoffBus
package import HandoffClient
package import HandoffWire

/// Makes all features of this program, and tells each what the bus and the daemon say.
package final class DesktopFeatures {
    private let desk: DaemonDesk
    private let bus: BusConnector
    private let presence: PresenceWatch
    private let features: [any DesktopFeature]
    private var isBusStarted = false

    /// `lines`: makes connections to the daemon at `locations`: one for all of this, and others for programs on the bus.
    /// `sessionBus`: the address of the user's bus. `systemBus`: of the machine's. `environment`: what of this program's says
    /// which language its user reads.
    package init(
        lines: @escaping () -> any DaemonLine, locations: Locations, sessionBus: String, systemBus: String,
        tray: TrayPreference, environment: [String: String], on loop: BusLoop
    ) {
        desk = DaemonDesk(
            lines(), hello: LocalHello(role: .control, name: DisplayText(cleaning: "handoff-bus")), on: loop)
        bus = BusConnector(to: sessionBus, on: loop)
        presence = PresenceWatch(desk: desk, systemBus: systemBus, on: loop)
        let continuing = ActivityContinuing(DesktopContinuation(by: desk))
        let words = DesktopWords(environment)
        let notifications = NotificationsFeature(desk, locations: locations, words: words, on: loop)
        continuing.failed = { [unowned notifications] failure, choice in
            // Of one that was found a while ago nothing can be said but that it is gone.
            if let activity = choice.activity { notifications.failed(activity, failure) }
        }
        let window = HandoffWindow()
        let searched = SearchedOffers(on: loop)
        features = [
            // Before all that speak.
            words,
            presence, window, InterfaceFeature(desk: desk, lines: lines, on: loop),
            notifications,
            searched, ShellSearch(searched, continuing: continuing, window: window, words: words),
            RunnerSearch(searched, continuing: continuing, words: words),
            Tray(tray, continuing: continuing, window: window, words: words, on: loop),
        ]
        presence.onChange = { [unowned self] isAway in features.forEach { $0.presenceChanged(isAway: isAway) } }
        bus.connected = { [unowned self] connection in features.forEach { $0.busConnected(connection) } }
        bus.disconnected = { [unowned self] in features.forEach { $0.busDisconnected() } }
        desk.connected = { [unowned self] welcome in
            features.forEach { $0.daemonConnected(welcome) }
            watchOffers()
        }
        desk.unavailable = { [unowned self] _ in startBus() }
        desk.disconnected = { [unowned self] in
            features.forEach { $0.daemonDisconnected() }
            features.forEach { $0.offersChanged([]) }
        }
    }

    package func start() {
        presence.start()
        desk.start()
    }

    /// Once it is known what the daemon offers, or that there is none: whoever sees the names on the bus may call, and is not to
    /// hear that there is nothing while there is something.
    private func startBus() {
        guard !isBusStarted else { return }
        isBusStarted = true
        bus.start()
    }

    package func stop() { desk.stop() }

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
