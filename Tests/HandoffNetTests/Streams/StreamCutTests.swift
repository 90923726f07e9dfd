// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffCore
import HandoffWire
import Testing

@testable import HandoffNet

/// Shows C05: a cut stream is never reported as complete.
@Suite(.timeLimit(.minutes(2))) struct StreamCutTests {
    @Test(arguments: [0, 1, 70_000, 3_000_000]) func aCutIsNotAnEnd(after count: Int) async throws {
        let path = try await StreamPath.open()
        let words = Pattern(11)
        async let sent = path.nearApp.send(count + 500_000, of: words)
        _ = try await path.farApp.receive(words, upTo: count)
        path.near.cut(Failure(.deviceRemoved, "removed"))
        // The near side reports the reason, the far side only the cut. Neither reports an end.
        #expect(await path.near.next() == .closed(.device, Failure(.deviceRemoved, "")))
        #expect(await path.near.next() == .closed(.app, Failure(.deviceRemoved, "")))
        let events = [await path.far.next(), await path.far.next()]
        #expect(
            events.allSatisfy {
                $0 == .closed(.app, Failure(.streamCut, "")) || $0 == .closed(.device, Failure(.streamCut, ""))
            })
        #expect(try await path.farApp.receive(words, from: count).count <= count + 500_000)
        _ = try await sent
        path.stop()
    }

    /// One direction has ended properly, and the other is in the middle.
    @Test func aCutAfterOneEndIsReportedForTheOtherDirection() async throws {
        let path = try await StreamPath.open()
        path.nearApp.endWriting()
        #expect(await path.far.next() == .bytesEnded(.device, 0))
        path.far.cut(Failure(.cancelled, ""))
        #expect(await path.near.next() == .bytesEnded(.app, 0))
        await path.near.expectClosed(.streamCut)
        path.stop()
    }

    /// Its socket ends like that of a killed process.
    @Test func anAppThatDiesCutsTheStream() async throws {
        let path = try await StreamPath.open(confirms: false)
        let words = Pattern(12)
        #expect(try await path.nearApp.send(10_000, of: words) == nil)
        path.nearApp.leave()
        // The adapter cannot know the reason; the daemon reports it.
        #expect(await path.near.next() == .bytesEnded(.app, 10_000))
        path.near.cut(Failure(.appGone, "it ended"))
        await path.near.expectClosed(.appGone)
        #expect(await path.far.next(where: { $0.isClosed || $0.isBytesEnded })?.isClosed == true)
        path.stop()
    }

    @Test func aDaemonThatStopsCutsItsStreams() async throws {
        let path = try await StreamPath.open()
        path.near.stop()
        #expect(await path.near.next() == .closed(.device, Failure(.cancelled, "")))
        #expect(await path.far.next(where: { $0.isClosed || $0.isBytesEnded })?.isClosed == true)
        path.far.stop()
    }

    @Test func aCutOfWhatIsOverIsNothing() async throws {
        let path = try await StreamPath.open()
        path.nearApp.endWriting()
        path.farApp.endWriting()
        await path.expectClosedInOrder()
        path.near.cut(Failure(.cancelled, ""))
        path.near.confirm(.app)
        path.near.join()
        path.near.refuse(.app, Failure(.cancelled, ""))
        #expect(try await path.near.look(at: .app) { $0.isGone })
        path.stop()
        #expect(await path.near.noEventArrived())
    }
}
