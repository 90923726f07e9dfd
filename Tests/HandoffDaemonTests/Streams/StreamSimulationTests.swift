// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// Streams between apps on whole daemons: the bytes arrive unchanged, or both ends are notified of the cut.
@Suite struct StreamSimulationTests {
    // Shows C02, C03. Every device takes both roles: it dialled the session, or it accepted it.
    @Test(arguments: [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)])
    func bytesAreExactBothWaysForEitherDialler(origin: Int, receiver: Int) throws {
        let there = StreamPair.bytes(300_000, seed: 1)
        let back = StreamPair.bytes(170_001, seed: 2)
        let pair = try StreamPair.made(from: origin, to: receiver, streamed: there)
        let near = pair.open(sends: back)
        #expect(pair.finish())
        let far = try #require(pair.far)
        expectWhole(near, there)
        expectWhole(far, back)
        #expect(!near.heardOfCut && !far.heardOfCut && near.answers == 1 && far.answers == 1)
        #expect(pair.simulation.network.openStreams == 0)
    }

    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 5_000_011])
    func bytesAreExactAtEverySize(count: Int) throws {
        let bytes = StreamPair.bytes(count)
        let pair = try StreamPair.made(streamed: bytes)
        let near = pair.open(sends: Array(bytes.reversed()))
        #expect(pair.finish())
        expectWhole(near, bytes)
        expectWhole(try #require(pair.far), bytes.reversed())
    }

    /// Shows V04: at both ends, once it is quiet, and only once.
    @Test func memoryGoesBackAfterStreams() throws {
        let pair = try StreamPair.made(streamed: StreamPair.bytes(200_000))
        for _ in 0..<8 { pair.open() }
        #expect(pair.finish())
        let memories = [pair.origin.memory, pair.receiver.memory]
        #expect(memories.map(\.returns) == [0, 0])
        pair.simulation.time.advance(by: MemoryReturn.rest + .seconds(1))
        #expect(memories.map(\.returns) == [1, 1])
        pair.simulation.time.advance(by: MemoryReturn.longestWait * 2)
        #expect(memories.map(\.returns) == [1, 1])
    }

    // Shows C06.
    @Test func sixtyFourMebibytesAreExact() throws {
        let bytes = StreamPair.bytes(64 * 1024 * 1024)
        let pair = try StreamPair.made(streamed: bytes)
        pair.simulation.network.latency = .microseconds(100)...(.microseconds(300))
        let near = pair.open()
        #expect(pair.finish(within: .seconds(600)))
        expectWhole(near, bytes)
    }

    @Test func severalStreamsOfSeveralActivitiesAtOnce() throws {
        let first = try StreamPair.made(streamed: StreamPair.bytes(40_000, seed: 5))
        let back = try StreamPair.made(
            in: first.simulation, from: first.receiver, to: first.origin, streamed: StreamPair.bytes(50_000, seed: 6))
        var near: [(SimulatedStream, StreamPair)] = []
        for number in 0..<8 {
            let pair = number.isMultiple(of: 2) ? first : back
            near.append((pair.open(sends: StreamPair.bytes(10_000 + number)), pair))
        }
        #expect(first.finish() && back.finish())
        for (stream, pair) in near { expectWhole(stream, pair.editor.streamed ?? []) }
        for (pair, start) in [(first, 10_000), (back, 10_001)] {
            let far = pair.editor.streams.filter { $0.continuation == pair.continuation }
            #expect(far.map(\.received.count).sorted() == [start, start + 2, start + 4, start + 6])
        }
    }

    @Test func hundredAtOnce() throws {
        let pair = try StreamPair.made(streamed: StreamPair.bytes(2_000))
        let streams = (0..<100).map { pair.open(sends: StreamPair.bytes($0)) }
        #expect(pair.finish())
        #expect(streams.allSatisfy { $0.incoming == .whole && $0.received.count == 2_000 })
        #expect(pair.editor.streams.map(\.received.count).sorted() == Array(0..<100))
    }

    // Shows C06.
    @Test func readerThatStopsHoldsTheWriterBack() throws {
        let bytes = StreamPair.bytes(3_000_000)
        let pair = try StreamPair.made(streamed: bytes)
        let near = pair.open()
        #expect(pair.simulation.time.run(until: { near.wasOpen }, within: .seconds(2)))
        let stream = try #require(near.stream)
        stream.isReading = false
        pair.simulation.time.advance(by: .seconds(300))
        let writer = try #require(pair.far?.stream)
        // The bytes that the app has not received are in the three connections and in each daemon.
        let underWay = Int(writer.sentCount) - stream.received.count
        #expect(writer.unsent > 2_000_000 && underWay < 6 * 64 * 1024)
        stream.isReading = true
        #expect(pair.finish())
        expectWhole(near, bytes)
    }

    @Test func oneDirectionMayEndLongBeforeTheOther() throws {
        let bytes = StreamPair.bytes(2_000_000)
        let pair = try StreamPair.made(streamed: bytes)
        pair.simulation.network.setLatency(
            .milliseconds(80)...(.milliseconds(90)), between: pair.origin.host, and: pair.receiver.host)
        let near = pair.open(sends: [1, 2, 3])
        #expect(pair.simulation.time.run(until: { pair.far?.incoming == .whole }, within: .seconds(5)))
        #expect(near.incoming == .underWay && pair.far?.received == [1, 2, 3])
        #expect(pair.finish())
        expectWhole(near, bytes)
    }

    @Test func streamOutlivesTheSession() throws {
        let bytes = StreamPair.bytes(2_000_000)
        let pair = try StreamPair.made(streamed: bytes)
        let near = pair.open()
        #expect(pair.simulation.time.run(until: { near.received.count > 100_000 }, within: .seconds(5)))
        pair.simulation.network.breakSessions(pair.origin.host, pair.receiver.host)
        #expect(pair.finish())
        expectWhole(near, bytes)
        #expect(!near.heardOfCut)
    }

    /// Bytes stay out of expectations, which would print them.
    private func expectWhole(_ stream: SimulatedStream, _ bytes: [UInt8]) {
        let isWhole = stream.got(bytes)
        #expect(isWhole, "\(stream.summary)")
    }

    // MARK: Refusals

    // Shows C01.
    @Test func originThatDidNotOptInRefusesAtOnce() throws {
        let pair = try StreamPair.made(supportsStreams: false, streamed: [1])
        try refusal(of: pair, is: .noStreams)
        #expect(pair.editor.streams.isEmpty)
    }

    // Shows C01.
    @Test func originWithoutADelegateRefusesAtOnce() throws {
        let pair = try StreamPair.made(streamed: nil)
        try refusal(of: pair, is: .noStreams)
    }

    // Shows C01: the requesting app cannot tell whether the other daemon or the other app refused.
    @Test func refusalIsTheSameFromDaemonAndApp() throws {
        let byTheDaemon = try refusal(of: StreamPair.made(supportsStreams: false, streamed: [1]), is: .noStreams)
        let byTheApp = try refusal(of: StreamPair.made(supportsStreams: true, streamed: nil), is: .noStreams)
        #expect(byTheDaemon == Failure.streamsNotSupported.reason)
        #expect(byTheApp == byTheDaemon)
    }

    // Shows C04.
    @Test func togglingStreamSupportLateTakesEffect() throws {
        let pair = try StreamPair.made(supportsStreams: false, streamed: [7])
        pair.editor.publish(StreamPair.publication(pair.activity, supportsStreams: true))
        pair.simulation.time.advance(by: .milliseconds(5))
        let near = pair.open()
        #expect(pair.finish())
        #expect(near.received == [7])
        pair.editor.publish(StreamPair.publication(pair.activity, supportsStreams: false))
        pair.simulation.time.advance(by: .milliseconds(5))
        try refusal(of: pair, is: .noStreams)
    }

    @Test func activityThatWasWithdrawnHasNoStreams() throws {
        let pair = try StreamPair.made()
        pair.editor.withdraw()
        pair.simulation.time.advance(by: .milliseconds(5))
        try refusal(of: pair, is: .activityGone)
    }

    @Test func appThatQuitHasNoStreams() throws {
        let pair = try StreamPair.made()
        pair.editor.quit()
        pair.simulation.time.advance(by: .milliseconds(5))
        try refusal(of: pair, is: .appGone)
    }

    // Shows A33: not for an activity that was continued elsewhere.
    @Test func onlyTheAppThatGotTheActivityOpensStreams() throws {
        let pair = try StreamPair.made()
        let other = try #require(pair.receiver.open(pair.simulation.installed[0]))
        pair.simulation.time.advance(by: .milliseconds(5))
        let stream = other.openStream(pair.continuation)
        pair.simulation.time.advance(by: .milliseconds(50))
        #expect(stream.refusal == Failure(.notAllowed, ""))
        let onOrigin = pair.editor.openStream(pair.continuation)
        pair.simulation.time.advance(by: .milliseconds(50))
        #expect(onOrigin.refusal == Failure(.notAllowed, ""))
    }

    @Test func streamFromAnAbsentDeviceIsRefused() throws {
        let pair = try StreamPair.made()
        pair.origin.crash()
        pair.simulation.time.advance(by: .seconds(1))
        try refusal(of: pair, is: .connectionUnavailable)
    }

    // Shows C01. Either device may dial.
    @Test(arguments: [(0, 1), (1, 0)]) func dialThatFailsIsHeardAtBothEndsAtOnce(origin: Int, receiver: Int) throws {
        let pair = try StreamPair.made(from: origin, to: receiver)
        pair.simulation.network.interceptsStream = { _, _ in .refused }
        let near = pair.open()
        pair.simulation.time.advance(by: .milliseconds(100))
        for stream in [near, try #require(pair.far)] {
            #expect(stream.refusal == Failure(.connectionUnavailable, "") && stream.answers == 1)
        }
        #expect(pair.daemonsAreIdle)
        pair.simulation.network.interceptsStream = nil
        let again = pair.open()
        #expect(pair.finish())
        #expect(again.incoming == .whole)
    }

    /// The activity survives: it can be continued again, and streams opened, once they are supported.
    @Test func activitySurvivesARefusedStream() throws {
        let pair = try StreamPair.made(supportsStreams: false, streamed: [9])
        try refusal(of: pair, is: .noStreams)
        let wish = pair.receiver.wish(for: pair.activity)
        #expect(pair.simulation.time.run(until: { !wish.ends.isEmpty }, within: .seconds(5)))
        #expect(wish.ends == [.continued])
    }

    /// Returns the reason.
    @discardableResult
    private func refusal(of pair: StreamPair, is code: Failure.Code) throws -> String? {
        let near = pair.open()
        pair.simulation.time.advance(by: .milliseconds(100))
        #expect(near.refusal == Failure(code, "") && near.answers == 1)
        #expect(pair.daemonsAreIdle)
        return near.refusal?.reason
    }
}
