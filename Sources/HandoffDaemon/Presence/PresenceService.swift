// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Logging

final class PresenceService: Feature {
    private let time: any TimeSource
    private let log: Logger
    private var machine = PresenceStateMachine()
    private var observers: [() -> Void] = []
    private var told = Presence.here
    private var alarm: (any Alarm)?
    /// Held by the owner of all features.
    weak var sleep: SleepService?

    init(time: any TimeSource, log: Logger) {
        self.time = time
        self.log = log
    }

    func start() throws { alarm = time.makeAlarm { [weak self] in self?.deadlineReached() } }

    func stop() { alarm?.set(nil) }

    private func deadlineReached() {
        machine.deadlineReached(now: time.now)
        changed()
    }

    private func changed() {
        alarm?.set(machine.nextDeadline)
        let presence = word.presence
        guard presence != told else { return }
        told = presence
        log.info("User's presence changed", metadata: ["presence": "\(presence)", "watched": "\(isWatched)"])
        for observer in observers { observer() }
    }
}

extension PresenceService {
    var word: PresenceWord { machine.word ?? PresenceWord(.here) }
    var isWatched: Bool { machine.word != nil }
    func onChange(_ observer: @escaping () -> Void) { observers.append(observer) }
}

extension PresenceService: LocalMessageHandler {
    func clientClosed(_ client: any Client) {
        machine.clientClosed(client.id, now: time.now)
        changed()
        sleep?.clientClosed(client.id)
    }

    func handle(_ message: LocalMessage.Presence, from client: any Client, reply: @escaping ClientReply) {
        switch message {
        case .setPresence(let word):
            log.debug(
                "User's presence reported",
                metadata: [
                    "pid": "\(client.processID)", "presence": "\(word.presence)", "sure": "\(word.problem == nil)",
                ])
            machine.said(word, by: client.id)
            reply(.done(accepted: true))
            changed()
        case .setSleep(let isAsleep):
            guard let sleep else { return reply(.done(accepted: false)) }
            if isAsleep { return sleep.prepare(for: client.id) { reply(.done(accepted: $0)) } }
            sleep.wake()
            reply(.done(accepted: true))
        }
    }
}
