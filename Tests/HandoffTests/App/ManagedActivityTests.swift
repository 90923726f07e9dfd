// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import HandoffWire
import Testing

@testable import Handoff
@testable import HandoffApp

@Suite @MainActor struct ManagedActivityTests {
    // Shows R01, R04.
    @Test func isSavedMadeCurrentAndInvalidatedWithoutFurtherCalls() async throws {
        let fixture = try await AppFixture()
        let page = fixture.page("page", offering: "Chapter 3")
        let window = fixture.mainWindow(with: page)
        let publication = try await fixture.daemon.nextPublication()
        #expect(publication.title?.text == "Chapter 3")
        let activity = try #require(page.userActivity)
        activity.needsSave = true
        let state = try await fixture.laptop.fetch(activity)
        #expect(fixture.calls.waiting == ["update page main"])
        #expect(try state.entries()["page"] as? String == "here")
        page.userActivity = nil
        #expect(try await fixture.daemon.nextWithdrawal() == publication.activity)
        #expect(activity.isInvalidated)
        #expect(window.isMainWindow)
    }

    @Test func upToDateActivityIsNotSaved() async throws {
        let fixture = try await AppFixture()
        let page = fixture.page("page", offering: "Chapter 3")
        let activity = try #require(page.userActivity)
        activity.userInfo = ["set": "by hand"]
        activity.needsSave = false
        let window = fixture.mainWindow(with: page)
        _ = try await fixture.nextTitle()
        let state = try await fixture.laptop.fetch(activity)
        #expect(try state.entries()["set"] as? String == "by hand")
        #expect(fixture.calls.waiting.isEmpty)
        #expect(window.isMainWindow)
    }

    // Shows R02, R03.
    @Test func everyOwnerOfASharedActivityIsAskedInAnEmptiedRound() async throws {
        let fixture = try await AppFixture()
        let (page, list) = (fixture.page("page", offering: "Chapter 3"), fixture.page("list"))
        list.userActivity = page.userActivity
        let window = fixture.mainWindow(with: page)
        _ = try await fixture.nextTitle()
        let activity = try #require(page.userActivity)
        _ = try await fixture.laptop.fetch(activity)
        activity.userInfo = ["left by": "one that went"]
        activity.needsSave = true
        let first = try await fixture.laptop.fetch(activity).entries()
        #expect(
            fixture.calls.waiting
                == Array(repeating: ["update page main", "update list main"], count: 2).flatMap(\.self))
        #expect(first.keys.compactMap { $0 as? String }.sorted() == ["list", "page"])
        // A leaving owner takes its part with it.
        list.userActivity = nil
        activity.needsSave = true
        #expect(try await fixture.laptop.fetch(activity).entries().keys.compactMap { $0 as? String } == ["page"])
        #expect(window.isMainWindow)
    }

    // Shows H07.
    @Test func willSaveEntriesStayAndDidUpdateRunsLast() async throws {
        let fixture = try await AppFixture()
        let delegate = Reader()
        fixture.application.delegate = delegate
        let page = fixture.page("page", offering: "Chapter 3")
        page.onUpdate = { activity in
            #expect(activity.userInfo?["editor"] as? String == "here")
            activity.addUserInfoEntries(from: ["order": ["will-save", "update"]])
        }
        let window = fixture.mainWindow(with: page)
        _ = try await fixture.nextTitle()
        let activity = try #require(page.userActivity)
        let editor = Editor { activity in
            #expect(activity.userInfo?["old"] == nil)
            activity.addUserInfoEntries(from: ["editor": "here"])
        }
        activity.delegate = editor
        _ = try await fixture.laptop.fetch(activity)
        _ = try await editor.saves.next()
        activity.userInfo = ["old": true]
        activity.needsSave = true
        // The reader keeps only the order, and adds its name to it.
        let state = try await fixture.laptop.fetch(activity)
        #expect(editor.saves.waiting == ["background"])
        #expect(try state.entries()["order"] as? [String] == ["will-save", "update", "did-update"])
        #expect(window.isMainWindow)
    }

    private final class SharedFiles: NSDocumentController {
        override func isShared(_ url: URL) -> Bool { true }
    }

    // Shows R02.
    @Test func documentTakesPartAsAResponderDoes() async throws {
        let fixture = try await AppFixture()
        let page = fixture.page("page", offering: "Report")
        fixture.application.documentController = fixture.laptop.center.run { SharedFiles(documentTypes: []) }
        let document = fixture.laptop.center.run { NSDocument() }
        document.fileURL = URL(filePath: "/tmp/report.txt")
        document.userActivity = page.userActivity
        let window = fixture.mainWindow(with: page)
        _ = try await fixture.nextTitle()
        let activity = try #require(page.userActivity)
        activity.needsSave = true
        let entries = try await fixture.laptop.fetch(activity).entries()
        #expect(entries["page"] as? String == "here")
        #expect(entries[NSUserActivityDocumentURLKey] as? URL == URL(filePath: "/tmp/report.txt"))
        #expect(window.isMainWindow)
    }

    // Shows R06.
    @Test func lastOwnerThatLeavesEndsIt() async throws {
        let fixture = try await AppFixture()
        let (page, list) = (fixture.page("page", offering: "Chapter 3"), fixture.page("list"))
        let activity = try #require(page.userActivity)
        list.userActivity = activity
        page.userActivity = nil
        #expect(!activity.isInvalidated)
        // Passed from the last owner to another.
        page.userActivity = list.userActivity
        list.userActivity = nil
        #expect(!activity.isInvalidated)
        page.userActivity = fixture.laptop.activity(title: "Chapter 4")
        #expect(activity.isInvalidated)
        #expect(page.userActivity?.isInvalidated == false)
    }

    // Shows R06.
    @Test func ownerThatGoesLeaves() async throws {
        let fixture = try await AppFixture()
        var page: Page? = fixture.page("page", offering: "Chapter 3")
        let activity = try #require(page?.userActivity)
        let window = fixture.mainWindow()
        fixture.toolkit.firstResponderChanged(to: page, in: window)
        let publication = try await fixture.daemon.nextPublication()
        page = nil
        #expect(try await fixture.daemon.nextWithdrawal() == publication.activity)
        #expect(activity.isInvalidated)
    }

    @Test func settingTheSameAgainChangesNothing() async throws {
        let fixture = try await AppFixture()
        let page = fixture.page("page", offering: "Chapter 3")
        let window = fixture.mainWindow(with: page)
        _ = try await fixture.nextTitle()
        page.userActivity = page.userActivity
        #expect(try await fixture.saidNothing())
        #expect(window.isMainWindow)
    }

    @Test func replacementActivityIsOfferedWithoutAGap() async throws {
        let fixture = try await AppFixture()
        let page = fixture.page("page", offering: "Chapter 3")
        let window = fixture.mainWindow(with: page)
        #expect(try await fixture.nextTitle() == "Chapter 3")
        page.userActivity = fixture.laptop.activity(title: "Chapter 4")
        // No withdrawal is between the two.
        #expect(try await fixture.nextTitle() == "Chapter 4")
        #expect(try await fixture.saidNothing())
        #expect(window.isMainWindow)
    }

    @Test func applicationsOwnIsCurrentWithoutWindows() async throws {
        let fixture = try await AppFixture()
        fixture.application.userActivity = fixture.laptop.activity(title: "The whole")
        #expect(try await fixture.nextTitle() == "The whole")
        let page = fixture.page("page", offering: "Chapter 3")
        let window = fixture.mainWindow(with: page)
        #expect(try await fixture.nextTitle() == "Chapter 3")
        fixture.toolkit.windowClosed(window)
        #expect(try await fixture.nextTitle() == "The whole")
    }

    // MARK: Any thread, and observed

    // Shows R07.
    @Test func propertyIsSetFromAnyThread() async throws {
        let fixture = try await AppFixture()
        let page = fixture.page("page")
        let window = fixture.mainWindow(with: page)
        let activity = fixture.laptop.activity(title: "From elsewhere")
        onThread { page.userActivity = activity }
        #expect(try await fixture.nextTitle() == "From elsewhere")
        #expect(window.isMainWindow)
    }

    // Shows R07.
    @Test func manyThreadsLeaveExactlyOneOwned() async throws {
        let fixture = try await AppFixture()
        let page = fixture.page("page")
        let activities = (0..<64).map { fixture.laptop.activity(title: "\($0)") }
        await withCheckedContinuation { done in
            DispatchQueue.global().async {
                DispatchQueue.concurrentPerform(iterations: 8) { thread in
                    for activity in activities[(thread * 8)..<(thread * 8 + 8)] { page.userActivity = activity }
                }
                done.resume()
            }
        }
        let left = try #require(page.userActivity)
        #expect(activities.filter { !$0.isInvalidated } == [left])
        #expect(left.owners.count == 1)
    }

    // Shows R07.
    @Test func changesAreReported() async throws {
        let fixture = try await AppFixture()
        let page = fixture.page("page")
        let told = Mailbox<String?>()
        let observation = page.observeUserActivity { told.post($0?.title) }
        page.userActivity = fixture.laptop.activity(title: "one")
        page.userActivity = page.userActivity
        page.userActivity = nil
        #expect(told.waiting == ["one", nil])
        observation.invalidate()
        page.userActivity = fixture.laptop.activity(title: "two")
        #expect(told.waiting.count == 2)
    }

    @Test func observationEndsWithItsToken() async throws {
        let fixture = try await AppFixture()
        let document = NSDocument()
        let told = Mailbox<String?>()
        var observation: HandoffUserActivityObservation? = document.observeUserActivity { told.post($0?.title) }
        document.userActivity = fixture.laptop.activity(title: "one")
        #expect(observation != nil)
        observation = nil
        document.userActivity = nil
        #expect(told.waiting == ["one"])
    }

    // Shows R07.
    @Test func changesAreASequenceThatEndsWithTheResponder() async throws {
        let fixture = try await AppFixture()
        var page: Page? = fixture.page("page")
        let changes = try #require(page?.userActivityChanges)
        page?.userActivity = fixture.laptop.activity(title: "one")
        // A slow consumer receives only the latest.
        page?.userActivity = fixture.laptop.activity(title: "two")
        page = nil
        var titles: [String?] = []
        for await activity in changes { titles.append(activity?.title) }
        #expect(titles == ["two"])
    }
}

/// A hook that does not return. Shows R04, E03.
@Suite struct BlockedHookTests {
    @Test func delegatesThatBlockCostTheirOwnContinuationsOnly() async throws {
        let laptop = try Laptop()
        let release = DispatchSemaphore(value: 0)
        let stuck = Editor { _ in release.wait() }
        // More than there are processors.
        let blocked = (0..<ProcessInfo.processInfo.activeProcessorCount * 2).map { laptop.activity(title: "\($0)") }
        for activity in blocked {
            activity.delegate = stuck
            activity.needsSave = true
            activity.becomeCurrent()
            #expect(try await laptop.daemon.nextPublication().activity == activity.record.id)
            await #expect(throws: Failure(.appTimedOut, "")) {
                try await laptop.fetch(activity, within: .milliseconds(20))
            }
        }
        let editor = Editor { $0.userInfo = ["page": 41] }
        let free = laptop.activity(title: "Free")
        free.delegate = editor
        free.needsSave = true
        free.becomeCurrent()
        #expect(try await laptop.daemon.nextPublication().title?.text == "Free")
        #expect(try await laptop.fetch(free).entries()["page"] as? Int == 41)
        for _ in blocked { release.signal() }
    }

    @Test func ownerThatBlocksCostsItsOwnContinuationOnly() async throws {
        let fixture = try await AppFixture()
        let laptop = fixture.laptop
        let release = DispatchSemaphore(value: 0)
        let (page, window) = await MainActor.run {
            let page = fixture.page("page", offering: "Chapter 3")
            page.onUpdate = { _ in release.wait() }
            return (page, fixture.mainWindow(with: page))
        }
        _ = try await laptop.daemon.nextPublication()
        let blocked = try #require(page.userActivity)
        blocked.needsSave = true
        // After this, nothing may need the main thread.
        let answer = laptop.daemon.ask(.advertising(.save(blocked.record.id, deadline: .milliseconds(50))))
        #expect(try await answer.next() == .failure(Failure(.appTimedOut, "")))
        // The main thread is blocked; requests without a hook are answered.
        let other = laptop.activity(title: "Other")
        other.needsSave = false
        other.becomeCurrent()
        #expect(try await laptop.daemon.nextPublication().title?.text == "Other")
        #expect(try await laptop.fetch(other).title == "Other")
        release.signal()
        // After the hook returned, all requests are.
        other.needsSave = true
        #expect(try await laptop.fetch(other).title == "Other")
        await MainActor.run { #expect(window.isMainWindow) }
    }
}
