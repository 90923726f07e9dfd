// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffCore
import HandoffWire

/// One program's offer: its state machine, its players' positions, and its registration.
final class MediaOffer {
    private let participant: ProgramParticipant
    private let player: (PlayerName) -> FollowedPlayer?
    private let loop: BusLoop
    private var machine = MediaStateMachine()
    private var timer: LoopWatch?
    private let started = ContinuousClock.now

    init(
        _ program: BundleID, to address: String, on loop: BusLoop, player: @escaping (PlayerName) -> FollowedPlayer?
    ) {
        self.player = player
        self.loop = loop
        // Another process opens activities of other devices, so that the program outlives this one.
        participant = ProgramParticipant(program, options: ["receives": .boolean(false)], to: address, on: loop)
        participant.registered = { [unowned self] in
            machine.forgotten()
            pump()
        }
        participant.refused = { failure in Complaint.say("\(program) cannot be offered: \(failure.sentence)") }
        participant.save = { [unowned self] in save($0) }
        participant.wasContinued = { [unowned self] in machine.wasContinued().flatMap(self.player)?.pause() }
        participant.start()
    }

    func changed(_ name: PlayerName, _ media: MediaStateMachine.Media?, _ playing: MediaStateMachine.Playing) {
        machine.changed(name, media, playing)
        pump()
    }

    func moved(_ name: PlayerName) {
        machine.moved(name)
        pump()
    }

    func left(_ name: PlayerName) {
        machine.left(name)
        pump()
    }

    func allLeft() {
        machine.allLeft()
        pump()
    }

    private var now: Instant { Instant(sinceZero: started.duration(to: .now)) }

    private func pump() {
        guard participant.isRegistered, !participant.isBusy else { return }
        timer = nil
        guard let message = machine.next(now) else {
            timer = machine.nextTime.map { time in
                loop.after(max(.zero, now.duration(to: time))) { [unowned self] in pump() }
            }
            return
        }
        let done: (BusFailure?) -> Void = { [weak self] failure in
            if let failure { Complaint.say("the daemon refused an activity: \(failure.name)") }
            self?.pump()
        }
        switch message {
        case .publish(let media, _): participant.publish(properties(of: media), then: done)
        case .update(let title): participant.update(["title": .string(title)], then: done)
        case .changed: participant.changed(then: done)
        case .withdraw: participant.withdraw(then: done)
        }
    }

    private func properties(of media: MediaStateMachine.Media) -> [String: BusValue] {
        var properties: [String: BusValue] = [
            "type": .string(ActivityType.playingMedia.name), "title": .string(media.title),
            "user-info": ProgramState(source: media.source).userInfo, "needs-save": .boolean(true),
            // The position changes all the time, and some players do not report a seek.
            "always-save": .boolean(true),
        ]
        if case .page(let url) = media.source { properties["web-page-url"] = .string(url) }
        return properties
    }

    private func save(_ answer: @escaping ([String: BusValue]) -> Void) {
        guard let name = machine.saved(), let player = player(name), let media = machine.offered else {
            return answer([:])
        }
        let isPlaying = player.report.playing == .playing
        player.position { [weak self] seconds in
            let state = ProgramState(source: media.source, seconds: seconds, isPlaying: isPlaying)
            answer(["user-info": state.userInfo])
            self?.pump()
        }
    }
}
