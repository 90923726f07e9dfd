// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffClient
import HandoffCore
import HandoffWire
import TestBuses
import Testing

@testable import HandoffDesktop

/// Shows L11, L12.
@Suite(.timeLimit(.minutes(1))) struct ActivityContinuingTests {
    // Shows L11, L12.
    @Test func aFailureIsTold() async throws {
        let fixture = try BusFixture()
        let gone = Failure(.activityGone, "no connected device offers this activity any longer")
        #expect(
            try await fixture.continues([.success(.continuation(.progress(.init(.fetch, .zero)))), .failure(gone)])
                == ["failed activityGone Shopping list"])
        await fixture.stop()
    }

    /// The user knows the reason: they chose another activity.
    @Test func cancelledContinuationIsNotReportedAsAFailure() async throws {
        let fixture = try BusFixture()
        #expect(try await fixture.continues([.failure(Failure(.cancelled, "cancelled"))]) == [])
        await fixture.stop()
    }

    @Test func aPageForTheCallerIsOpened() async throws {
        let fixture = try BusFixture()
        let page = ActivityState(type: .browsingWeb, webpageURL: "https://example.com/7")
        #expect(
            try await fixture.continues([.success(.outcome(.state(page)))]) == ["open https://example.com/7 token-1"])
        await fixture.stop()
    }

    @Test func aPageThatCannotBeOpenedIsAFailure() async throws {
        let fixture = try BusFixture()
        let page = ActivityState(type: .browsingWeb, webpageURL: "https://nowhere.example/")
        #expect(try await fixture.continues([.success(.outcome(.state(page)))]) == ["failed noApp Shopping list"])
        await fixture.stop()
    }

    @Test func anAppThatHasItNeedsNothingMore() async throws {
        let fixture = try BusFixture()
        #expect(try await fixture.continues([.success(.outcome(.app(try BundleID("com.example.notes"))))]) == [])
        await fixture.stop()
    }

    @Test func continuingWithoutADaemonFails() async throws {
        let fixture = try BusFixture()
        #expect(try await fixture.continues(nil) == ["failed connectionUnavailable Shopping list"])
        await fixture.stop()
    }
}

extension LocalMessage {
    fileprivate static func outcome(_ how: ContinuationOutcome.How) -> LocalMessage {
        .continuation(
            .outcome(
                ContinuationOutcome(
                    continuation: ContinuationID(uncheckedBytes: Array(repeating: 1, count: 16)), phases: [], how: how,
                    targetName: DisplayText(cleaning: "Notes"))))
    }
}

extension BusFixture {
    /// The events after all answers. `answers` nil: without a daemon.
    fileprivate func continues(_ answers: [Result<LocalMessage, Failure>]?) async throws -> [String] {
        let line = ScriptedDaemon()
        let daemon = DaemonClient(
            answers == nil ? DaemonConnection(locations: Locations(root: "/nowhere")) : line,
            hello: LocalHello(role: .control, name: DisplayText(cleaning: "test")), on: loop)
        for answer in answers ?? [] { line.willAnswer(answer) }
        var happened: [String] = []
        let continuation = DesktopContinuation(by: daemon) { (page, token) throws(Failure) in
            guard page.hasPrefix("https://example.com") else { throw Failure(.noApp, "no browser") }
            happened.append("open \(page) \(token?.text ?? "")")
        }
        let continuing = ActivityContinuing(continuation)
        continuing.failed = { happened.append("failed \($0.code) \($1.activity?.title.text ?? "")") }
        let activity = try ListedActivity.sample(1, "Shopping list")
        continuing.start(.init(activity.key, activity, activationToken: try ActivationToken("token-1")))
        // Work added to the loop now runs last.
        await withCheckedContinuation { done in loop.queue.execute { done.resume() } }
        return happened
    }
}
