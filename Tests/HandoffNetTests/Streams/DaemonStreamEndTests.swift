// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffDaemon
@testable import HandoffNet

/// From an app on one device to the daemon of the other one, over TLS.
@Suite(.timeLimit(.minutes(2))) struct DaemonStreamEndTests {
    private static let words = Pattern(31)
    private static let answers = Pattern(32)

    /// The far daemon dialled, and has the app.
    private func open(
        sending count: Int, isTaking: Bool = true
    ) async throws -> (near: StreamFixture, far: StreamFixture, app: AppEnd) {
        let (near, far) = try await StreamPath.desks()
        near.endHere(sending: count, of: Self.answers, taking: Self.words, isTaking: isTaking)
        let hello = StreamPath.hello()
        let app = try await AppEnd.attach(hello.token, to: far)
        far.dial(near, hello)
        #expect(try await app.answer() == LocalFrame(.done(accepted: true), answer: 7))
        return (near, far, app)
    }

    @Test(arguments: [(0, 0), (1, 300_001), (5_000_000, 0), (3_000_000, 8_000_000)])
    func bytesAreExactBothWays(there: Int, back: Int) async throws {
        let (near, far, app) = try await open(sending: back)
        async let got = app.receive(Self.answers)
        #expect(try await app.send(there, of: Self.words) == nil)
        app.endWriting()
        #expect(try await got == (back, .end))
        #expect(await near.next(where: { if case .arrived = $0 { true } else { false } }) == .arrived(there))
        #expect(await near.next(where: { if case .ended = $0 { true } else { false } }) == .ended(inOrder: true))
        await far.expectClosed(nil)
        near.stop()
        far.stop()
    }

    @Test func aDaemonThatDoesNotTakeHoldsTheAppBack() async throws {
        let (near, far, app) = try await open(sending: 0, isTaking: false)
        let held = try await app.sendUntilHeldBack(of: Self.words)
        #expect(held < 64 << 20)
        let untaken = try await near.resident { $0.end.untaken }
        // A piece, and the rest of a TLS record.
        #expect(untaken > 0 && untaken <= StreamBudget.largestPiece + 16_384)
        near.setTaking()
        let total = held + 1_000_000
        #expect(try await app.send(total, of: Self.words, from: held) == nil)
        app.endWriting()
        #expect(await near.next(where: { if case .arrived = $0 { true } else { false } }) == .arrived(total))
        near.stop()
        far.stop()
    }

    // Shows C05.
    @Test func aCutIsNotAnEndForTheDaemon() async throws {
        let (near, far, app) = try await open(sending: 50_000_000)
        _ = try await app.receive(Self.answers, upTo: 100_000)
        far.cut(Failure(.deviceRemoved, "removed"))
        #expect(await near.next(where: { if case .ended = $0 { true } else { false } }) == .ended(inOrder: false))
        #expect(try await near.resident { !$0.end.isAtEnd })
        near.stop()
        far.stop()
    }
}
