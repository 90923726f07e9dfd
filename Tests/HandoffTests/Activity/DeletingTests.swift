// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire
import Testing

@testable import Handoff

/// Shows A35.
@Suite struct DeletingTests {
    private func laptop(startingDaemon: Bool = true) throws -> Laptop {
        try Laptop(startingDaemon: startingDaemon, bundle: "com.example.reader")
    }

    /// The mailbox receives the call of the handler.
    private func delete(_ identifiers: [String]?, on laptop: Laptop) -> Mailbox<Bool> {
        let done = Mailbox<Bool>()
        let handler: @Sendable () -> Void = { done.post(Thread.isMainThread) }
        laptop.center.run {
            if let identifiers {
                NSUserActivity.deleteSavedUserActivities(
                    withPersistentIdentifiers: identifiers, completionHandler: handler)
            } else {
                NSUserActivity.deleteAllSavedUserActivities(completionHandler: handler)
            }
        }
        return done
    }

    private func wish(_ laptop: Laptop) async throws -> (saved: SavedActivities, request: UInt64) {
        let frame = try await laptop.daemon.frames.next()
        guard case .advertising(.deleteSaved(let saved)) = frame.message else {
            throw FakeDaemon.Unexpected(frame: frame)
        }
        return (saved, frame.request)
    }

    @Test func handlerIsCalledOnceTheDaemonHasDeletedIt() async throws {
        let laptop = try laptop()
        let done = delete(["letter-1", "letter-2", "letter-1"], on: laptop)
        let asked = try await wish(laptop)
        #expect(asked.saved == .named(["letter-1", "letter-2"]))
        #expect(done.waiting.isEmpty)
        laptop.daemon.send(LocalFrame(.done(accepted: true), answer: asked.request))
        #expect(try await done.next() == false, "not on the main thread")

        let all = delete(nil, on: laptop)
        let second = try await wish(laptop)
        #expect(second.saved == .all)
        laptop.daemon.send(LocalFrame(.done(accepted: true), answer: second.request))
        _ = try await all.next()
        #expect(done.waiting.isEmpty, "and once alone")
        #expect(laptop.log.waiting.isEmpty)
    }

    // Shows A36.
    @Test func asyncFormsReturnWhenTheHandlerWouldBeCalled() async throws {
        let laptop = try laptop()
        let order = Mailbox<String>()
        async let named: Void = ActivityCenter.$simulated.withValue(laptop.center) {
            await NSUserActivity.deleteSavedUserActivities(withPersistentIdentifiers: ["letter-1"])
            order.post("returned")
        }
        let asked = try await wish(laptop)
        #expect(asked.saved == .named(["letter-1"]))
        order.post("answered")
        laptop.daemon.send(LocalFrame(.done(accepted: true), answer: asked.request))
        await named
        #expect(try await order.next() == "answered")
        #expect(try await order.next() == "returned")
        async let all: Void = ActivityCenter.$simulated.withValue(laptop.center) {
            await NSUserActivity.deleteAllSavedUserActivities()
        }
        let second = try await wish(laptop)
        #expect(second.saved == .all)
        laptop.daemon.send(LocalFrame(.done(accepted: true), answer: second.request))
        await all
    }

    @Test func aLaterDaemonReceivesDeletionsBeforeActivities() async throws {
        let laptop = try laptop(startingDaemon: false)
        let first = delete(["letter-1"], on: laptop)
        let second = delete(["letter-2"], on: laptop)
        _ = try await first.next()
        _ = try await second.next()
        let activity = laptop.activity(title: "Chapter 1")
        activity.becomeCurrent()
        try laptop.daemon.start()
        #expect(try await wish(laptop).saved == .named(["letter-1", "letter-2"]))
        #expect(try await laptop.daemon.nextPublication().title?.text == "Chapter 1")
    }

    @Test func deletionWithoutADaemonSurvivesTheApp() async throws {
        let laptop = try laptop(startingDaemon: false)
        _ = try await delete(["letter-1"], on: laptop).next()
        _ = try await delete(["letter-2"], on: laptop).next()
        let file = DeletionFile(of: try BundleID("com.example.reader"), in: laptop.locations)
        #expect(try file.read() == .named(["letter-1", "letter-2"]))
    }

    @Test func storedDeletionIsRemovedOnceItIsCarriedOut() async throws {
        let laptop = try laptop()
        let file = DeletionFile(of: try BundleID("com.example.reader"), in: laptop.locations)
        try file.add(.named(["letter-1"]))
        try file.add(.named(["letter-2"]))
        let done = delete(["letter-3"], on: laptop)
        let asked = try await wish(laptop)
        #expect(asked.saved == .named(["letter-1", "letter-2", "letter-3"]))
        laptop.daemon.send(LocalFrame(.done(accepted: true), answer: asked.request))
        _ = try await done.next()
        #expect(try file.read() == nil)
        // Another process of the app may have added some meanwhile.
        try file.add(.all)
        try file.remove(.named(["letter-1"]))
        #expect(try file.read() == .all)
    }

    @Test func storedDeletionThatTheDaemonRefusesStays() async throws {
        let laptop = try laptop()
        let file = DeletionFile(of: try BundleID("com.example.reader"), in: laptop.locations)
        try file.add(.named(["letter-1"]))
        let done = delete(["letter-2"], on: laptop)
        let asked = try await wish(laptop)
        laptop.daemon.send(LocalFrame(.failure(Failure(.stateNotWritable, "no room")), answer: asked.request))
        _ = try await done.next()
        #expect(try file.read() == .named(["letter-1"]))
    }

    @Test func deletionThatCannotBeStoredIsNamedInTheLog() async throws {
        let laptop = try laptop(startingDaemon: false)
        try FileManager.default.createDirectory(atPath: laptop.locations.state, withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: laptop.locations.state + "/" + DeletionFile.folder))
        _ = try await delete(["letter-1"], on: laptop).next()
        var lines: [String] = []
        while lines.last?.contains("only if a daemon starts") != true { lines.append(try await laptop.log.next()) }
    }

    @Test func daemonThatDoesNotAnswerIsWaitedForAsLongAsItSays() async throws {
        let laptop = try laptop()
        let alarms = Mailbox<(after: Duration, ring: @Sendable () -> Void)>()
        var environment = laptop.center.environment
        environment.wait = { alarms.post(($0, $1)) }
        let center = ActivityCenter(environment)
        let done = Mailbox<Bool>()
        center.run { NSUserActivity.deleteAllSavedUserActivities { done.post(true) } }
        let asked = try await wish(laptop)
        let alarm = try await alarms.next()
        #expect(alarm.after == .seconds(5))
        #expect(done.waiting.isEmpty)
        alarm.ring()
        #expect(try await done.next())
        // The daemon's late answer is ignored.
        laptop.daemon.send(LocalFrame(.done(accepted: true), answer: asked.request))
        _ = try await laptop.daemon.request(.unknown)
        #expect(done.waiting.isEmpty)
        withExtendedLifetime(center) {}
    }

    @Test func aRestartedDaemonReceivesTheDeletionAgain() async throws {
        let laptop = try laptop()
        let done = delete(["letter-1"], on: laptop)
        _ = try await wish(laptop)
        laptop.daemon.kill()
        _ = try await done.next()
        try laptop.daemon.start()
        #expect(try await wish(laptop).saved == .named(["letter-1"]))
    }

    @Test func olderDaemonThatCannotIsNamedInTheLog() async throws {
        let laptop = try laptop()
        let done = delete(nil, on: laptop)
        let asked = try await wish(laptop)
        laptop.daemon.send(
            LocalFrame(.failure(Failure(.unimplemented, "not known here")), answer: asked.request))
        _ = try await done.next()
        #expect(try await laptop.log.next().contains("could not delete saved activities"))
    }

    @Test func programWithoutABundleSendsNoRequest() async throws {
        let laptop = try Laptop()
        _ = try await delete(nil, on: laptop).next()
        #expect(laptop.daemon.frames.waiting.isEmpty)
    }

    @Test func activitiesThatAreThereAreNotTouched() async throws {
        let laptop = try laptop()
        let (activity, publication) = try await laptop.currentActivity(title: "Chapter 1")
        activity.persistentIdentifier = "letter-1"
        let done = delete(["letter-1"], on: laptop)
        let asked = try await wish(laptop)
        laptop.daemon.send(LocalFrame(.done(accepted: true), answer: asked.request))
        _ = try await done.next()
        #expect(activity.isCurrent)
        #expect(activity.persistentIdentifier == "letter-1")
        #expect(publication.activity == activity.record.id)
        #expect(laptop.daemon.frames.waiting.isEmpty)
    }
}
