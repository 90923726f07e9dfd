// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire
import Testing

@testable import Handoff
@testable import HandoffApp

/// Shows U05.
@Suite @MainActor struct InterfaceControllerTests {
    private final class Run: WKInterfaceController {
        var kilometres = 1
        override func updateUserActivityState(_ activity: NSUserActivity) {
            super.updateUserActivityState(activity)
            activity.addUserInfoEntries(from: ["kilometres": kilometres])
        }
    }

    @Test func clientWithoutWindowsOffersAtOnceAndEndsIt() async throws {
        let fixture = try await AppFixture()
        let run = Run()
        let activity = fixture.laptop.activity(title: "Running")
        run.update(activity)
        #expect(try await fixture.nextTitle() == "Running")
        run.kilometres = 7
        activity.needsSave = true
        #expect(try await fixture.laptop.fetch(activity).entries() as? [String: Int] == ["kilometres": 7])
        run.invalidateUserActivity()
        _ = try await fixture.daemon.nextWithdrawal()
        #expect(activity.isInvalidated)
        #expect(run.userActivity == nil)
        run.invalidateUserActivity()
        #expect(try await fixture.saidNothing())
    }

    @Test func nextActivityReplacesThePreviousActivity() async throws {
        let fixture = try await AppFixture()
        let run = Run()
        let first = fixture.laptop.activity(title: "Running")
        run.update(first)
        #expect(try await fixture.nextTitle() == "Running")
        run.update(fixture.laptop.activity(title: "Resting"))
        #expect(try await fixture.nextTitle() == "Resting")
        #expect(first.isInvalidated)
    }

    @Test func activityGoesWithItsController() async throws {
        let fixture = try await AppFixture()
        var run: Run? = Run()
        run?.update(fixture.laptop.activity(title: "Running"))
        #expect(try await fixture.nextTitle() == "Running")
        run = nil
        _ = try await fixture.daemon.nextWithdrawal()
    }

    @Test func otherOwnersLoseWhatIsInvalidatedToo() async throws {
        let fixture = try await AppFixture()
        let (run, page) = (Run(), fixture.page("page"))
        let activity = fixture.laptop.activity(title: "Running")
        page.userActivity = activity
        run.update(activity)
        #expect(try await fixture.nextTitle() == "Running")
        run.invalidateUserActivity()
        _ = try await fixture.daemon.nextWithdrawal()
        #expect(activity.isInvalidated)
    }

    @Test func inAWindowTheRuleSaysWhenItIsCurrent() async throws {
        let fixture = try await AppFixture(rule: .visibleViewControllers)
        let run = Run()
        let window = fixture.mainWindow(with: run)
        run.update(fixture.laptop.activity(title: "Running"))
        #expect(try await fixture.saidNothing())
        fixture.toolkit.viewDidAppear(run)
        #expect(try await fixture.nextTitle() == "Running")
        fixture.toolkit.viewDidDisappear(run)
        _ = try await fixture.daemon.nextWithdrawal()
        withExtendedLifetime(window) {}
    }
}
