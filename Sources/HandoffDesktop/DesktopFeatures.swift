// SPDX-License-Identifier: Apache-2.0

package import HandoffBus
package import HandoffClient
internal import HandoffWire

/// Makes all features of this program, and tells each what the bus and the daemon say.
package final class DesktopFeatures {
    private let desk: DaemonDesk
    private let bus: BusConnector
    private let presence: PresenceWatch
    private let features: [any DesktopFeature]

    /// `line`: to the daemon. `sessionBus`: the address of the user's bus. `systemBus`: of the machine's.
    package init(line: any DaemonLine, sessionBus: String, systemBus: String, on loop: BusLoop) {
        desk = DaemonDesk(line, hello: LocalHello(role: .control, name: DisplayText(cleaning: "handoff-bus")), on: loop)
        bus = BusConnector(to: sessionBus, on: loop)
        presence = PresenceWatch(desk: desk, systemBus: systemBus, on: loop)
        features = [presence]
        presence.onChange = { [unowned self] isAway in features.forEach { $0.presenceChanged(isAway: isAway) } }
        bus.connected = { [unowned self] connection in features.forEach { $0.busConnected(connection) } }
        bus.disconnected = { [unowned self] in features.forEach { $0.busDisconnected() } }
        desk.connected = { [unowned self] welcome in
            features.forEach { $0.daemonConnected(welcome) }
            watchOffers()
        }
        desk.disconnected = { [unowned self] in
            features.forEach { $0.daemonDisconnected() }
            features.forEach { $0.offersChanged([]) }
        }
    }

    package func start() {
        presence.start()
        bus.start()
        desk.start()
    }

    package func stop() { desk.stop() }

    private func watchOffers() {
        desk.follow(.advertising(.listActivities(watch: true, all: true))) { [unowned self] result in
            guard case .success(.advertising(.activityList(let offers))) = result else { return }
            features.forEach { $0.offersChanged(offers) }
        }
    }
}
