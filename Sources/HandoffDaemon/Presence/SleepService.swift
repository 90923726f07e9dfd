// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Logging

/// For an orderly sleep: apps save their states, the other devices get a goodbye, and nothing happens until the machine
/// is awake.
final class SleepService: Feature {
    /// For apps; logind waits for 5 s.
    static let savingTime: Duration = .seconds(2)
    /// After this time, the machine did not sleep, or the report of its wake-up was lost. Does not pass during sleep.
    static let longestPreparation: Duration = .seconds(60)
    /// For one sleep; they wait for its preparation.
    static let waitingReports = 8

    private let advertising: AdvertisingService
    private let sessions: SessionsService
    private let discovery: DiscoveryService
    private let time: any TimeSource
    private let log: Logger
    private var state = State.awake
    private var alarm: (any Alarm)?

    private enum State {
        /// Can transition to: saving.
        case awake
        /// Apps save. Can transition to: ready, awake.
        case saving(by: ClientID, until: Instant, ready: [(Bool) -> Void])
        /// Can transition to: awake.
        case ready(by: ClientID, until: Instant)

        var isAwake: Bool { if case .awake = self { true } else { false } }

        var deadline: Instant? {
            switch self {
            case .awake: nil
            case .saving(_, let until, _), .ready(_, let until): until
            }
        }

        var client: ClientID? {
            switch self {
            case .awake: nil
            case .saving(let client, _, _), .ready(let client, _): client
            }
        }
    }

    init(
        advertising: AdvertisingService, sessions: SessionsService, discovery: DiscoveryService,
        time: any TimeSource, log: Logger
    ) {
        self.advertising = advertising
        self.sessions = sessions
        self.discovery = discovery
        self.time = time
        self.log = log
    }

    func start() throws { alarm = time.makeAlarm { [weak self] in self?.deadlineReached() } }
    func stop() { alarm?.set(nil) }

    /// Calls `ready` once the machine may sleep; at once, with false, if too many reports wait.
    func prepare(for client: ClientID, ready: @escaping (_ isAccepted: Bool) -> Void) {
        switch state {
        case .awake:
            become(.saving(by: client, until: time.now.advanced(by: Self.savingTime), ready: [ready]))
            advertising.saveStates { [weak self] in self?.saved() }
        // elogind announces each sleep twice.
        case .saving(let first, let until, let others):
            guard others.count < Self.waitingReports else { return ready(false) }
            become(.saving(by: first, until: until, ready: others + [ready]))
        case .ready: ready(true)
        }
    }

    func wake() {
        guard !state.isAwake else { return }
        var waiting: [(Bool) -> Void] = []
        if case .saving(_, _, let ready) = state { waiting = ready }
        become(.awake)
        for ready in waiting { ready(true) }
        log.info("The machine is awake")
        sessions.isPaused = false
        discovery.networkChanged(on: nil)
    }

    /// Only the client that reported the sleep would report its end.
    func clientClosed(_ client: ClientID) {
        if state.client == client { wake() }
    }

    private func saved() {
        guard case .saving(let client, _, let ready) = state else { return }
        become(.ready(by: client, until: time.now.advanced(by: Self.longestPreparation)))
        log.info("The machine is about to sleep")
        sessions.pause(Failure(.cancelled, "the other device went to sleep"))
        for ready in ready { ready(true) }
    }

    private func deadlineReached() {
        guard let deadline = state.deadline, deadline <= time.now else { return }
        if case .saving = state { saved() } else { wake() }
    }

    private func become(_ state: State) {
        self.state = state
        alarm?.set(state.deadline)
    }
}
