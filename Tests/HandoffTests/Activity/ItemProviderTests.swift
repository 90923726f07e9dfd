// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire
import Testing

@testable import Handoff

/// Items dragged within a process, and as bytes between two. Shows A38.
@Suite struct ItemProviderTests {
    let laptop: Laptop

    init() throws { laptop = try Laptop(startingDaemon: false) }

    private struct Loaded: Sendable {
        let data: Data?
        let error: NSError?

        init(_ data: Data?, _ error: (any Error)?) {
            self.data = data
            self.error = error.map { $0 as NSError }
        }
    }

    private func data(_ type: String, of provider: NSItemProvider) async throws -> Loaded {
        let loaded = Mailbox<Loaded>()
        laptop.center.run {
            _ = provider.loadDataRepresentation(forTypeIdentifier: type) { loaded.post(Loaded($0, $1)) }
        }
        return try await loaded.next()
    }

    private struct NothingCame: Error {}

    private func dropped<Activity: NSUserActivity>(
        _ type: Activity.Type = NSUserActivity.self, of provider: NSItemProvider
    ) async throws -> Result<Activity, any Error> {
        let loaded = Mailbox<Result<Activity, any Error>>()
        laptop.center.run {
            _ = provider.loadObject(ofClass: type) { object, error in
                loaded.post((object as? Activity).map { .success($0) } ?? .failure(error ?? NothingCame()))
            }
        }
        return try await loaded.next()
    }

    private func text(of provider: NSItemProvider) async throws -> String? {
        let loaded = Mailbox<String?>()
        provider.loadObject(ofClass: String.self) { text, _ in loaded.post(text) }
        return try await loaded.next()
    }

    private func failure<Activity: NSUserActivity>(
        _ type: Activity.Type = NSUserActivity.self, of provider: NSItemProvider
    ) async throws -> NSError? {
        guard case .failure(let error) = try await dropped(type, of: provider) else { return nil }
        return error as NSError
    }

    private func chapter(_ number: Int) -> NSUserActivity {
        let activity = laptop.activity(title: "Chapter \(number)")
        activity.userInfo = ["page": 40 + number]
        activity.targetContentIdentifier = "book-\(number)"
        activity.needsSave = false
        return activity
    }

    // MARK: An activity

    @Test func droppedActivityIsANewObjectInTheSameProcess() async throws {
        let activity = chapter(1)
        let provider = NSItemProvider(object: activity)
        #expect(provider.canLoadObject(ofClass: NSUserActivity.self))
        #expect(!provider.canLoadObject(ofClass: NSString.self))
        let dropped = try await self.dropped(of: provider).get()
        #expect(dropped !== activity)
        #expect(dropped.activityType == activity.activityType)
        #expect(dropped.title == "Chapter 1")
        #expect(dropped.userInfo?["page"] as? Int == 41)
        #expect(dropped.targetContentIdentifier == "book-1")
        #expect(!dropped.isCurrent)
        // It belongs to the app, which can make it current.
        #expect(dropped.center === laptop.center)
    }

    @Test func activityIsMadeOfBytesInAnotherProcess() async throws {
        let here = NSItemProvider(object: chapter(1))
        let type = try #require(here.registeredTypeIdentifiers(visibleTo: .all).first)
        let bytes = try #require(try await data(type, of: here).data)
        let there = NSItemProvider()
        there.registerDataRepresentation(forTypeIdentifier: type, visibility: .all) { completion in
            completion(bytes, nil)
            return nil
        }
        let dropped = try await self.dropped(of: there).get()
        #expect(dropped.title == "Chapter 1")
        #expect(dropped.userInfo?["page"] as? Int == 41)
    }

    /// As apps drag a row that can become text, an image or a window.
    @Test func activityBesideOtherRepresentations() async throws {
        let provider = NSItemProvider(object: "Chapter 1, in words" as NSString)
        provider.suggestedName = "Chapter 1"
        provider.registerObject(chapter(1), visibility: .ownProcess)
        #expect(provider.registeredTypeIdentifiers == ["public.utf8-plain-text", "handoff.user-activity"])
        #expect(provider.registeredTypeIdentifiers(visibleTo: .all) == ["public.utf8-plain-text"])
        #expect(provider.registeredTypeIdentifiers(visibleTo: .ownProcess).count == 2)
        #expect(try await dropped(of: provider).get().title == "Chapter 1")
        #expect(try await text(of: provider) == "Chapter 1, in words")
    }

    @Test func laterOfTwoActivitiesIsProvided() async throws {
        let provider = NSItemProvider(object: chapter(1))
        provider.registerObject("in words" as NSString, visibility: .all)
        let before = try #require(provider.copy() as? NSItemProvider)
        provider.registerObject(chapter(2), visibility: .all)
        #expect(provider.registeredTypeIdentifiers == ["handoff.user-activity", "public.utf8-plain-text"])
        #expect(try await dropped(of: provider).get().title == "Chapter 2")
        #expect(try await dropped(of: before).get().title == "Chapter 1")
    }

    @Test func activityIsAsItIsWhenItIsAskedFor() async throws {
        let activity = chapter(1)
        let provider = NSItemProvider(object: activity)
        activity.userInfo = ["page": 99]
        #expect(try await dropped(of: provider).get().userInfo?["page"] as? Int == 99)
        let editor = Editor { $0.userInfo = ["page": 100] }
        activity.delegate = editor
        activity.needsSave = true
        #expect(try await dropped(of: provider).get().userInfo?["page"] as? Int == 100)
        #expect(try await editor.saves.next() == "background")
        #expect(!activity.needsSave)
    }

    @Test func activityThatIsNotSavedInTimeIsAnError() async throws {
        let alarms = Mailbox<(after: Duration, ring: @Sendable () -> Void)>()
        var environment = laptop.center.environment
        environment.wait = { alarms.post(($0, $1)) }
        let center = ActivityCenter(environment)
        let never = DispatchSemaphore(value: 0)
        defer { never.signal() }
        let activity = NSUserActivity(activityType: "com.example.reader.reading", center: center)
        let editor = Editor { _ in never.wait() }
        activity.delegate = editor
        activity.needsSave = true
        async let loaded = data("handoff.user-activity", of: NSItemProvider(object: activity))
        let alarm = try await alarms.next()
        #expect(alarm.after == .seconds(8))
        alarm.ring()
        #expect(try await loaded.error?.code == 4610)
    }

    @Test func activityThatIsTooLargeIsAnError() async throws {
        let activity = chapter(1)
        activity.userInfo = ["text": String(repeating: "x", count: Limits.userInfoBytes)]
        activity.needsSave = false
        #expect(try await data("handoff.user-activity", of: NSItemProvider(object: activity)).error?.code == 4611)
        activity.userInfo = nil
        activity.targetContentIdentifier = String(repeating: "x", count: Limits.frameBytes)
        #expect(try await data("handoff.user-activity", of: NSItemProvider(object: activity)).error?.code == 4611)
    }

    enum Damage: CaseIterable {
        case empty, noMessage, noUserInfo, noAttributes, tooLong, cutShort
    }

    /// The bytes may come from another program.
    @Test(arguments: Damage.allCases) func malformedActivityBytesAreAnError(_ damage: Damage) async throws {
        let type = try ActivityType("com.example.reader.reading")
        let bytes: [UInt8] =
            switch damage {
            case .empty: []
            case .noMessage: Array("not at all".utf8)
            case .noUserInfo: try ActivityState(type: type, userInfo: [0xFF]).encoded()
            case .noAttributes: try ActivityState(type: type, contentAttributes: [0xFF]).encoded()
            case .tooLong: Array(repeating: 0, count: NSUserActivity.itemBytes + 1)
            case .cutShort: Array(try ActivityState(type: type, title: "Chapter 1").encoded().dropLast(3))
            }
        let provider = NSItemProvider()
        provider.registerDataRepresentation(forTypeIdentifier: "handoff.user-activity", visibility: .all) {
            $0(Data(bytes), nil)
            return nil
        }
        let error = try #require(try await failure(of: provider))
        #expect(error.domain == NSCocoaErrorDomain)
        #expect(error.code == CocoaError.coderReadCorrupt.rawValue)
        #expect(error.localizedDescription.hasPrefix("The item cannot be read: "))
    }

    final class Chapter: NSUserActivity, @unchecked Sendable {}

    @Test func subclassIsWrittenAndNotRead() async throws {
        let provider = NSItemProvider(object: chapter(1))
        let error = try #require(try await failure(Chapter.self, of: provider))
        #expect(error.domain == NSItemProvider.errorDomain)
        #expect(error.code == -1100)
    }

    // MARK: Text, URLs, bytes

    @Test func textAndURLsOfFoundation() async throws {
        let text = NSItemProvider(object: "Grüße" as NSString)
        #expect(try await data("public.utf8-plain-text", of: text).data == Data("Grüße".utf8))
        #expect(text.hasItemConformingToTypeIdentifier("public.text"))
        #expect(!text.hasItemConformingToTypeIdentifier("public.url"))
        #expect(text.canLoadObject(ofClass: String.self))
        #expect(!text.canLoadObject(ofClass: URL.self))
        #expect(try await self.text(of: text) == "Grüße")

        let page = try #require(URL(string: "https://example.com/a?b=c#d"))
        let url = NSItemProvider(object: page as NSURL)
        #expect(url.registeredTypeIdentifiers == ["public.url"])
        let urls = Mailbox<URL?>()
        url.loadObject(ofClass: URL.self) { url, _ in urls.post(url) }
        #expect(try await urls.next() == page)
        let file = NSItemProvider(object: URL(filePath: "/tmp/a b") as NSURL)
        #expect(file.registeredTypeIdentifiers == ["public.file-url", "public.url"])
        #expect(file.hasItemConformingToTypeIdentifier("public.url"))
        file.loadObject(ofClass: URL.self) { url, _ in urls.post(url) }
        #expect(try await urls.next()?.path == "/tmp/a b")
    }

    @Test func malformedTextAndURLBytesAreAnError() async throws {
        let provider = NSItemProvider()
        for type in ["public.plain-text", "public.url"] {
            provider.registerDataRepresentation(forTypeIdentifier: type, visibility: .all) {
                $0(Data([0xFF, 0xFE]), nil)
                return nil
            }
        }
        let errors = Mailbox<NSError?>()
        provider.loadObject(ofClass: String.self) { _, error in errors.post(error.map { $0 as NSError }) }
        #expect(try await errors.next()?.code == CocoaError.coderReadCorrupt.rawValue)
        provider.loadObject(ofClass: URL.self) { _, error in errors.post(error.map { $0 as NSError }) }
        #expect(try await errors.next()?.code == CocoaError.coderReadCorrupt.rawValue)
    }

    @Test func missingRepresentationHasItsOwnError() async throws {
        let nothing = NSItemProvider()
        #expect(nothing.registeredTypeIdentifiers.isEmpty)
        #expect(nothing.suggestedName == nil)
        let loaded = try await data("public.text", of: nothing)
        #expect(loaded.error?.domain == "NSItemProviderErrorDomain")
        #expect(loaded.error?.code == -1000)
        #expect(try await failure(of: nothing)?.code == -1200)
        // A handler that provides neither bytes nor an error.
        nothing.registerDataRepresentation(forTypeIdentifier: "public.data", visibility: .all) {
            $0(nil, nil)
            return nil
        }
        #expect(try await data("public.data", of: nothing).error?.code == -1)
    }

    @Test func loadThatIsCancelledEndsOnce() async throws {
        let provider = NSItemProvider()
        let handlers = Mailbox<@Sendable (Data?, (any Error)?) -> Void>()
        provider.registerDataRepresentation(forTypeIdentifier: "public.data", visibility: .all) {
            handlers.post($0)
            return nil
        }
        let loaded = Mailbox<Loaded>()
        let progress = provider.loadDataRepresentation(forTypeIdentifier: "public.data") {
            loaded.post(Loaded($0, $1))
        }
        let handler = try await handlers.next()
        #expect(!progress.isFinished)
        progress.cancel()
        #expect(try await loaded.next().error?.code == CocoaError.userCancelled.rawValue)
        handler(Data([1]), nil)
        // This is received after it.
        let next = provider.loadDataRepresentation(forTypeIdentifier: "public.data") { loaded.post(Loaded($0, $1)) }
        try await handlers.next()(Data([2]), nil)
        #expect(try await loaded.next().data == Data([2]))
        #expect(next.isFinished)
        #expect(loaded.waiting.isEmpty)
    }

    @Test func objectsOfAClassAreMadeWhenTheyAreAskedFor() async throws {
        let provider = NSItemProvider()
        let made = Mailbox<String>()
        provider.registerObject(ofClass: NSString.self, visibility: .team) { completion in
            made.post("made")
            completion("late" as NSString, nil)
            return nil
        }
        #expect(provider.registeredTypeIdentifiers(visibleTo: .all).isEmpty)
        #expect(made.waiting.isEmpty)
        #expect(try await text(of: provider) == "late")
        #expect(try await made.next() == "made")
    }
}
