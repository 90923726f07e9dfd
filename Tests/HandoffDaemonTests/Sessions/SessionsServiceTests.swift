// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

@Suite struct SessionsServiceTests {
    private let hood = Neighbourhood()

    private func couple(_ one: ClosedRange<UInt32> = 1...1, _ other: ClosedRange<UInt32> = 1...1) throws -> (
        House, House
    ) {
        let laptop = hood.house(1, knowing: [2], versions: one)
        let desktop = hood.house(2, knowing: [1], versions: other)
        try laptop.start()
        try desktop.start()
        return (laptop, desktop)
    }

    @Test func carriesMessagesBothWays() throws {
        let (laptop, desktop) = try couple()
        #expect(hood.meet(laptop, desktop, within: .seconds(1)))
        let news = PeerMessage.advertising(.boardDelta(BoardDelta(revision: 1)))
        #expect(laptop.sessions.send(news, to: desktop.device))
        #expect(desktop.sessions.send(news, to: laptop.device))
        hood.time.advance(by: .milliseconds(50))
        #expect(desktop.diary.entries.last == .message(news, laptop.device))
        #expect(laptop.diary.entries.last == .message(news, desktop.device))
    }

    @Test func answersARequestOnce() throws {
        let (laptop, desktop) = try couple()
        #expect(hood.meet(laptop, desktop, within: .seconds(1)))
        desktop.diary.answer = .pong
        var results: [Result<PeerMessage, Failure>] = []
        laptop.sessions.request(.advertising(.boardRequest), to: desktop.device, deadline: .seconds(1)) {
            results.append($0)
        }
        hood.time.advance(by: .seconds(5))
        #expect(results == [.success(.pong)])
    }

    @Test func saysUnimplementedWhereNoFeatureTakesARequest() throws {
        let (laptop, desktop) = try couple()
        #expect(hood.meet(laptop, desktop, within: .seconds(1)))
        desktop.sessions.handlers = PeerHandlers()
        var results: [Result<PeerMessage, Failure>] = []
        laptop.sessions.request(.advertising(.boardRequest), to: desktop.device, deadline: .seconds(1)) {
            results.append($0)
        }
        hood.time.advance(by: .seconds(5))
        #expect(results == [.failure(Failure(.unimplemented, ""))])
    }

    @Test func requestsEndWithTheSession() throws {
        let (laptop, desktop) = try couple()
        #expect(hood.meet(laptop, desktop, within: .seconds(1)))
        var results: [Result<PeerMessage, Failure>] = []
        laptop.sessions.request(.advertising(.boardRequest), to: desktop.device, deadline: .seconds(60)) { result in
            // The session is already gone when its end is reported.
            #expect(!laptop.sessions.connected.contains(desktop.device))
            results.append(result)
        }
        desktop.crash()
        hood.time.advance(by: .seconds(1))
        #expect(results == [.failure(Failure(.deviceLost, ""))])
    }

    @Test func requestWithoutASessionFailsAtOnce() throws {
        let laptop = hood.house(1, knowing: [2])
        try laptop.start()
        var results: [Result<PeerMessage, Failure>] = []
        laptop.sessions.request(.advertising(.boardRequest), to: Neighbourhood.device(2), deadline: .seconds(60)) {
            results.append($0)
        }
        #expect(results == [.failure(.noSession)])
        #expect(!laptop.sessions.send(.advertising(.boardRequest), to: Neighbourhood.device(2)))
    }

    // Shows Y07
    @Test func versionsThatDoNotMeetAreNamedOnBothSides() throws {
        let (laptop, desktop) = try couple(1...2, 3...4)
        hood.time.advance(by: .seconds(60))
        #expect(laptop.diary.entries.isEmpty && desktop.diary.entries.isEmpty)
        #expect(laptop.sessions.problems[desktop.device]?.code == .versionUnsupported)
        #expect(desktop.sessions.problems[laptop.device]?.code == .versionUnsupported)
        // Dials continue, but increasingly rarely.
        #expect(hood.hub.linksOpened < 20)
    }

    // Shows Y07
    @Test func versionsApartByOneWork() throws {
        let (laptop, desktop) = try couple(1...2, 2...3)
        #expect(hood.meet(laptop, desktop, within: .seconds(1)))
    }

    @Test func bothSidesTellAStopByItsName() throws {
        let (laptop, desktop) = try couple()
        #expect(hood.meet(laptop, desktop, within: .seconds(1)))
        desktop.stop()
        hood.time.advance(by: .milliseconds(100))
        #expect(laptop.diary.entries == [.opened(desktop.device), .closed(desktop.device)])
        #expect(desktop.diary.entries == [.opened(laptop.device), .closed(laptop.device)])
    }

    // MARK: Roster

    @Test func rostersBecomeEqualAndTheTalkEnds() throws {
        // Device 1 knows all, the others only one neighbour each.
        let laptop = hood.house(1, knowing: [2, 3, 4])
        let desktop = hood.house(2, knowing: [1])
        let tablet = hood.house(3, knowing: [1])
        let phone = hood.house(4, knowing: [1])
        for house in hood.houses { try house.start() }
        #expect(hood.meet(laptop, desktop, tablet, phone, within: .seconds(3)))
        let digests = Set(hood.houses.map(\.membership.rosterDigest))
        #expect(digests.count == 1)
        let frames = hood.hub.framesDelivered
        hood.time.advance(by: .seconds(4))
        #expect(hood.hub.framesDelivered == frames)
    }

    @Test func anAdmissionReachesTheOthers() throws {
        let (laptop, desktop) = try couple()
        #expect(hood.meet(laptop, desktop, within: .seconds(1)))
        laptop.membership.admit(Neighbourhood.device(9))
        hood.time.advance(by: .milliseconds(50))
        #expect(desktop.membership.member(Neighbourhood.device(9)) != nil)
    }

    @Test func aRemovedMemberLosesItsSession() throws {
        let (laptop, desktop) = try couple()
        #expect(hood.meet(laptop, desktop, within: .seconds(1)))
        laptop.membership.remove(desktop.device)
        #expect(laptop.sessions.connected.isEmpty)
        hood.time.advance(by: .seconds(5))
        #expect(desktop.sessions.connected.isEmpty)
    }

    @Test func aRosterThatCannotBeKeptEndsNothing() throws {
        let laptop = hood.house(1, knowing: [2, 3])
        let desktop = hood.house(2, knowing: [1])
        desktop.membership.mergeFailure = Failure(.stateNotWritable, "the disk is full")
        try laptop.start()
        try desktop.start()
        #expect(hood.meet(laptop, desktop, within: .seconds(1)))
        hood.time.advance(by: .seconds(30))
        #expect(laptop.isConnected(to: desktop))
    }

    // MARK: Lost devices

    // Shows Y03
    @Test func aDeviceThatVanishedIsGoneWithinFifteenSecondsOfALook() throws {
        let (laptop, desktop) = try couple()
        #expect(hood.meet(laptop, desktop, within: .seconds(1)))
        hood.time.advance(by: .seconds(33))
        laptop.looks(true)
        #expect(laptop.isConnected(to: desktop))
        desktop.crash(silently: true)
        #expect(hood.time.run(until: { laptop.sessions.connected.isEmpty }, within: .seconds(15)))
        #expect(laptop.diary.entries.last == .closed(desktop.device))
    }

    // Shows Y03
    @Test func anIdleSessionStaysAndOneSidesPingServesBoth() throws {
        let (laptop, desktop) = try couple()
        #expect(hood.meet(laptop, desktop, within: .seconds(1)))
        let frames = hood.hub.framesDelivered
        hood.time.advance(by: .seconds(600))
        #expect(laptop.isConnected(to: desktop) && desktop.isConnected(to: laptop))
        // One ping and one pong a minute, not two of each.
        #expect((18...20).contains(hood.hub.framesDelivered - frames))
        for device in [laptop, desktop] { device.looks(true) }
        let watched = hood.hub.framesDelivered
        hood.time.advance(by: .seconds(600))
        #expect((230...250).contains(hood.hub.framesDelivered - watched))
    }

    @Test func aPartitionEndsTheSessionAndItsHealingBringsItBack() throws {
        let (laptop, desktop) = try couple()
        #expect(hood.meet(laptop, desktop, within: .seconds(1)))
        hood.hub.isolate(desktop.host)
        for device in [laptop, desktop] { device.looks(true) }
        #expect(
            hood.time.run(
                until: { laptop.sessions.connected.isEmpty && desktop.sessions.connected.isEmpty }, within: .seconds(15)
            ))
        hood.time.advance(by: .seconds(10))
        hood.hub.heal()
        #expect(hood.meet(laptop, desktop, within: .seconds(61)))
    }
}
