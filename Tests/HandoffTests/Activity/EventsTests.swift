// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffSystem
import HandoffWire
import Testing

@testable import Handoff

/// The async sequence of an activity's events, in addition to the delegate.
@Suite struct EventsTests {
    /// Shows D01, D03, A29, A31.
    @Test func eventsComeInOrderBesideTheDelegate() async throws {
        let laptop = try Laptop()
        let activity = laptop.activity()
        var events = activity.events.makeAsyncIterator()
        let editor = Editor { $0.title = "saved" }
        activity.delegate = editor
        activity.becomeCurrent()
        activity.becomeCurrent()
        _ = try await laptop.daemon.nextPublication()
        activity.needsSave = true
        #expect(try await laptop.fetch(activity).title == "saved")
        _ = try await editor.saves.next()
        laptop.daemon.send(
            .continuation(.wasContinued(activity.record.id, deviceName: DisplayText(cleaning: "desktop"))))
        _ = try await editor.continued.next()
        laptop.activity().becomeCurrent()
        activity.invalidate()
        for expected in [NSUserActivity.Event.becameCurrent, .willSave, .wasContinued, .resignedCurrent] {
            #expect(await events.next() == expected)
        }
        #expect(await events.next() == nil)
    }

    @Test func everyReaderHasItsOwn() async throws {
        let laptop = try Laptop(startingDaemon: false)
        let activity = laptop.activity()
        var first = activity.events.makeAsyncIterator()
        activity.becomeCurrent()
        var second = activity.events.makeAsyncIterator()
        activity.invalidate()
        #expect(await first.next() == .becameCurrent)
        #expect(await first.next() == .resignedCurrent)
        #expect(await first.next() == nil)
        #expect(await second.next() == .resignedCurrent)
        #expect(await second.next() == nil)
        // A sequence that is made after the end is empty.
        var late = activity.events.makeAsyncIterator()
        #expect(await late.next() == nil)
    }

    @Test func slowReaderMissesTheOldest() async throws {
        let laptop = try Laptop(startingDaemon: false)
        let activity = laptop.activity()
        let events = activity.events
        for _ in 0..<1000 {
            activity.becomeCurrent()
            activity.resignCurrent()
        }
        activity.invalidate()
        let read = await events.reduce(into: [NSUserActivity.Event]()) { $0.append($1) }
        #expect(read.count == EventStreams.kept)
        #expect(read.last == .resignedCurrent)
    }

    @Test func readingDoesNotKeepTheActivity() async throws {
        let laptop = try Laptop(startingDaemon: false)
        var activity: NSUserActivity? = laptop.activity()
        weak let watched = activity
        let events = try #require(activity).events
        activity = nil
        #expect(watched == nil)
        for await _ in events { Issue.record("nothing happened to it") }
    }

    @Test func readerThatIsCancelledIsTakenOut() async throws {
        let laptop = try Laptop(startingDaemon: false)
        let activity = laptop.activity()
        let reading = Task { [events = activity.events] in for await _ in events {} }
        reading.cancel()
        await reading.value
        activity.becomeCurrent()
        let readers = activity.record.state.withLock { $0.events.removeAll() }
        #expect(readers.isEmpty)
    }
}
