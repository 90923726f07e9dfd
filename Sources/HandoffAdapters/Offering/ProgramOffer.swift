// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffBus
import HandoffCore
import HandoffWire

final class ProgramOffer {
    private let type: ActivityType
    private let participant: ProgramParticipant
    private let loop: BusLoop
    private let home: HomeFile
    /// Separate from the threads that examine files, so that slow receivers do not delay offers.
    private let transfers: OffLoop
    private var instances: [InstanceName: any FollowedProgram] = [:]
    private var machine = OfferStateMachine()
    private var timer: LoopWatch?
    private let started = ContinuousClock.now
    /// Returns whether its window has the focus.
    private let changed: (InstanceName) -> Bool

    init(
        _ program: BundleID, _ type: ActivityType, home: HomeFile, transfers: OffLoop, to address: String,
        on loop: BusLoop, changed: @escaping (InstanceName) -> Bool
    ) {
        self.changed = changed
        self.type = type
        self.home = home
        self.transfers = transfers
        self.loop = loop
        // Another process opens other devices' activities, so that the program outlives this process.
        participant = ProgramParticipant(program, options: ["receives": .boolean(false)], to: address, on: loop)
        participant.registered = { [unowned self] in
            machine.forgotten()
            pump()
        }
        participant.refused = { failure in Complaint.say("\(program) cannot be offered: \(failure.sentence)") }
        participant.save = { [unowned self] in save($0) }
        participant.wasContinued = { [unowned self] in
            machine.continued.flatMap { instances[$0] }?.wasContinued()
        }
        participant.streamOpened = { [unowned self] in serve($0, $1) }
        participant.start()
    }

    /// `instance` calls `changed` later.
    func follow(_ name: InstanceName, _ instance: any FollowedProgram) {
        instances[name] = instance
        instance.changed = { [unowned self] shown, standing in
            machine.changed(name, shown, standing)
            if changed(name) { machine.focused(name, isReturn: false) }
            pump()
        }
        instance.moved = { [unowned self] in
            machine.moved(name)
            if changed(name) { machine.focused(name, isReturn: false) }
            pump()
        }
    }

    func focused(_ name: InstanceName, isReturn: Bool) {
        machine.focused(name, isReturn: isReturn)
        pump()
    }

    func left(_ name: InstanceName) {
        instances[name] = nil
        machine.left(name)
        pump()
    }

    func allLeft() {
        instances = [:]
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
        case .publish(let shown, _): participant.publish(properties(of: shown), then: done)
        case .update(let title): participant.update(["title": .string(title)], then: done)
        case .returned: participant.update([:], then: done)
        case .changed: participant.changed(then: done)
        case .withdraw: participant.withdraw(then: done)
        }
    }

    private func properties(of shown: OfferStateMachine.Shown) -> [String: BusValue] {
        var properties: [String: BusValue] = [
            "type": .string(type.name), "title": .string(shown.title),
            "user-info": ProgramState(source: shown.source).userInfo, "needs-save": .boolean(true),
            // The place changes all the time, and some programs do not report it.
            "always-save": .boolean(true),
        ]
        switch shown.source {
        case .page(let url): properties["web-page-url"] = .string(url)
        case .homeFile: properties["supports-streams"] = .boolean(true)
        case .message, .homeFolder, .point: break
        }
        return properties
    }

    private func serve(_ stream: String, _ socket: SharedDescriptor) {
        let end = { [weak self] (bytes: UInt64?) in
            // Without its end, the other device discards the file.
            guard let bytes else { return }
            self?.participant.endStream(stream, bytes: bytes) { shutdown(socket.number, CInt(SHUT_WR)) }
        }
        guard case .homeFile(let path, _, _)? = machine.offered?.source, let file = try? home.home?.appending(path)
        else { return }
        transfers.run({ FileTransfer.send(file, to: socket) }, then: end)
    }

    private func save(_ answer: @escaping ([String: BusValue]) -> Void) {
        guard let instance = machine.saved().flatMap({ instances[$0] }) else { return answer([:]) }
        instance.state { [weak self] state in
            // By now the instance may show something else, which becomes an activity of its own.
            let offered = self?.machine.offered?.source
            answer(state.flatMap { $0.source.names(offered) ? ["user-info": $0.userInfo] : nil } ?? [:])
            self?.pump()
        }
    }
}
