// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffClient
import HandoffCore
import HandoffWire
import TestBuses
import Testing

@testable import HandoffDaemon
@testable import HandoffDesktop

/// A program on a real bus that takes part, but does not answer.
// Shows L05.
@Suite(.timeLimit(.minutes(1))) struct SilentAppTests {
    @Test func aProgramThatDoesNotSaveInTimeIsGivenUpAndAskedAgain() async throws {
        try await withPrivateBus { fixture, bus in
            let (guest, daemon, id, kept) = try await fixture.silentApp(at: bus.address)
            var answers = daemon.answers.makeAsyncIterator()
            daemon.ask(.advertising(.save(id, deadline: soon)))
            #expect(await answers.next()?.failureCode == .appTimedOut)
            // A late answer does not answer the next request, and the activity still needs saving.
            kept.questions.first?.answer([.properties(["title": .string("Late")])])
            daemon.ask(.advertising(.save(id, deadline: .seconds(30))), 2)
            try await guest.wait(toHear: 2, isolation: fixture)
            kept.questions.last?.answer([.properties(["title": .string("In time")])])
            guard case .advertising(.saved(let state, _, _)) = await answers.next() else {
                Issue.record("the second time it was not saved")
                return
            }
            #expect(state.title == "In time")
            #expect(guest.heard.map(\.member) == ["Save", "Save"])
        }
    }

    @Test func aProgramThatDoesNotAnswerAHookInTimeIsGivenUp() async throws {
        try await withPrivateBus { fixture, bus in
            let (guest, daemon, _, kept) = try await fixture.silentApp(at: bus.address)
            var answers = daemon.answers.makeAsyncIterator()
            let continuation = ContinuationID(uncheckedBytes: Array(repeating: 1, count: ContinuationID.byteCount))
            let type = try ActivityType("com.example.reading")
            daemon.ask(
                .continuation(.willContinue(continuation, type: type, originName: DisplayText(cleaning: "laptop"))))
            #expect(await answers.next()?.failureCode == .appTimedOut)
            // The end is still reported, once.
            let failure = Failure(.appTimedOut, "the program did not answer in time")
            for _ in 0..<2 { daemon.ask(.continuation(.didFail(continuation, type: type, failure)), 0) }
            daemon.ask(
                .continuation(
                    .wasContinued(ActivityID(uncheckedBytes: []), deviceName: DisplayText(cleaning: "laptop"))), 0
            )
            try await guest.wait(isolation: fixture) { $0.heard.last?.member == "WasContinued" }
            #expect(guest.heard.map(\.member) == ["WillContinue", "DidFail", "WasContinued"])
            withExtendedLifetime(kept) {}
        }
    }

    @Test func itHasAsLongAsTheDaemonWaits() {
        #expect(InterfaceLimits.answerTime == ContinuationLimits().deliver)
    }
}

/// Replaces the ten seconds.
private let soon = Duration.milliseconds(50)

extension BusFixture {
    /// Its activity needs saving. It records its requests without answering them.
    func silentApp(
        at address: String
    ) async throws -> (guest: Guest, daemon: ScriptedDaemon, id: ActivityID, kept: Kept) {
        let daemon = ScriptedDaemon(isThere: true)
        let hello = LocalHello(role: .control, name: DisplayText(cleaning: "test"))
        let fixture = DaemonClient(ScriptedDaemon(isThere: true), hello: hello, on: loop)
        let feature = InterfaceFeature(
            .whole, daemon: fixture, calls: fixture, lines: { daemon }, room: ParticipantRoom(),
            sandboxes: SandboxGuard(Locations(root: "/nowhere"), on: loop), answerTime: soon, on: loop)
        let door = BusConnector(to: address, on: loop)
        door.connected = { feature.busConnected($0) }
        door.disconnected = { feature.busDisconnected() }
        door.start()
        fixture.start()
        let guest = try await connect(to: address)
        try await guest.waits(for: InterfaceNames.bus, isolation: self)
        let kept = Kept(door, feature)
        _ = try await guest.takesPart(isolation: self) { _, reply in
            kept.questions.append(reply)
            return nil
        }
        let properties = BusValue.properties(["type": .string("com.example.reading"), "needs-save": .boolean(true)])
        let answer = try await guest.handoff("Publish", [properties], isolation: self).get()
        return (guest, daemon, try ActivityID(hex: answer[0]?.text ?? ""), kept)
    }
}

/// Objects that live as long as the test, and the recorded requests.
final class Kept {
    private let parts: (BusConnector, InterfaceFeature)
    var questions: [BusReply] = []

    init(_ door: BusConnector, _ feature: InterfaceFeature) { parts = (door, feature) }
}

extension LocalMessage {
    fileprivate var failureCode: Failure.Code? { if case .failure(let failure) = self { failure.code } else { nil } }
}
