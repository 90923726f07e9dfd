// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffDaemon

@Suite struct DiscoveryStateMachineTests {
    static func device(_ number: UInt8) -> DeviceID {
        DeviceID(uncheckedBytes: Array(repeating: number, count: 32))
    }

    let laptop = device(1)
    let desktop = device(2)
    let tablet = device(3)
    let desktopHome = NetworkAddress(host: "10.0.0.2", port: 4711)
    var desktopWay: SessionWay { way(of: .direct) }

    func way(of preference: LinkPreference) -> SessionWay {
        SessionWay(
            boot: BootID(1), endpoint: .address(desktopHome), preference: preference, listening: .address(desktopHome))
    }
    let desktopAir = NetworkAddress(host: "10.0.0.2", port: 4712)
    static let wallZero = WallTime(milliseconds: 1_800_000_000_000)

    func second(_ seconds: Double) -> Instant { Instant(sinceZero: .seconds(seconds)) }
    func wall(_ now: Instant) -> WallTime { Self.wallZero.advanced(by: now.sinceZero) }

    func beacon(of device: DeviceID, boot: UInt64 = 1, port: UInt16 = 4711, isAnswer: Bool = false) -> Beacon {
        Beacon(device: device, port: port, boot: BootID(boot), time: Self.wallZero, isAnswer: isAnswer)
    }

    struct Subject: ~Copyable {
        var machine: DiscoveryStateMachine
        var random = Randomness.seeded(1)

        init(
            _ device: DeviceID, knowing members: [DeviceID], peers: [NetworkAddress] = [],
            known: KnownAddresses = .init()
        ) {
            machine = DiscoveryStateMachine(device: device, addresses: peers, known: known)
            first = machine.membersChanged(to: members, isSearchingInviter: false, now: .zero, random: &random)
        }

        let first: [DiscoveryAction]

        mutating func wake(at now: Instant, wall: WallTime) -> [DiscoveryAction] {
            machine.deadlineReached(now: now, wall: wall, random: &random)
        }

        mutating func hear(
            _ beacon: Beacon, with key: BeaconKeyKind = .account, from source: NetworkAddress, at now: Instant,
            wall: WallTime
        ) -> [DiscoveryAction] {
            machine.beaconReceived(beacon, sealedWith: key, from: source, now: now, wall: wall, random: &random)
        }
    }

    // MARK: Own beacons

    // Shows Y01
    @Test func startsWithABurstThenOneInFiveMinutes() {
        var subject = Subject(laptop, knowing: [desktop])
        var sent: [Instant] = []
        let first = subject.first
        if first == [.announce(.account)] { sent.append(.zero) }
        while let next = subject.machine.nextDeadline, next < second(1000) {
            if subject.wake(at: next, wall: wall(next)) == [.announce(.account)] { sent.append(next) }
        }
        #expect(sent.count == 6)
        for (sent, planned) in zip(sent, DiscoveryLimits.burst) {
            #expect(sent >= Instant.zero.advanced(by: planned))
            #expect(sent <= Instant.zero.advanced(by: planned + DiscoveryLimits.burstJitter))
        }
        #expect(sent[3] == sent[2].advanced(by: DiscoveryLimits.beaconInterval))
        #expect(sent[5] == sent[4].advanced(by: DiscoveryLimits.beaconInterval))
    }

    // Shows Y05
    @Test func isSilentWithoutOtherDevices() {
        let subject = Subject(laptop, knowing: [laptop])
        let (first, deadline) = (subject.first, subject.machine.nextDeadline)
        #expect(first == [] && deadline == nil)
    }

    @Test func aFlappingNetworkIsAnsweredInSteps() {
        var subject = Subject(laptop, knowing: [desktop])
        var sent = 0
        for step in 0..<1000 {
            let now = second(10 + Double(step) / 1000)
            sent += subject.machine.networkChanged(now: now, wall: wall(now), random: &subject.random).count
        }
        #expect(sent <= 11)
    }

    // Shows Q05
    @Test func aChangeElsewhereLeavesTheRestAlone() {
        var subject = Subject(laptop, knowing: [desktop])
        _ = subject.machine.sessionOpened(desktop, over: desktopWay, now: .zero)
        _ = subject.wake(at: second(2), wall: wall(second(2)))
        var now = second(10)
        let container = NetworkChange(interfaces: [7], hosts: [])
        let first = subject.machine.networkChanged(container, now: now, wall: wall(now), random: &subject.random)
        #expect(first == [.announce(.account, on: [7])])
        for time in [10.25, 10.75] {
            now = second(time)
            #expect(subject.wake(at: now, wall: wall(now)) == [.announce(.account, on: [7])])
        }
        now = second(20)
        let route = NetworkChange(interfaces: [], hosts: [desktopHome.host])
        let probes = subject.machine.networkChanged(route, now: now, wall: wall(now), random: &subject.random)
        #expect(probes == [.probeSession(desktop)])
    }

    // Shows Y02
    @Test func aSleepIsNoticedByTheClocks() {
        var subject = Subject(laptop, knowing: [desktop])
        _ = subject.machine.sessionOpened(
            desktop, over: desktopWay, now: .zero)
        _ = subject.wake(at: second(1), wall: wall(second(1)))
        let actions = subject.wake(at: second(2), wall: wall(second(3600)))
        #expect(actions == [.probeSession(desktop), .announce(.account)])
    }

    // MARK: Others' beacons

    @Test func ignoresItsOwnBeaconAndStrangers() {
        var subject = Subject(laptop, knowing: [desktop])
        #expect(subject.hear(beacon(of: laptop), from: desktopAir, at: second(0.01), wall: wall(second(0.01))) == [])
        #expect(subject.hear(beacon(of: tablet), from: desktopAir, at: second(0.01), wall: wall(second(0.01))) == [])
    }

    @Test func theLowerIdAnswersAndDialsAtOnce() {
        var subject = Subject(laptop, knowing: [desktop])
        let now = second(0.01)
        #expect(
            subject.hear(beacon(of: desktop), from: desktopAir, at: now, wall: wall(now))
                == [
                    .answer(desktopAir, .account),
                    .dial(Dial(id: 1, endpoint: .address(desktopHome), expecting: desktop)),
                ])
    }

    @Test func theHigherIdDialsAfterADelay() {
        var subject = Subject(tablet, knowing: [desktop])
        let now = second(1)
        _ = subject.wake(at: now, wall: wall(now))
        #expect(
            subject.hear(beacon(of: desktop), from: desktopAir, at: now, wall: wall(now)) == [
                .answer(desktopAir, .account)
            ])
        let next = subject.machine.nextDeadline
        #expect(next == now.advanced(by: DiscoveryLimits.courtesy))
        let dial = Dial(id: 1, endpoint: .address(desktopHome), expecting: desktop)
        #expect(subject.wake(at: next!, wall: wall(next!)) == [.dial(dial)])
    }

    @Test func anAnswerIsNotAnswered() {
        var subject = Subject(laptop, knowing: [desktop])
        let actions = subject.hear(
            beacon(of: desktop, isAnswer: true), from: desktopAir, at: second(0.01), wall: wall(second(0.01)))
        #expect(actions == [.dial(Dial(id: 1, endpoint: .address(desktopHome), expecting: desktop))])
    }

    @Test func answersAreFewForEachDeviceAndInAll() {
        let crowd = (UInt8(2)...60).map(Self.device)
        var subject = Subject(laptop, knowing: crowd)
        var answers = 0
        for step in 0..<2000 {
            let now = second(10 + Double(step) / 2500)
            let actions = subject.hear(
                beacon(of: crowd[step % 3]), from: desktopAir, at: now, wall: wall(now))
            answers += actions.count { if case .answer = $0 { true } else { false } }
        }
        // Three devices, 0.8 seconds, one answer per 100 ms each; the total is limited too.
        #expect(answers <= DiscoveryLimits.answersPerSecond)
        var others = 0
        for step in 0..<crowd.count {
            let now = second(100 + Double(step) / 1000)
            let actions = subject.hear(beacon(of: crowd[step]), from: desktopAir, at: now, wall: wall(now))
            others += actions.count { if case .answer = $0 { true } else { false } }
        }
        #expect(others == DiscoveryLimits.answersPerSecond)
    }

    // Shows Y02, X04
    @Test func aNewBootIsAnsweredAndTheOldSessionProbed() {
        var subject = Subject(laptop, knowing: [desktop])
        _ = subject.machine.sessionOpened(
            desktop, over: desktopWay, now: .zero)
        let now = second(1)
        _ = subject.wake(at: now, wall: wall(now))
        // A replayed beacon looks the same, so it must not end a working session.
        #expect(
            subject.hear(beacon(of: desktop, boot: 2), from: desktopAir, at: now, wall: wall(now))
                == [.probeSession(desktop), .answer(desktopAir, .account)])
        #expect(subject.hear(beacon(of: desktop, boot: 1), from: desktopAir, at: now, wall: wall(now)) == [])
        #expect(subject.machine.sessionClosed(desktop, now: second(2), random: &subject.random) == [])
        let next = subject.machine.nextDeadline
        #expect(next! <= second(2.5))
        let dial = Dial(id: 1, endpoint: .address(desktopHome), expecting: desktop)
        #expect(subject.wake(at: next!, wall: wall(next!)) == [.dial(dial)])
    }

    // Shows Y02
    @Test func aConnectedDeviceHeardElsewhereIsProbed() {
        var subject = Subject(laptop, knowing: [desktop])
        _ = subject.machine.sessionOpened(
            desktop, over: desktopWay, now: .zero)
        let elsewhere = NetworkAddress(host: "192.168.7.7", port: 4712)
        let now = second(1)
        _ = subject.wake(at: now, wall: wall(now))
        #expect(
            subject.hear(beacon(of: desktop), from: elsewhere, at: now, wall: wall(now)) == [.probeSession(desktop)])
    }

    // MARK: Dials

    // Shows Y05
    @Test(arguments: 0..<50)
    func pausesDoubleWithinBoundsThenEnd(seed: UInt64) {
        var known = KnownAddresses()
        _ = known.remember(desktopHome, of: desktop)
        var machine = DiscoveryStateMachine(device: laptop, addresses: [], known: known)
        var random = Randomness.seeded(seed)
        var actions = machine.membersChanged(to: [desktop], isSearchingInviter: false, now: .zero, random: &random)
        var failedAt: [Instant] = []
        var pauses: [Duration] = []
        var now = Instant.zero
        while now < second(290) {
            let dials = actions.compactMap { if case .dial(let dial) = $0 { dial } else { nil } }
            #expect(dials.count <= 1)
            if let dial = dials.first {
                if let last = failedAt.last { pauses.append(last.duration(to: now)) }
                failedAt.append(now)
                let failure = Failure(.connectionUnavailable, "")
                actions = machine.dialFailed(dial, failure, now: now, random: &random)
                #expect(actions == [])
            }
            guard let next = machine.nextDeadline else { break }
            now = next
            actions = machine.deadlineReached(now: now, wall: wall(now), random: &random)
        }
        #expect(pauses.count == DiscoveryLimits.failuresUntilDormant - 1)
        var whole = DiscoveryLimits.firstPause
        for pause in pauses {
            #expect(pause <= whole && pause >= whole * 0.75, "seed \(seed)")
            whole = min(whole * 2, DiscoveryLimits.longestPause)
        }
    }

    @Test func aFreshBeaconEndsThePauseButNotTheGap() {
        var subject = Subject(laptop, knowing: [desktop])
        let now = second(10)
        _ = subject.wake(at: now, wall: wall(now))
        _ = subject.hear(beacon(of: desktop), from: desktopAir, at: now, wall: wall(now))
        let dial = Dial(id: 1, endpoint: .address(desktopHome), expecting: desktop)
        for _ in 0..<3 {
            _ = subject.machine.dialFailed(dial, Failure(.connectionUnavailable, ""), now: now, random: &subject.random)
        }
        let soon = second(10.2)
        let actions = subject.hear(beacon(of: desktop), from: desktopAir, at: soon, wall: wall(soon))
        #expect(actions == [.answer(desktopAir, .account)])
        let next = subject.machine.nextDeadline
        #expect(next == now.advanced(by: DiscoveryLimits.dialGap))
    }

    // Shows Y02
    @Test func aBeaconOfANewStartEndsThePauseAndMostOfTheGap() {
        var subject = Subject(laptop, knowing: [desktop])
        let now = second(10)
        _ = subject.wake(at: now, wall: wall(now))
        _ = subject.hear(beacon(of: desktop), from: desktopAir, at: now, wall: wall(now))
        let dial = Dial(id: 1, endpoint: .address(desktopHome), expecting: desktop)
        _ = subject.machine.dialFailed(dial, Failure(.connectionUnavailable, ""), now: now, random: &subject.random)
        let soon = second(10.02)
        _ = subject.hear(beacon(of: desktop, boot: 2), from: desktopAir, at: soon, wall: wall(soon))
        let next = subject.machine.nextDeadline
        #expect(next == now.advanced(by: DiscoveryLimits.restartGap))
    }

    // Shows Y02
    @Test func aNewStartHeardDuringADialIsTriedAfterIt() {
        var subject = Subject(laptop, knowing: [desktop])
        let now = second(10)
        _ = subject.wake(at: now, wall: wall(now))
        _ = subject.hear(beacon(of: desktop), from: desktopAir, at: now, wall: wall(now))
        let soon = second(10.1)
        _ = subject.hear(beacon(of: desktop, boot: 2), from: desktopAir, at: soon, wall: wall(soon))
        let dial = Dial(id: 1, endpoint: .address(desktopHome), expecting: desktop)
        let again = Dial(id: 2, endpoint: .address(desktopHome), expecting: desktop)
        let failure = Failure(.connectionUnavailable, "")
        #expect(
            subject.machine.dialFailed(dial, failure, now: second(10.2), random: &subject.random) == [.dial(again)])
        // A failure now belongs to this run, and leads to a pause.
        #expect(subject.machine.dialFailed(again, failure, now: second(10.3), random: &subject.random) == [])
    }

    // Shows Y02, Y04
    @Test(arguments: ["beacon", "network", "sleep"])
    func newsWakesAnAddressThatWasGivenUp(news: String) {
        var known = KnownAddresses()
        _ = known.remember(desktopHome, of: desktop)
        var subject = Subject(laptop, knowing: [desktop], known: known)
        var actions = subject.first
        var now = Instant.zero
        var dials = 0
        while true {
            for case .dial(let dial) in actions {
                dials += 1
                let failure = Failure(.connectionUnavailable, "")
                _ = subject.machine.dialFailed(dial, failure, now: now, random: &subject.random)
            }
            // At 300 seconds, the next beacon would wake it.
            guard let next = subject.machine.nextDeadline, next < second(290) else { break }
            now = next
            actions = subject.wake(at: now, wall: wall(now))
        }
        #expect(dials == DiscoveryLimits.failuresUntilDormant)

        // Long before this device's next beacon.
        let later = now.advanced(by: .seconds(1))
        let woken =
            switch news {
            case "beacon": subject.hear(beacon(of: desktop), from: desktopAir, at: later, wall: wall(later))
            case "network": subject.machine.networkChanged(now: later, wall: wall(later), random: &subject.random)
            default: subject.wake(at: later, wall: wall(later).advanced(by: .seconds(3600)))
            }
        let dial = Dial(id: UInt64(dials) + 1, endpoint: .address(desktopHome), expecting: desktop)
        #expect(woken.contains(.dial(dial)))
        // The pauses start again from the first.
        let failure = Failure(.connectionUnavailable, "")
        _ = subject.machine.dialFailed(dial, failure, now: later, random: &subject.random)
        let next = subject.machine.nextDeadline
        #expect(next! <= later.advanced(by: DiscoveryLimits.firstPause))
    }

    @Test func neverMoreThanAFewDialsToOneDevice() {
        var subject = Subject(laptop, knowing: [desktop])
        var under = 0
        for host in 1...6 {
            let now = second(10)
            let source = NetworkAddress(host: "10.0.0.\(host)", port: 4712)
            let actions = subject.hear(beacon(of: desktop), from: source, at: now, wall: wall(now))
            under += actions.count { if case .dial = $0 { true } else { false } }
        }
        #expect(under == 1)
        for step in 1...30 {
            let now = second(10 + Double(step) / 10)
            under += subject.wake(at: now, wall: wall(now)).count { if case .dial = $0 { true } else { false } }
        }
        #expect(under == DiscoveryLimits.dialsPerDevice)
    }

    // Shows Y02
    @Test func anAddressJustHeardDoesNotWaitForGuesses() {
        var known = KnownAddresses()
        for host in 7...9 { _ = known.remember(NetworkAddress(host: "172.16.0.\(host)", port: 1), of: desktop) }
        var subject = Subject(laptop, knowing: [desktop], known: known)
        for step in 0...10 {
            let now = second(Double(step) / 10)
            _ = subject.wake(at: now, wall: wall(now))
        }
        // Two dials to older addresses are under way without an answer.
        let now = second(1.5)
        let actions = subject.hear(beacon(of: desktop), from: desktopAir, at: now, wall: wall(now))
        #expect(
            actions == [
                .answer(desktopAir, .account), .dial(Dial(id: 3, endpoint: .address(desktopHome), expecting: desktop)),
            ])
    }

    @Test func neverMoreThanSoManyDialsAtOnce() {
        let crowd = (UInt8(2)...60).map(Self.device)
        var subject = Subject(laptop, knowing: crowd)
        var under = 0
        for device in crowd {
            let now = second(10)
            under += subject.hear(beacon(of: device), from: desktopAir, at: now, wall: wall(now))
                .count { if case .dial = $0 { true } else { false } }
        }
        #expect(under == DiscoveryLimits.dialsAtOnce)
    }

    @Test func addressOfDifferentDeviceIsForgotten() {
        var known = KnownAddresses()
        _ = known.remember(desktopHome, of: desktop)
        var subject = Subject(laptop, knowing: [desktop], known: known)
        let first = subject.first
        let dial = Dial(id: 1, endpoint: .address(desktopHome), expecting: desktop)
        #expect(first == [.announce(.account), .dial(dial)])
        #expect(
            subject.machine.dialFailed(dial, Failure(.notAMember, ""), now: .zero, random: &subject.random) == [
                .saveAddresses
            ])
        let left = subject.machine.knownAddresses[desktop]
        #expect(left.isEmpty)
    }

    // Shows Y04
    @Test func anAddressGivenByHandIsLeftAloneWhileItsDeviceIsHere() {
        var subject = Subject(laptop, knowing: [desktop], peers: [desktopHome])
        let first = subject.first
        let dial = Dial(id: 1, endpoint: .address(desktopHome), expecting: nil)
        #expect(first == [.announce(.account), .dial(dial)])
        _ = subject.machine.dialSucceeded(dial, with: desktop, now: .zero, random: &subject.random)
        #expect(
            subject.machine.sessionOpened(
                desktop, over: desktopWay, now: .zero)
                == [.saveAddresses])
        for step in 1...280 {
            let now = second(Double(step))
            let actions = subject.wake(at: now, wall: wall(now))
            #expect(actions == [] || actions == [.announce(.account)])
        }
        #expect(subject.machine.sessionClosed(desktop, now: second(281), random: &subject.random) == [])
        let retried = subject.wake(at: second(281.1), wall: wall(second(281.1)))
        #expect(retried == [.dial(Dial(id: 2, endpoint: .address(desktopHome), expecting: nil))])
    }

    // Shows Y04
    @Test func anAddressGivenByHandIsTriedForEver() {
        var subject = Subject(laptop, knowing: [desktop], peers: [desktopHome])
        var actions = subject.first
        var now = Instant.zero
        var dials: [Instant] = []
        while now < second(3600) {
            for case .dial(let dial) in actions {
                dials.append(now)
                let failure = Failure(.connectionUnavailable, "")
                _ = subject.machine.dialFailed(dial, failure, now: now, random: &subject.random)
            }
            guard let next = subject.machine.nextDeadline else { break }
            now = next
            actions = subject.wake(at: now, wall: wall(now))
        }
        #expect(dials.count > 60)
        for (one, next) in zip(dials, dials.dropFirst()) {
            #expect(one.duration(to: next) <= DiscoveryLimits.longestPause)
        }
    }

    @Test func aSessionThatDoesNotLastEarnsAPause() {
        var subject = Subject(laptop, knowing: [desktop])
        var dials = 0
        var now = second(10)
        var actions = subject.hear(beacon(of: desktop), from: desktopAir, at: now, wall: wall(now))
        while now < second(130) {
            for case .dial(let dial) in actions {
                dials += 1
                _ = subject.machine.dialSucceeded(dial, with: desktop, now: now, random: &subject.random)
                _ = subject.machine.sessionOpened(
                    desktop, over: desktopWay, now: now)
                _ = subject.machine.sessionClosed(desktop, now: now, random: &subject.random)
            }
            guard let next = subject.machine.nextDeadline else { break }
            now = max(now, next)
            actions = subject.wake(at: now, wall: wall(now))
        }
        #expect(dials < 10)
    }

    @Test func aRemovedMemberIsForgotten() {
        var known = KnownAddresses()
        _ = known.remember(desktopHome, of: desktop)
        _ = known.remember(NetworkAddress(host: "10.0.0.3", port: 1), of: tablet)
        var subject = Subject(laptop, knowing: [desktop, tablet], known: known)
        let actions = subject.machine.membersChanged(
            to: [tablet], isSearchingInviter: false, now: second(1), random: &subject.random)
        #expect(actions.contains(.saveAddresses))
        let left = subject.machine.knownAddresses
        #expect(left[desktop].isEmpty && !left[tablet].isEmpty)
        #expect(subject.hear(beacon(of: desktop), from: desktopAir, at: second(2), wall: wall(second(2))) == [])
    }
}
