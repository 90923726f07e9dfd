// SPDX-License-Identifier: Apache-2.0

internal import HandoffBus
internal import HandoffClient
internal import HandoffCore
internal import HandoffWire

final class PresenceWatch: DesktopFeature {
    var onChange: (_ isAway: Bool) -> Void = { _ in }

    private let daemon: DaemonClient
    private let loop: BusLoop
    private let sessions: LogindWatch
    private let savers = ScreenSaverWatch()
    private let parts: PartsWatch
    private let started = ContinuousClock.now
    private var machine: AttendanceStateMachine
    private var word: PresenceWord?
    private var alarm: LoopWatch?

    init(daemon: DaemonClient, systemBus: String, settings: SettingsWatch, on loop: BusLoop) {
        self.daemon = daemon
        parts = PartsWatch(settings)
        self.loop = loop
        sessions = LogindWatch(
            bus: BusConnector(to: systemBus, on: loop), sleep: SleepWatch(daemon: daemon))
        machine = AttendanceStateMachine(savers: ScreenSaverWatch.names, now: .zero)
        sessions.sessionsRead = { [unowned self] sessions in take { $0.sessionsRead(sessions) } }
        sessions.lost = { [unowned self] in take { [now] in $0.sessionsLost(now: now) } }
        sessions.lockRequested = { [unowned self] session, isToLock in
            take { [now] in isToLock ? $0.lockRequested(session, now: now) : $0.unlockRequested(session) }
        }
        parts.changed = { [unowned self] in tell() }
        savers.said = { [unowned self] name, isActive in
            take { [now] machine in
                guard let isActive else { return machine.saverLost(name, now: now) }
                machine.saverSaid(name, isActive: isActive)
            }
        }
    }

    func start() {
        sessions.start()
        arm()
    }

    func busConnected(_ bus: BusConnection) {
        // The bus answers in order, so the first report includes these.
        parts.busConnected(bus)
        savers.busConnected(bus)
    }

    func busDisconnected() {
        savers.busDisconnected()
        parts.busDisconnected()
    }

    func daemonConnected(_ welcome: Welcome) { tell() }

    private var now: Instant { Instant(sinceZero: started.duration(to: .now)) }

    private func take(_ event: (inout AttendanceStateMachine) -> Void) {
        event(&machine)
        arm()
        let before = word
        word = machine.word ?? before
        guard word != before else { return }
        tell()
        let isAway = word?.presence.isAway ?? false
        if isAway != before?.presence.isAway ?? false { onChange(isAway) }
    }

    private func arm() {
        alarm = machine.nextDeadline.map { deadline in
            loop.after(max(.zero, now.duration(to: deadline))) { [unowned self] in
                take { [now] in $0.deadlineReached(now: now) }
            }
        }
    }

    private func tell() {
        guard daemon.isConnected, var word else { return }
        word.missing.formUnion(parts.missing)
        daemon.send(.presence(.setPresence(word)))
    }
}
