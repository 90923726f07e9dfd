// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffDaemon

/// Any frames in any order from the other side, and any calls from this side.
@Suite struct SessionMachineWalkTests {
    private static let messages: [PeerMessage] = [
        .ping, .pong, .advertising(.boardRequest), .unknown, .roster(RosterUpdate()), .failure(Failure(.internal, "")),
        .advertising(.boardDelta(BoardDelta(revision: 1))),
    ]

    @Test(arguments: 0..<300)
    func everyWaiterIsAnsweredOnceAndTheEndIsFinal(seed: UInt64) {
        var random = Randomness.seeded(seed)
        let hello = PeerHello(boot: BootID(1), rosterDigest: [], software: DisplayText(cleaning: "test"))
        var machine = SessionStateMachine<Int>(hello: hello, isDialled: Bool.random(using: &random))
        var now = Instant.zero
        var waiters = 0
        var completions: [Int: Int] = [:]
        var ends = 0
        var isOpen = false

        func take(_ actions: [SessionAction<Int>]) {
            for action in actions {
                if ends > 0 { Issue.record("seed \(seed): an action after the end") }
                switch action {
                case .complete(let waiter, _): completions[waiter, default: 0] += 1
                case .ended: ends += 1
                case .greeted: take(machine.sayHello(hello, now: now))
                case .opened: isOpen = true
                case .deliver: if !isOpen { Issue.record("seed \(seed): a message before the hellos") }
                case .send, .closeLink: break
                }
            }
        }
        /// A request after the end is refused, which is an action too.
        func ask() {
            waiters += 1
            let actions = machine.request(
                .advertising(.boardRequest), waiter: waiters, deadline: now.advanced(by: .seconds(2)), now: now)
            if ends > 0 {
                #expect(actions == [.complete(waiters, .failure(.noSession))], "seed \(seed)")
                completions[waiters, default: 0] += 1
            } else {
                take(actions)
            }
        }

        take(machine.linkOpened(holdingHello: Bool.random(using: &random), now: now))
        if Int.random(in: 0..<10, using: &random) > 0 {
            take(machine.frameReceived(PeerFrame(.hello(hello)), now: now))
        }
        for _ in 0..<80 {
            switch Int.random(in: 0..<42, using: &random) {
            case 0: take(machine.frameReceived(PeerFrame(.hello(hello)), now: now))
            case 1: take(machine.frameReceived(PeerFrame(.goodbye(Failure(.cancelled, ""))), now: now))
            case 2: take(machine.linkClosed(nil))
            case 3: take(machine.close(Failure(.cancelled, "")))
            case 4...12: ask()
            case 13...20: take(machine.answer(request: UInt64.random(in: 0...20, using: &random), with: .pong))
            case 21: take(machine.watched(Bool.random(using: &random), now: now))
            case 22: take(machine.send(.advertising(.boardDelta(BoardDelta(revision: 1))), now: now))
            case 23...26:
                now = now.advanced(by: .milliseconds(Int64.random(in: 0...4000, using: &random)))
                take(machine.deadlineReached(now: now))
            default:
                take(
                    machine.frameReceived(
                        PeerFrame(
                            Self.messages.randomElement(using: &random)!,
                            request: Bool.random(using: &random) ? 0 : UInt64.random(in: 1...1000, using: &random),
                            answer: Bool.random(using: &random) ? 0 : UInt64.random(in: 1...20, using: &random)),
                        now: now))
            }
            if machine.nextDeadline != nil, ends > 0 { Issue.record("seed \(seed): a deadline after the end") }
        }
        if ends == 0 { take(machine.linkClosed(nil)) }
        #expect(ends == 1, "seed \(seed)")
        for waiter in stride(from: 1, through: waiters, by: 1) {
            if completions[waiter] != 1 {
                Issue.record("seed \(seed): waiter \(waiter) came back \(completions[waiter] ?? 0) times")
            }
        }
    }
}
