// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffDaemon

extension DiscoveryStateMachineTests {
    /// For example, a relay that connected both devices before they joined one network.
    @Test func aBeaconIsDialledBesideASessionOfAWorseWay() {
        var subject = Subject(laptop, knowing: [desktop])
        let relayed = SessionWay(
            boot: BootID(1), endpoint: .address(NetworkAddress(host: "relay.example", port: 1)),
            preference: LinkPreference(rank: 1), listening: nil)
        _ = subject.machine.sessionOpened(desktop, over: relayed, now: .zero)
        let dial = Dial(id: 1, endpoint: .address(desktopHome), expecting: desktop)
        let now = second(1)
        #expect(
            subject.hear(beacon(of: desktop), from: desktopAir, at: now, wall: wall(now)).contains(.dial(dial)))
        // But not once the better session exists.
        _ = subject.machine.sessionOpened(desktop, over: desktopWay, now: second(2))
        let later = second(60)
        let actions = subject.hear(beacon(of: desktop), from: desktopAir, at: later, wall: wall(later))
        #expect(!actions.contains { if case .dial = $0 { true } else { false } })
    }

    @Test func aBeaconIsNotDialledBesideASessionOfAWayAsGood() {
        var subject = Subject(laptop, knowing: [desktop])
        _ = subject.machine.sessionOpened(desktop, over: desktopWay, now: .zero)
        let elsewhere = NetworkAddress(host: "192.168.7.7", port: 4712)
        let now = second(1)
        let actions = subject.hear(beacon(of: desktop), from: elsewhere, at: now, wall: wall(now))
        #expect(!actions.contains { if case .dial = $0 { true } else { false } })
    }
}
