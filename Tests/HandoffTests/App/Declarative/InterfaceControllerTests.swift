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
        let desk = try await Desk()
        let run = Run()
        let activity = desk.laptop.activity(title: "Running")
        run.update(activity)
        #expect(try await desk.nextTitle() == "Running")
        run.kilometres = 7
        activity.needsSave = true
        #expect(try await desk.laptop.fetch(activity).entries() as? [String: Int] == ["kilometres": 7])
        run.invalidateUserActivity()
        _ = try await desk.daemon.nextWithdrawal()
        #expect(activity.isInvalidated)
        #expect(run.userActivity == nil)
        run.invalidateUserActivity()
        #expect(try await desk.saidNothing())
    }

    @Test func nextActivityTakesThePlaceOfTheOneBefore() async throws {
        let desk = try await Desk()
        let run = Run()
        let first = desk.laptop.activity(title: "Running")
        run.update(first)
        #expect(try await desk.nextTitle() == "Running")
        run.update(desk.laptop.activity(title: "Resting"))
        #expect(try await desk.nextTitle() == "Resting")
        #expect(first.isInvalidated)
    }

    @Test func activityGoesWithItsController() async throws {
        let desk = try await Desk()
        var run: Run? = Run()
        run?.update(desk.laptop.activity(title: "Running"))
        #expect(try await desk.nextTitle() == "Running")
        run = nil
        _ = try await desk.daemon.nextWithdrawal()
    }

    @Test func otherOwnersLoseWhatIsInvalidatedToo() async throws {
        let desk = try await Desk()
        let (run, page) = (Run(), desk.page("page"))
        let activity = desk.laptop.activity(title: "Running")
        page.userActivity = activity
        run.update(activity)
        #expect(try await desk.nextTitle() == "Running")
        run.invalidateUserActivity()
        _ = try await desk.daemon.nextWithdrawal()
        #expect(activity.isInvalidated)
    }

    @Test func inAWindowTheRuleSaysWhenItIsCurrent() async throws {
        let desk = try await Desk(rule: .visibleViewControllers)
        let run = Run()
        let window = desk.mainWindow(with: run)
        run.update(desk.laptop.activity(title: "Running"))
        #expect(try await desk.saidNothing())
        desk.toolkit.viewDidAppear(run)
        #expect(try await desk.nextTitle() == "Running")
        desk.toolkit.viewDidDisappear(run)
        _ = try await desk.daemon.nextWithdrawal()
        withExtendedLifetime(window) {}
    }
}
