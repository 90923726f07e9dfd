// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

/// What cuts a stream, and when each end is notified. Shows C05.
@Suite struct StreamCutTests {
    private let pair: StreamPair
    private let near: SimulatedStream
    private let far: SimulatedStream

    /// In the middle of two megabytes from the origin.
    init() throws {
        let pair = try StreamPair.made(streamed: StreamPair.bytes(2_000_000))
        let near = pair.open(sends: StreamPair.bytes(500_000))
        try #require(pair.simulation.time.run(until: { near.received.count > 200_000 }, within: .seconds(5)))
        far = try #require(pair.far)
        self.near = near
        self.pair = pair
    }

    /// Both ends are notified within that time, and neither mistakes the cut for an end.
    private func expectCut(within limit: Duration, ofNear: Bool = true, ofFar: Bool = true) {
        let isHeard = pair.simulation.time.run(
            until: { (!ofNear || near.heardOfCut) && (!ofFar || far.heardOfCut) }, within: limit)
        #expect(isHeard, "the cut is not heard within \(limit)")
        pair.simulation.time.advance(by: .seconds(20))
        let isTakenForAnEnd = (ofNear && near.incoming == .whole) || (ofFar && far.incoming == .whole)
        #expect(!isTakenForAnEnd, "\(near.summary); \(far.summary)")
        #expect(pair.daemonsAreIdle && pair.simulation.network.openStreams == 0)
    }

    @Test func originsAppQuits() {
        pair.editor.quit()
        expectCut(within: .milliseconds(100))
    }

    @Test func receiversAppQuits() {
        pair.viewer.quit()
        expectCut(within: .milliseconds(100))
    }

    @Test(arguments: [true, false]) func daemonIsKilled(isOrigins: Bool) {
        (isOrigins ? pair.origin : pair.receiver).crash()
        expectCut(within: .milliseconds(100))
    }

    @Test(arguments: [true, false]) func daemonStopsInGoodOrder(isOrigins: Bool) {
        (isOrigins ? pair.origin : pair.receiver).stop()
        expectCut(within: .milliseconds(100))
    }

    @Test(arguments: [true, false]) func machineLosesItsPower(isOrigins: Bool) {
        (isOrigins ? pair.origin : pair.receiver).crash(silently: true)
        expectCut(within: .seconds(15))
    }

    @Test func cableIsOut() {
        pair.simulation.network.isolate(pair.origin.host)
        expectCut(within: .seconds(15))
    }

    @Test func cableIsOutForAMoment() {
        pair.simulation.network.isolate(pair.origin.host)
        pair.simulation.time.advance(by: .seconds(8))
        pair.simulation.network.heal()
        #expect(pair.finish())
        let isWhole = near.got(far.sends) && far.got(near.sends)
        #expect(isWhole, "\(near.summary); \(far.summary)")
    }

    @Test func connectionBreaks() {
        pair.simulation.network.breakStreams(pair.origin.host, pair.receiver.host)
        expectCut(within: .milliseconds(100))
    }

    // Shows T03.
    @Test(arguments: [true, false]) func deviceIsRemovedFromTheAccount(isOrigins: Bool) throws {
        let (removed, other) = isOrigins ? (pair.origin, pair.receiver) : (pair.receiver, pair.origin)
        // On the other end's device, which cuts immediately.
        let control = other.control()
        control.request(.identity(.removeDevice(removed.name, onlyAsk: false)))
        expectCut(within: .milliseconds(200))
        #expect(removed.end != nil)
    }

    @Test(arguments: [true, false]) func distrustingTheTeamCutsTheStream(isOrigins: Bool) throws {
        let device = isOrigins ? pair.origin : pair.receiver
        guard case .developer(let team) = pair.editor.team else { return }
        device.control().request(.teams(.distrustTeam(team.key)))
        expectCut(within: .milliseconds(100))
    }

    @Test(arguments: [true, false]) func handoffIsSwitchedOff(isOrigins: Bool) throws {
        let device = isOrigins ? pair.origin : pair.receiver
        let subject = PolicySubject(isOrigins ? .advertising : .receiving)
        device.control().request(.policy(.setPolicy(PolicyChange(subject, isOff: true))))
        expectCut(within: .milliseconds(100))
    }

    /// Its process ends, and so do its bytes, without an announcement.
    @Test func bytesThatEndWithoutAWordAreCut() throws {
        let stream = try #require(far.stream)
        stream.shut()
        // The other direction may end in order until then.
        pair.simulation.time.advance(by: .seconds(3))
        expectCut(within: .seconds(15), ofFar: false)
    }

    @Test func appLetsGoOfItsConnection() throws {
        near.stream?.close()
        expectCut(within: .milliseconds(100))
    }

    /// The activity survives a cut stream.
    @Test func anotherStreamCanBeOpenedAfterwards() {
        pair.simulation.network.breakStreams(pair.origin.host, pair.receiver.host)
        expectCut(within: .milliseconds(100))
        let again = pair.open()
        #expect(pair.finish())
        let isWhole = again.got(far.sends)
        #expect(isWhole, "\(again.summary)")
    }
}
