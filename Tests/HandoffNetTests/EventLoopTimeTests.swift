// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import NIOCore
import NIOEmbedded
import NIOPosix
import Testing

@testable import HandoffNet

@Suite(.timeLimit(.minutes(1))) struct EventLoopTimeTests {
    private struct Clock {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let rings: AsyncStream<Void>
        private let time: NIOLoopBound<EventLoopTime>
        private let alarm: NIOLoopBound<any Alarm>

        init() async throws {
            let (rings, continuation) = AsyncStream.makeStream(of: Void.self)
            self.rings = rings
            (time, alarm) = try await loop.submit { [loop] in
                let time = EventLoopTime(loop: loop)
                let alarm = time.makeAlarm { continuation.yield() }
                return (NIOLoopBound(time, eventLoop: loop), NIOLoopBound(alarm, eventLoop: loop))
            }.get()
        }

        func set(_ delays: [Duration?]) {
            loop.execute { [time, alarm] in
                for delay in delays { alarm.value.set(delay.map { time.value.now.advanced(by: $0) }) }
            }
        }
    }

    @Test func ringsOnceForTheLastInstantSet() async throws {
        let clock = try await Clock()
        clock.set([.seconds(3600), .milliseconds(1)])
        var rings = clock.rings.makeAsyncIterator()
        #expect(await rings.next() != nil)
        clock.set([.milliseconds(1)])
        #expect(await rings.next() != nil)
    }

    @Test func ringsAtOnceForThePast() async throws {
        let clock = try await Clock()
        clock.set([.seconds(-5)])
        var rings = clock.rings.makeAsyncIterator()
        #expect(await rings.next() != nil)
    }

    @Test func takesAbsurdInstants() async throws {
        let clock = try await Clock()
        clock.set([.seconds(Int64.max / 4), .seconds(Int64.min / 4)])
        var rings = clock.rings.makeAsyncIterator()
        #expect(await rings.next() != nil)
    }

    @Test func goesForwardAndKnowsTheDate() async throws {
        let time = EventLoopTime(loop: EmbeddedEventLoop())
        let before = time.now
        #expect(time.now >= before)
        // After 2024, before 2100.
        #expect((1_704_067_200_000...4_102_444_800_000).contains(time.wallTime.milliseconds))
    }
}
