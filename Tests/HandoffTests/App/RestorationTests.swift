// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire
import Testing

@testable import Handoff
@testable import HandoffApp

/// Shows H04.
@Suite @MainActor struct RestorationTests {
    private let reader = Reader()

    private static let type = "com.example.reader.reading"

    /// An activity arrived, and the delegate has the handler.
    private func arrival(on fixture: AppFixture) async throws {
        fixture.application.delegate = reader
        let type = try ActivityType(Self.type)
        let continuation = ContinuationID(uncheckedBytes: Array(repeating: 1, count: 16))
        _ = try await fixture.daemon.request(
            .continuation(.willContinue(continuation, type: type, originName: DisplayText(cleaning: "laptop"))))
        let state = ActivityState(type: type, title: "Chapter 3")
        #expect(
            try await fixture.daemon.request(.continuation(.continueActivity(continuation, state)))
                == .done(accepted: true))
    }

    // Shows R05.
    @Test func everyObjectIsRestoredOnTheMainThread() async throws {
        let fixture = try await AppFixture()
        try await arrival(on: fixture)
        reader.restorationHandler?([fixture.page("one"), fixture.page("two")])
        #expect(fixture.calls.waiting == ["restore one Chapter 3 main", "restore two Chapter 3 main"])
    }

    @Test func secondCallHasNoEffectAndIsLogged() async throws {
        let fixture = try await AppFixture()
        try await arrival(on: fixture)
        reader.restorationHandler?([fixture.page("one")])
        reader.restorationHandler?([fixture.page("two")])
        #expect(fixture.calls.waiting == ["restore one Chapter 3 main"])
        #expect(try await fixture.laptop.log.next() == "a restorationHandler was called again, which has no effect")
    }

    @Test func handlerThatIsNeverCalledKeepsNothing() async throws {
        let fixture = try await AppFixture()
        try await arrival(on: fixture)
        weak var activity: NSUserActivity?
        activity = reader.continued
        #expect(activity != nil)
        reader.continued = nil
        reader.restorationHandler = nil
        // The delivering thread may still hold a reference.
        #expect(await soon { activity == nil })
        try await arrival(on: fixture)
        #expect(reader.continued?.title == "Chapter 3")
    }

    // Shows R05.
    @Test func restorationHandlerHopsToTheMainThread() async throws {
        let fixture = try await AppFixture()
        try await arrival(on: fixture)
        let page = fixture.page("one")
        // As the compiler allows in older language modes.
        nonisolated(unsafe) let handler = reader.restorationHandler
        onThread { handler?([page]) }
        #expect(try await fixture.calls.next() == "restore one Chapter 3 main")
        #expect(try await fixture.laptop.log.next().contains("outside the main thread"))
    }

    @Test func windowThatWasClosedIsRestoredAndNotCurrent() async throws {
        let fixture = try await AppFixture()
        try await arrival(on: fixture)
        let page = fixture.page("page")
        let window = fixture.mainWindow(with: page)
        fixture.toolkit.windowClosed(window)
        reader.restorationHandler?([window, page])
        #expect(try await fixture.calls.next() == "restore page Chapter 3 main")
        page.userActivity = reader.continued
        #expect(try await fixture.saidNothing())
        #expect(page.userActivity?.isInvalidated == false)
    }

    @Test func restoredResponderCanContinueOnAThirdDevice() async throws {
        let fixture = try await AppFixture()
        try await arrival(on: fixture)
        let page = fixture.page("page")
        let window = fixture.mainWindow(with: page)
        reader.restorationHandler?([page])
        page.userActivity = reader.continued
        #expect(try await fixture.nextTitle() == "Chapter 3")
        #expect(window.isMainWindow)
    }
}
