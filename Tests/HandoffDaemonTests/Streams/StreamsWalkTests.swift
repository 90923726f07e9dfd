// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// Events in any order: openings, agreements, valid and invalid tokens, links that connect and break, apps that quit,
/// time.
@Suite struct StreamsWalkTests {
    @Test(arguments: 0..<300)
    func everyOpeningEndsOnceAndNoTokenWorksTwice(seed: UInt64) {
        var walk = Walk(seed: seed)
        for _ in 0..<200 { walk.step() }
        walk.settle()
        #expect(walk.violations.isEmpty, "seed \(seed)")
    }

    private struct Walk: ~Copyable {
        var machine: Streams
        var random: Randomness
        var now = Instant.zero
        var violations: [String] = []

        private var opened = 0
        /// By the number of the opening.
        private var answers: [Int: Int] = [:]
        private var asked: Set<Int> = []
        private var dialling: Set<Int> = []
        /// The tokens given out, by opening.
        private var granted: Set<Int> = []
        private var lastLink = 0
        /// Not yet released by the machine or by their other end.
        private var links: Set<Int> = []
        private var joined: [Int: Int] = [:]
        private var wasJoined: Set<Int> = []
        private var closing: [(link: Int, failure: Failure?)] = []

        init(seed: UInt64) {
            random = .seeded(seed)
            var limits = StreamLimits()
            limits.asksPerDevice = 3
            limits.setUpsPerClient = 6
            limits.setUpsPerDevice = 9
            limits.streamsPerClient = 10
            limits.streams = 15
            machine = Streams(limits: limits)
        }

        private mutating func take(_ actions: [StreamsAction]) {
            for action in actions {
                switch action {
                case .askDevice(let id, _): asked.insert(number(id))
                case .askClient(_, let ticket, _): asked.insert(number(ticket.stream))
                case .grant(let id, _):
                    answers[number(id), default: 0] += 1
                    granted.insert(number(id))
                case .fail(let id, _):
                    answers[number(id), default: 0] += 1
                    asked.remove(number(id))
                case .dial(let id, _, _): dialling.insert(number(id))
                case .join(let near, let far):
                    for link in [near, far] where !links.contains(link) || !wasJoined.insert(link).inserted {
                        violations.append("link \(link) was joined and was not there, or twice")
                    }
                    joined[near] = far
                    joined[far] = near
                case .refuse(let link, let failure):
                    if joined[link] != nil { violations.append("joined link \(link) was refused") }
                    gone(link, failure)
                case .cut(let link, let failure):
                    let other = joined[link]
                    gone(link, failure)
                    if let other { gone(other, failure) }
                case .confirm(let link):
                    if joined[link] == nil { violations.append("the end of \(link) counts, and it is not joined") }
                case .tell, .tellDevice: break
                }
            }
        }

        private mutating func gone(_ link: Int, _ failure: Failure) {
            // A joined link may have closed before.
            guard links.remove(link) != nil else { return }
            if let other = joined.removeValue(forKey: link) { joined[other] = nil }
            closing.append((link, failure))
        }

        private func number(_ id: StreamID) -> Int { Int(id.bytes[0]) | Int(id.bytes[1]) << 8 }

        private mutating func newLink() -> Int {
            lastLink += 1
            links.insert(lastLink)
            return lastLink
        }

        private mutating func anyOpening() -> Int { opened == 0 ? 0 : Int.random(in: 0..<opened, using: &random) }

        private mutating func pass() -> StreamPass {
            StreamFixture.pass(of: StreamFixture.device(UInt8.random(in: 1...2, using: &random)))
        }

        mutating func step() {
            let client = (["viewer", "editor"] as [ClientID]).randomElement(using: &random)!
            switch Int.random(in: 0..<41, using: &random) {
            case 0..<6:
                take(machine.opened(StreamFixture.stream(opened), by: client, for: pass(), at: now))
                opened += 1
            case 6..<11:
                take(
                    machine.wanted(
                        StreamFixture.stream(opened), of: client, entry: StreamFixture.entry(opened), for: pass(),
                        at: now))
                opened += 1
            case 11..<18: agree()
            case 18..<20:
                guard let number = asked.sorted().randomElement(using: &random) else { return }
                asked.remove(number)
                take(machine.refused(StreamFixture.stream(number), .any(.noStreams)))
            case 20..<26: take(machine.attach(anyOpening(), link: newLink(), at: now))
            case 26..<31:
                let hello = StreamFixture.hello(StreamFixture.token(anyOpening()))
                let device = StreamFixture.device(UInt8.random(in: 1...2, using: &random))
                take(machine.offered(hello, by: device, link: newLink(), at: now))
            case 31..<34: answerDial()
            case 34: breakLink()
            case 35: endBytes()
            case 36: take(machine.sessionClosed(StreamFixture.device(UInt8.random(in: 1...2, using: &random))))
            case 37: if Int.random(in: 0..<4, using: &random) == 0 { take(machine.clientClosed(client)) }
            case 38:
                let end = StreamEnd(
                    stream: StreamFixture.stream(anyOpening()), byteCount: UInt64.random(in: 0...1, using: &random))
                take(machine.said(end, by: client))
            case 39:
                let device = StreamFixture.device(UInt8.random(in: 1...2, using: &random))
                take(machine.lost(StreamFixture.token(anyOpening()), by: device, .any(.connectionUnavailable)))
            default: pass(.milliseconds(Int64.random(in: 0...4000, using: &random)))
            }
            // A released link closes at some time.
            if Bool.random(using: &random), let (link, failure) = closing.popLast() {
                take(machine.closed(link, failure))
            }
        }

        private mutating func agree() {
            guard let number = asked.sorted().randomElement(using: &random) else { return }
            asked.remove(number)
            take(
                machine.agreed(
                    StreamFixture.stream(number), token: StreamFixture.token(number),
                    way: StreamWay.all.randomElement(using: &random)!, entry: StreamFixture.entry(number), at: now))
        }

        private mutating func answerDial() {
            guard let number = dialling.sorted().randomElement(using: &random) else { return }
            dialling.remove(number)
            let isAnswered = Bool.random(using: &random)
            let result: Result<Int, Failure> =
                isAnswered ? .success(newLink()) : .failure(.any(.connectionUnavailable))
            take(machine.dialled(StreamFixture.stream(number), result))
        }

        private mutating func breakLink() {
            guard let link = links.sorted().randomElement(using: &random) else { return }
            links.remove(link)
            let other = joined.removeValue(forKey: link)
            if let other { joined[other] = nil }
            guard Bool.random(using: &random) else {
                take(machine.closed(link, .any(.connectionUnavailable)))
                return
            }
            take(machine.closed(link, nil))
            // An orderly end closes both, one after the other.
            guard let other, links.remove(other) != nil else { return }
            take(machine.closed(other, nil))
        }

        private mutating func endBytes() {
            guard let link = joined.keys.sorted().randomElement(using: &random) else { return }
            take(machine.bytesEnded(link, after: UInt64.random(in: 0...1, using: &random), at: now))
        }

        private mutating func pass(_ duration: Duration) {
            let end = now.advanced(by: duration)
            while let deadline = machine.nextDeadline, deadline <= end {
                now = max(now, deadline)
                take(machine.deadlineReached(at: now))
                if let next = machine.nextDeadline, next <= deadline, next <= now {
                    violations.append("the deadline \(next) stays")
                    return
                }
            }
            now = end
        }

        /// All requests are answered, every dial ends, and time passes.
        mutating func settle() {
            while !asked.isEmpty || !dialling.isEmpty {
                agree()
                answerDial()
            }
            pass(.seconds(60))
            while !asked.isEmpty || !dialling.isEmpty {
                agree()
                answerDial()
            }
            pass(.seconds(60))
            let setUps = machine.setUps
            if setUps != 0 { violations.append("\(setUps) streams wait for ever") }
            for number in 0..<opened where answers[number, default: 0] != 1 {
                violations.append("opening \(number) got \(answers[number, default: 0]) answers")
            }
            // Every remaining link is in a stream, and no token is valid any longer.
            for link in links where joined[link] == nil { violations.append("link \(link) was forgotten") }
            for number in 0..<opened {
                for device in UInt8(1)...2 {
                    let hello = StreamFixture.hello(StreamFixture.token(number))
                    let actions = machine.offered(
                        hello, by: StreamFixture.device(device), link: -1, at: now)
                    if actions != [.refuse(-1, .any(.notAllowed))] { violations.append("token \(number) still works") }
                }
                let actions = machine.attach(number, link: -1, at: now)
                if actions != [.refuse(-1, .any(.notAllowed))] { violations.append("entry \(number) still works") }
            }
        }
    }
}
