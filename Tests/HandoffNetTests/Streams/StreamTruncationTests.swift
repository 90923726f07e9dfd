// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffNet

/// Shows C05: the end of a connection is not the end of a stream. Only TLS's goodbye is, which an attacker cannot
/// forge.
@Suite(.timeLimit(.minutes(1))) struct StreamTruncationTests {
    /// With an attacker between the daemons. `sender` has sent some bytes, which have arrived.
    private struct Way {
        let path: StreamPath
        let middleman: Middleman
        let sender: Middleman.Sender

        var from: (app: AppEnd, fixture: StreamFixture) {
            sender == .dialler ? (path.farApp, path.far) : (path.nearApp, path.near)
        }
        var to: (app: AppEnd, fixture: StreamFixture) {
            sender == .dialler ? (path.nearApp, path.near) : (path.farApp, path.far)
        }

        init(_ sender: Middleman.Sender, after count: Int) async throws {
            let desks = try await StreamPath.desks()
            middleman = try Middleman(to: desks.near.address)
            self.sender = sender
            let hello = StreamPath.hello()
            let nearApp = try await AppEnd.attach(hello.token, to: desks.near)
            let farApp = try await AppEnd.attach(hello.token, to: desks.far)
            desks.far.dial(middleman.address, expecting: desks.near.device, hello)
            for app in [nearApp, farApp] {
                #expect(try await app.answer() == LocalFrame(.done(accepted: true), answer: 7))
            }
            path = StreamPath(near: desks.near, far: desks.far, nearApp: nearApp, farApp: farApp)
            let words = Pattern(21)
            #expect(try await from.app.send(count, of: words) == nil)
            #expect(try await to.app.receive(words, upTo: count).count == count)
            middleman.holdBack(sender)
        }

        func expectCut() async {
            for _ in 1...2 {
                guard case .closed(_, let failure?)? = await to.fixture.next(where: { $0.isClosed || $0.isBytesEnded })
                else {
                    Issue.record("taken for an end")
                    return
                }
                #expect(failure.code == .streamCut)
            }
            #expect(await to.fixture.noEventArrived())
            path.stop()
        }
    }

    @Test(arguments: [Middleman.Sender.dialler, .answerer], [0, 100_000])
    func anEndOfTheConnectionAloneIsACut(_ sender: Middleman.Sender, after count: Int) async throws {
        let way = try await Way(sender, after: count)
        way.middleman.end(sender)
        await way.expectCut()
    }

    /// All bytes arrived, but the goodbye was held back.
    @Test(arguments: [Middleman.Sender.dialler, .answerer], [0, 100_000])
    func bytesWithoutTheirGoodbyeAreACut(_ sender: Middleman.Sender, after count: Int) async throws {
        let way = try await Way(sender, after: count)
        way.from.app.endWriting()
        #expect(await way.from.fixture.next(where: \.isBytesEnded) == .bytesEnded(.app, UInt64(count)))
        way.middleman.end(sender)
        await way.expectCut()
    }

    /// The other direction had ended properly before, and stays so.
    @Test(arguments: [Middleman.Sender.dialler, .answerer])
    func theOtherDirectionsEndDoesNotHideIt(_ sender: Middleman.Sender) async throws {
        let way = try await Way(sender, after: 1000)
        way.to.app.endWriting()
        #expect(await way.to.fixture.next(where: \.isBytesEnded) == .bytesEnded(.app, 0))
        #expect(await way.from.fixture.next(where: \.isBytesEnded) == .bytesEnded(.device, 0))
        way.middleman.end(sender)
        await way.expectCut()
        let heard = try await way.from.app.receive(Pattern(22))
        #expect(heard == (0, .end))
    }
}
