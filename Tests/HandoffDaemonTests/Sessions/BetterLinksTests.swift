// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// Links of routes with different preferences: the better one replaces a session in use, a worse one never does. At
/// present all routes are addresses, so the preferences are invented.
@Suite struct BetterLinksTests {
    private static let seeds = Seeds.usual(0..<200)
    private static let ways = [LinkPreference(rank: 1), LinkPreference(rank: 50), .direct]
    private static let worst = ways[0]

    private func couple(seed: UInt64 = 1) throws -> (hood: Neighbourhood, laptop: House, desktop: House) {
        let hood = Neighbourhood(seed: seed)
        let laptop = hood.house(1, knowing: [2])
        let desktop = hood.house(2, knowing: [1])
        try laptop.start(discovering: false)
        try desktop.start(discovering: false)
        laptop.diary.answer = .pong
        desktop.diary.answer = .pong
        return (hood, laptop, desktop)
    }

    private func preference(_ one: House, _ other: House) -> LinkPreference? {
        one.sessions.way(to: other.device)?.preference
    }

    /// The dialling device is the laptop, which chooses, or the desktop.
    @Test(arguments: [true, false])
    func theBetterWayTakesOverAndNothingThatWasAskedIsForgotten(byChooser: Bool) throws {
        let (hood, laptop, desktop) = try couple()
        hood.hub.latency = .milliseconds(5)...(.milliseconds(5))
        let (dialler, other) = byChooser ? (laptop, desktop) : (desktop, laptop)
        dialler.dial(other, over: Self.worst)
        hood.time.advance(by: .seconds(1))
        #expect(preference(laptop, desktop) == Self.worst && preference(desktop, laptop) == Self.worst)

        dialler.dial(other)
        var results: [Result<PeerMessage, Failure>] = []
        // One per millisecond, before, during and after the better link's arrival.
        for _ in 0..<60 {
            laptop.sessions.request(.advertising(.boardRequest), to: desktop.device, deadline: .seconds(3)) {
                results.append($0)
            }
            hood.time.advance(by: .milliseconds(1))
        }
        hood.time.advance(by: .seconds(5))
        #expect(preference(laptop, desktop) == .direct && preference(desktop, laptop) == .direct)
        #expect(hood.hub.openLinks == 1)
        #expect(results.count == 60)
        for result in results {
            let isDefined =
                result == .success(.pong) || result == .failure(Failure(.deviceLost, ""))
                || result == .failure(Failure(.connectionUnavailable, ""))
            #expect(isDefined, "\(result)")
        }
        #expect(results.last == .success(.pong))
        // The features saw one session end and another begin.
        #expect(laptop.diary.entries.filter { $0 == .closed(desktop.device) }.count == 1)
    }

    /// The worse link is closed, and the better one is checked.
    @Test(arguments: [true, false])
    func aWorseWayTakesOverFromNothing(byChooser: Bool) throws {
        let (hood, laptop, desktop) = try couple()
        let (dialler, other) = byChooser ? (laptop, desktop) : (desktop, laptop)
        dialler.dial(other)
        hood.time.advance(by: .seconds(10))
        let link = hood.hub.linksOpened
        for _ in 0..<5 {
            dialler.dial(other, over: Self.worst)
            hood.time.advance(by: .seconds(3))
        }
        #expect(hood.hub.linksOpened == link + 5)
        #expect(preference(laptop, desktop) == .direct && preference(desktop, laptop) == .direct)
        #expect(hood.hub.openLinks == 1)
        #expect(laptop.diary.entries == [.opened(desktop.device)])
        #expect(desktop.diary.entries == [.opened(laptop.device)])
    }

    @Test func aWorseWayIsTakenWhereTheBetterIsGone() throws {
        let (hood, laptop, desktop) = try couple()
        laptop.dial(desktop)
        hood.time.advance(by: .seconds(10))
        hood.hub.breakLinks(laptop.host, desktop.host)
        hood.time.advance(by: .milliseconds(1))
        laptop.dial(desktop, over: Self.worst)
        hood.time.advance(by: .milliseconds(15))
        #expect(preference(laptop, desktop) == Self.worst)
    }

    /// Dials of both sides over routes of any preference, in any order: one link stays, with the best preference.
    @Test(arguments: seeds)
    func dialsOfAnyWorthLeaveOneLinkOfTheBest(seed: UInt64) throws {
        var random = Randomness.seeded(seed)
        let (hood, laptop, desktop) = try couple(seed: seed)
        hood.hub.latency = .microseconds(100)...(.milliseconds(300))
        var best = Self.worst
        for _ in 0..<Int.random(in: 1...10, using: &random) {
            let way = Self.ways.randomElement(using: &random)!
            best = max(best, way)
            if Bool.random(using: &random) {
                laptop.dial(desktop, over: way)
            } else {
                desktop.dial(laptop, over: way)
            }
            hood.time.advance(by: .milliseconds(Int64.random(in: 200...900, using: &random)))
        }
        hood.time.advance(by: .seconds(6))
        #expect(hood.hub.openLinks == 1, "seed \(seed)")
        #expect(laptop.isConnected(to: desktop) && desktop.isConnected(to: laptop), "seed \(seed)")
        #expect(preference(laptop, desktop) == preference(desktop, laptop), "seed \(seed)")
        #expect(preference(laptop, desktop) == best, "seed \(seed)")
    }
}
