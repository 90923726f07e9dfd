// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire
import Testing

@testable import Handoff
@testable import HandoffApp

/// An activity before the first request: docs/source-compatibility.md.
@Suite @MainActor struct FreshActivityTests {
    /// A controller that is asked and adds nothing.
    private final class Silent: UIViewController {}

    // Shows A05, R03.
    @Test func stateSetByHandArrivesFromAnAppWithoutHooks() async throws {
        let fixture = try await AppFixture()
        let activity = fixture.laptop.activity(title: "Note")
        // As code on Apple's systems does at once.
        activity.userInfo!["url"] = URL(string: "https://example.com/notes/7")
        activity.userInfo?["line"] = 12
        let controller = Silent()
        controller.userActivity = activity
        let window = fixture.mainWindow(with: controller)
        let entries = try await fixture.laptop.fetch(activity).entries()
        #expect(entries["url"] as? URL == URL(string: "https://example.com/notes/7"))
        #expect(entries["line"] as? Int == 12)
        #expect(!activity.needsSave)
        #expect(window.isMainWindow)
    }

    // Shows A11.
    @Test func stateOfAnAppThatNeverSaysThatItNeedsSavingIsAskedForOnce() async throws {
        let fixture = try await AppFixture()
        let page = fixture.page("page", offering: "Note")
        let activity = try #require(page.userActivity)
        activity.userInfo = ["set": "by hand"]
        let window = fixture.mainWindow(with: page)
        let entries = try await fixture.laptop.fetch(activity).entries()
        #expect(entries as? [String: String] == ["set": "by hand", "page": "here"])
        _ = try await fixture.laptop.fetch(activity)
        #expect(fixture.calls.waiting == ["update page main"])
        #expect(window.isMainWindow)
    }

    // Shows R02, R03.
    @Test func onceItWasAskedForOwnersStartFromNothing() async throws {
        let fixture = try await AppFixture()
        let controller = Silent()
        controller.userActivity = fixture.laptop.activity(title: "Note")
        let activity = try #require(controller.userActivity)
        activity.userInfo = ["set": "by hand"]
        let window = fixture.mainWindow(with: controller)
        _ = try await fixture.laptop.fetch(activity)
        // Changed without `needsSave`: sent as it is.
        activity.userInfo?["set"] = "again"
        #expect(try await fixture.laptop.fetch(activity).entries() as? [String: String] == ["set": "again"])
        // The app set `needsSave`, but its hooks add nothing.
        activity.needsSave = true
        #expect(try await fixture.laptop.fetch(activity).entries().isEmpty)
        #expect(window.isMainWindow)
    }

    @Test func anActivityThatIsNotManagedIsNeverEmptied() async throws {
        let fixture = try await AppFixture()
        let (activity, _) = try await fixture.laptop.currentActivity(title: "Note")
        activity.userInfo = ["set": "by hand"]
        let editor = Editor { $0.addUserInfoEntries(from: ["editor": "here"]) }
        activity.delegate = editor
        for _ in 0..<2 {
            let entries = try await fixture.laptop.fetch(activity).entries()
            #expect(entries as? [String: String] == ["set": "by hand", "editor": "here"])
            #expect(try await editor.saves.next() == "background")
            activity.needsSave = true
        }
    }

    @Test func arrivedUserInfoIsNeverNilAndNeedsNoSave() throws {
        let content = try ActivityContent(ActivityState(type: ActivityType("com.example.note"), userInfo: []))
        #expect(content.userInfo?.isEmpty == true)
        #expect(!content.needsSave)
    }

    @Test func keysOfAnEarlierVersionMapToCurrentKeys() throws {
        let url = Value.url("file:///tmp/letter.txt")
        let written = Value.dictionary([.string("NSUserActivityDocumentURLKey"): url])
        let content = try ActivityContent(
            ActivityState(type: ActivityType("com.example.letter"), userInfo: try written.encoded()))
        #expect(content.userInfo?[.string(NSUserActivityDocumentURLKey)] == url)
        #expect(content.userInfo?[.string("NSUserActivityDocumentURLKey")] == url)
    }
}
