// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// Seeded walks of both ends: sessions that are cut, daemons that crash between any two steps, full disks, and a user
/// who sends, takes back and continues. Shows W04.
@Suite struct SendingWalkTests {
    // Shows W04.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func acceptedSendIsTakenOnceOrItsOutcomeIsKnown(block: UInt64) {
        for seed in block * 100..<(block + 1) * 100 {
            var walk = SendingWalk(seed: seed)
            for _ in 0..<150 { walk.step() }
            walk.becomeQuiet()
        }
    }
}

private struct SendingWalk: ~Copyable {
    private typealias Key = InboxStateMachine.Key

    private let seed: UInt64
    private var random: Randomness
    private var now = Instant.zero
    private var wall: WallTime { Sends.noon.advanced(by: Instant.zero.duration(to: now)) }

    private var outbox = OutboxStateMachine()
    private var inbox = InboxStateMachine()
    private var isConnected = false
    private var isFullHere = false
    private var isFullThere = false
    private var refuses = false

    private var diskHere: [ActivityID: StoredSend] = [:]
    private var diskThere: [ActivityID: StoredSend] = [:]
    /// Under way: each at most once, and one message at a time.
    private var saving: [ActivityID] = []
    private var writingHere: [SentActivity] = []
    private var writingThere: [(sent: SentActivity, attempts: [UInt64])] = []
    private var handing: [(ActivityID, attempt: UInt64)] = []
    private var answers: [(ActivityID, attempt: UInt64, Result<Void, Failure>)] = []

    private var number = 0
    /// The user received kept or taken.
    private var accepted: Set<ActivityID> = []
    private var written: [ActivityID: Int] = [:]
    /// Unsent, expired, or refused with a reason.
    private var ends: Set<ActivityID> = []

    init(seed: UInt64) {
        self.seed = seed
        random = .seeded(seed)
    }

    private mutating func chance(_ one: UInt64) -> Bool { random.next() % one == 0 }

    mutating func step() {
        switch random.next() % 16 {
        case 0, 1: send()
        case 2, 3: save()
        case 4, 5: writeHere()
        case 6, 7: arrive()
        case 8, 9: writeThere()
        case 10: answer()
        case 11: isConnected ? cut() : connect()
        case 12: if chance(3) { chance(2) ? dieHere() : dieThere() }
        case 13: if chance(3) { chance(2) ? isFullHere.toggle() : isFullThere.toggle() }
        case 14: userActs()
        default: pass(.seconds(Int64(random.next() % 400)))
        }
        check()
    }

    mutating func becomeQuiet() {
        (isFullHere, isFullThere, refuses) = (false, false, false)
        for _ in 0..<200 {
            if !isConnected { connect() }
            save()
            writeHere()
            arrive()
            writeThere()
            answer()
            pass(.seconds(20))
            userContinues()
        }
        check()
        for id in accepted.subtracting(ends) {
            #expect(written[id] == 1, "seed \(seed): accepted, and taken \(written[id] ?? 0) times")
        }
        #expect(
            outbox.list.allSatisfy { if case .refused = $0.standing { true } else { false } },
            "seed \(seed): something waits")
    }

    /// Nothing is lost or duplicated.
    private func check() {
        for id in accepted {
            #expect(
                diskHere[id] != nil || written[id] == 1 || ends.contains(id), "seed \(seed): what was accepted is lost")
        }
        #expect(written.values.allSatisfy { $0 == 1 }, "seed \(seed): taken twice")
    }

    private mutating func act(_ actions: [OutboxStateMachine.Action]) {
        for action in actions {
            switch action {
            case .write(let sent): writingHere.append(sent)
            case .note(let id, let failure):
                ends.insert(id)
                if let stored = diskHere[id], case .activity(let sent) = stored.content {
                    diskHere[id]?.content = .refused(sent.offer, failure)
                }
            case .remove(let id): diskHere[id] = nil
            case .handOver(let id, _, let attempt): handing.append((id, attempt))
            case .tell(let entry, let outcome):
                switch outcome {
                case .kept, .taken: accepted.insert(entry.offer.activity)
                case .refused: ends.insert(entry.offer.activity)
                }
            }
        }
    }

    private mutating func act(_ actions: [InboxStateMachine.Action]) {
        for action in actions {
            switch action {
            case .noteEnd(let key, let arrived):
                diskThere[key.activity] = StoredSend(
                    device: key.device, time: arrived, content: .ended(key.activity))
            case .remove(let key): diskThere[key.activity] = nil
            }
        }
    }

    private mutating func send() {
        number += 1
        let id = Sends.id(number)
        let expires = chance(4) ? wall.advanced(by: .seconds(Int64(random.next() % 2000))) : nil
        do throws(Failure) {
            try outbox.wished(id, Sends.offer(0, expires: expires), to: Sends.desktop, at: wall)
            saving.append(id)
        } catch {
            #expect(error.code == .limitReached)
        }
    }

    private mutating func save() {
        guard !saving.isEmpty else { return }
        let id = saving.removeFirst()
        let failed = chance(8)
        act(outbox.saved(failed ? .failure(Failure(.appTimedOut, "no answer")) : .success(Sends.state()), of: id))
    }

    private mutating func writeHere() {
        guard !writingHere.isEmpty else { return }
        let sent = writingHere.removeFirst()
        let id = sent.offer.activity
        guard !isFullHere else { return act(outbox.written(id, Failure(.stateNotWritable, "no room"))) }
        diskHere[id] = StoredSend(device: Sends.desktop, time: sent.offer.since, content: .activity(sent))
        // It crashes before it could answer.
        if chance(20) { return dieHere() }
        act(outbox.written(id, nil))
    }

    private mutating func arrive() {
        guard !handing.isEmpty else { return }
        let (id, attempt) = handing.removeFirst()
        guard isConnected, case .activity(let sent)? = diskHere[id]?.content else { return }
        let refusal = Failure(.notAllowed, "receiving is switched off")
        guard !refuses else { return answers.append((id, attempt, .failure(refusal))) }
        switch inbox.arrived(sent.offer, from: Sends.laptop, now: now, wall: wall) {
        case .write: writingThere.append((sent, [attempt]))
        case .wait:
            let index = writingThere.firstIndex { $0.sent.offer.activity == id }
            if let index { writingThere[index].attempts.append(attempt) }
        case .taken: answers.append((id, attempt, .success(())))
        case .refuse(let failure): answers.append((id, attempt, .failure(failure)))
        }
    }

    private mutating func writeThere() {
        guard !writingThere.isEmpty else { return }
        let (sent, attempts) = writingThere.removeFirst()
        let id = sent.offer.activity
        let key = Key(device: Sends.laptop, activity: id)
        let failure = isFullThere ? Failure(.stateNotWritable, "no room") : nil
        if failure == nil {
            diskThere[id] = StoredSend(device: Sends.laptop, time: wall, content: .activity(sent))
            written[id, default: 0] += 1
            if chance(20) { return dieThere() }
        }
        let isKept = inbox.written(key, failure)
        // It expired while it was being written, and is removed as if it had never arrived.
        if failure == nil, !isKept {
            diskThere[id] = nil
            written[id] = nil
        }
        let answer = isKept ? Result<Void, Failure>.success(()) : .failure(Failure(.stateNotWritable, "not written"))
        for attempt in attempts { answers.append((id, attempt, answer)) }
    }

    private mutating func answer() {
        guard !answers.isEmpty else { return }
        let (id, attempt, result) = answers.removeFirst()
        guard isConnected else { return }
        act(outbox.answered(result, of: id, attempt: attempt, at: now))
    }

    private mutating func connect() {
        isConnected = true
        act(outbox.sessionOpened(Sends.desktop))
    }

    private mutating func cut() {
        isConnected = false
        (handing, answers) = ([], [])
        act(outbox.sessionClosed(Sends.desktop))
    }

    private mutating func dieHere() {
        (saving, writingHere, handing, answers, isConnected) = ([], [], [], [], false)
        outbox = OutboxStateMachine()
        for stored in diskHere.values { outbox.restored(stored) }
        pass(.zero)
    }

    private mutating func dieThere() {
        writingThere = []
        if isConnected { cut() }
        inbox = InboxStateMachine()
        for stored in diskThere.values { inbox.restored(stored) }
        act(inbox.deadlineReached(wall: wall))
    }

    private mutating func userActs() {
        if chance(8) { refuses.toggle() }
        guard chance(2) else { return userContinues() }
        guard let entry = outbox.list.randomElement(using: &random) else { return }
        guard let (unsent, actions) = try? outbox.unsent(entry.offer.activity) else { return }
        ends.insert(unsent.offer.activity)
        act(actions)
    }

    private mutating func userContinues() {
        guard let offer = inbox.offers[Sends.laptop]?.randomElement(using: &random) else { return }
        act(inbox.ended(Key(device: Sends.laptop, activity: offer.activity)))
    }

    private mutating func pass(_ duration: Duration) {
        now = now.advanced(by: duration)
        let before = Set(outbox.list.map(\.offer.activity))
        let actions = outbox.deadlineReached(now: now, wall: wall)
        ends.formUnion(before.subtracting(outbox.list.map(\.offer.activity)))
        act(actions)
        act(inbox.deadlineReached(wall: wall))
    }
}
