// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import HandoffWire
import Testing

@testable import Handoff
@testable import HandoffApp

/// Shows R01, R02, R03, R04, R06, R07, H07.
@Suite @MainActor struct ManagedActivityTests {
    @Test func isSavedMadeCurrentAndInvalidatedWithoutFurtherCalls() async throws {
        let desk = try await Desk()
        let page = desk.page("page", offering: "Chapter 3")
        let window = desk.mainWindow(with: page)
        let publication = try await desk.daemon.nextPublication()
        #expect(publication.title?.text == "Chapter 3")
        let activity = try #require(page.userActivity)
        activity.needsSave = true
        let state = try await desk.laptop.fetch(activity)
        #expect(desk.calls.waiting == ["update page main"])
        #expect(try state.entries()["page"] as? String == "here")
        page.userActivity = nil
        #expect(try await desk.daemon.nextWithdrawal() == publication.activity)
        #expect(activity.isInvalidated)
        #expect(window.isMainWindow)
    }

    @Test func upToDateActivityIsNotSaved() async throws {
        let desk = try await Desk()
        let page = desk.page("page", offering: "Chapter 3")
        let activity = try #require(page.userActivity)
        activity.userInfo = ["set": "by hand"]
        activity.needsSave = false
        let window = desk.mainWindow(with: page)
        _ = try await desk.nextTitle()
        let state = try await desk.laptop.fetch(activity)
        #expect(try state.entries()["set"] as? String == "by hand")
        #expect(desk.calls.waiting.isEmpty)
        #expect(window.isMainWindow)
    }

    @Test func everyOwnerOfASharedActivityIsAskedInAnEmptiedRound() async throws {
        let desk = try await Desk()
        let (page, list) = (desk.page("page", offering: "Chapter 3"), desk.page("list"))
        list.userActivity = page.userActivity
        let window = desk.mainWindow(with: page)
        _ = try await desk.nextTitle()
        let activity = try #require(page.userActivity)
        _ = try await desk.laptop.fetch(activity)
        activity.userInfo = ["left by": "one that went"]
        activity.needsSave = true
        let first = try await desk.laptop.fetch(activity).entries()
        #expect(
            desk.calls.waiting == Array(repeating: ["update page main", "update list main"], count: 2).flatMap(\.self))
        #expect(first.keys.compactMap { $0 as? String }.sorted() == ["list", "page"])
        // A leaving owner takes its part with it.
        list.userActivity = nil
        activity.needsSave = true
        #expect(try await desk.laptop.fetch(activity).entries().keys.compactMap { $0 as? String } == ["page"])
        #expect(window.isMainWindow)
    }

    @Test func willSaveEntriesStayAndDidUpdateRunsLast() async throws {
        let desk = try await Desk()
        let delegate = Reader()
        desk.application.delegate = delegate
        let page = desk.page("page", offering: "Chapter 3")
        page.onUpdate = { activity in
            #expect(activity.userInfo?["editor"] as? String == "here")
            activity.addUserInfoEntries(from: ["order": ["will-save", "update"]])
        }
        let window = desk.mainWindow(with: page)
        _ = try await desk.nextTitle()
        let activity = try #require(page.userActivity)
        let editor = Editor { activity in
            #expect(activity.userInfo?["old"] == nil)
            activity.addUserInfoEntries(from: ["editor": "here"])
        }
        activity.delegate = editor
        _ = try await desk.laptop.fetch(activity)
        _ = try await editor.saves.next()
        activity.userInfo = ["old": true]
        activity.needsSave = true
        // The reader keeps only the order, and adds its name to it.
        let state = try await desk.laptop.fetch(activity)
        #expect(editor.saves.waiting == ["background"])
        #expect(try state.entries()["order"] as? [String] == ["will-save", "update", "did-update"])
        #expect(window.isMainWindow)
    }

    private final class SharedFiles: NSDocumentController {
        override func isShared(_ url: URL) -> Bool { true }
    }

    @Test func documentTakesPartAsAResponderDoes() async throws {
        let desk = try await Desk()
        let page = desk.page("page", offering: "Report")
        desk.application.documentController = desk.laptop.center.run { SharedFiles(documentTypes: []) }
        let document = desk.laptop.center.run { NSDocument() }
        document.fileURL = URL(filePath: "/tmp/report.txt")
        document.userActivity = page.userActivity
        let window = desk.mainWindow(with: page)
        _ = try await desk.nextTitle()
        let activity = try #require(page.userActivity)
        activity.needsSave = true
        let entries = try await desk.laptop.fetch(activity).entries()
        #expect(entries["page"] as? String == "here")
        #expect(entries[NSUserActivityDocumentURLKey] as? URL == URL(filePath: "/tmp/report.txt"))
        #expect(window.isMainWindow)
    }

    @Test func lastOwnerThatLeavesEndsIt() async throws {
        let desk = try await Desk()
        let (page, list) = (desk.page("page", offering: "Chapter 3"), desk.page("list"))
        let activity = try #require(page.userActivity)
        list.userActivity = activity
        page.userActivity = nil
        #expect(!activity.isInvalidated)
        // Passed from the last owner to another.
        page.userActivity = list.userActivity
        list.userActivity = nil
        #expect(!activity.isInvalidated)
        page.userActivity = desk.laptop.activity(title: "Chapter 4")
        #expect(activity.isInvalidated)
        #expect(page.userActivity?.isInvalidated == false)
    }

    @Test func ownerThatGoesLeaves() async throws {
        let desk = try await Desk()
        var page: Page? = desk.page("page", offering: "Chapter 3")
        let activity = try #require(page?.userActivity)
        let window = desk.mainWindow()
        desk.toolkit.firstResponderChanged(to: page, in: window)
        let publication = try await desk.daemon.nextPublication()
        page = nil
        #expect(try await desk.daemon.nextWithdrawal() == publication.activity)
        #expect(activity.isInvalidated)
    }

    @Test func settingTheSameAgainChangesNothing() async throws {
        let desk = try await Desk()
        let page = desk.page("page", offering: "Chapter 3")
        let window = desk.mainWindow(with: page)
        _ = try await desk.nextTitle()
        page.userActivity = page.userActivity
        #expect(try await desk.saidNothing())
        #expect(window.isMainWindow)
    }

    @Test func anotherOneTakesThePlaceWithoutAGap() async throws {
        let desk = try await Desk()
        let page = desk.page("page", offering: "Chapter 3")
        let window = desk.mainWindow(with: page)
        #expect(try await desk.nextTitle() == "Chapter 3")
        page.userActivity = desk.laptop.activity(title: "Chapter 4")
        // No withdrawal is between the two.
        #expect(try await desk.nextTitle() == "Chapter 4")
        #expect(try await desk.saidNothing())
        #expect(window.isMainWindow)
    }

    @Test func applicationsOwnIsCurrentWithoutWindows() async throws {
        let desk = try await Desk()
        desk.application.userActivity = desk.laptop.activity(title: "The whole")
        #expect(try await desk.nextTitle() == "The whole")
        let page = desk.page("page", offering: "Chapter 3")
        let window = desk.mainWindow(with: page)
        #expect(try await desk.nextTitle() == "Chapter 3")
        desk.toolkit.windowClosed(window)
        #expect(try await desk.nextTitle() == "The whole")
    }

    // MARK: Any thread, and observed

    @Test func propertyIsSetFromAnyThread() async throws {
        let desk = try await Desk()
        let page = desk.page("page")
        let window = desk.mainWindow(with: page)
        let activity = desk.laptop.activity(title: "From elsewhere")
        onThread { page.userActivity = activity }
        #expect(try await desk.nextTitle() == "From elsewhere")
        #expect(window.isMainWindow)
    }

    @Test func manyThreadsLeaveExactlyOneOwned() async throws {
        let desk = try await Desk()
        let page = desk.page("page")
        let activities = (0..<64).map { desk.laptop.activity(title: "\($0)") }
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

    @Test func changesAreTold() async throws {
        let desk = try await Desk()
        let page = desk.page("page")
        let told = Mailbox<String?>()
        let observation = page.observeUserActivity { told.post($0?.title) }
        page.userActivity = desk.laptop.activity(title: "one")
        page.userActivity = page.userActivity
        page.userActivity = nil
        #expect(told.waiting == ["one", nil])
        observation.invalidate()
        page.userActivity = desk.laptop.activity(title: "two")
        #expect(told.waiting.count == 2)
    }

    @Test func observationEndsWithItsToken() async throws {
        let desk = try await Desk()
        let document = NSDocument()
        let told = Mailbox<String?>()
        var observation: HandoffUserActivityObservation? = document.observeUserActivity { told.post($0?.title) }
        document.userActivity = desk.laptop.activity(title: "one")
        #expect(observation != nil)
        observation = nil
        document.userActivity = nil
        #expect(told.waiting == ["one"])
    }

    @Test func changesAreASequenceThatEndsWithTheResponder() async throws {
        let desk = try await Desk()
        var page: Page? = desk.page("page")
        let changes = try #require(page?.userActivityChanges)
        page?.userActivity = desk.laptop.activity(title: "one")
        // A slow consumer receives only the latest.
        page?.userActivity = desk.laptop.activity(title: "two")
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
        let desk = try await Desk()
        let laptop = desk.laptop
        let release = DispatchSemaphore(value: 0)
        let (page, window) = await MainActor.run {
            let page = desk.page("page", offering: "Chapter 3")
            page.onUpdate = { _ in release.wait() }
            return (page, desk.mainWindow(with: page))
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
