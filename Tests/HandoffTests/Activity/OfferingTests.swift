// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffClient
import HandoffSystem
import HandoffWire
import Testing

@testable import Handoff

@Suite struct OfferingTests {
    // Shows A21.
    @Test func currentActivityIsOffered() async throws {
        let laptop = try Laptop()
        let activity = laptop.activity(title: "Chapter 3")
        activity.webpageURL = URL(string: "https://example.com")
        activity.supportsContinuationStreams = true
        activity.userInfo = ["secret": "stays here"]
        activity.becomeCurrent()
        let hello = try await laptop.daemon.hellos.next()
        #expect(hello.role == .app)
        #expect(hello.name.text == "Reader")
        #expect(!hello.receives)
        let publication = try await laptop.daemon.nextPublication()
        #expect(publication.type.name == "com.example.reader.reading")
        #expect(publication.title?.text == "Chapter 3")
        #expect(publication.hasWebPage)
        #expect(publication.supportsStreams)
        #expect(publication.expires == nil)
    }

    /// Shows N03, N04: the site of a browsed page is offered. It is not offered for other activities or for addresses
    /// that no app receives.
    @Test(arguments: [
        (NSUserActivityTypeBrowsingWeb, "https://News.example.com/a?b#c", "news.example.com"),
        (NSUserActivityTypeBrowsingWeb, "https://news.example.com:8443/", nil),
        (NSUserActivityTypeBrowsingWeb, "https://user@news.example.com/", nil),
        (NSUserActivityTypeBrowsingWeb, nil, nil), ("com.example.reader.reading", "https://news.example.com/", nil),
    ])
    func hostOfAPageThatIsBrowsedIsOffered(type: String, page: String?, host: String?) async throws {
        let laptop = try Laptop()
        let activity = laptop.activity(type)
        activity.webpageURL = page.flatMap { URL(string: $0) }
        activity.becomeCurrent()
        let publication = try await laptop.daemon.nextPublication()
        #expect(publication.webHost?.name == host)
        #expect(publication.hasWebPage == (page != nil))
    }

    // Shows A29.
    @Test func onlyOneActivityIsCurrent() async throws {
        let laptop = try Laptop()
        let (first, _) = try await laptop.currentActivity(title: "one")
        let second = laptop.activity(title: "two")
        second.becomeCurrent()
        #expect(try await laptop.daemon.nextPublication().title?.text == "two")
        await #expect(throws: Failure(.activityGone, "")) { try await laptop.fetch(first) }
        #expect(try await laptop.fetch(second).title == "two")
        // The previous activity needs no message, because it was replaced.
        #expect(laptop.daemon.frames.waiting.isEmpty)
    }

    // Shows A31.
    @Test func resignedActivityCanBecomeCurrentAgain() async throws {
        let laptop = try Laptop()
        let (activity, publication) = try await laptop.currentActivity()
        activity.resignCurrent()
        #expect(try await laptop.daemon.nextWithdrawal() == publication.activity)
        await #expect(throws: Failure(.activityGone, "")) { try await laptop.fetch(activity) }
        activity.becomeCurrent()
        #expect(try await laptop.daemon.nextPublication().activity == publication.activity)
    }

    @Test func resigningAnotherActivityChangesNothing() async throws {
        let laptop = try Laptop()
        let (activity, _) = try await laptop.currentActivity()
        laptop.activity().resignCurrent()
        laptop.activity().invalidate()
        #expect(try await laptop.fetch(activity).type.name == activity.activityType)
        #expect(laptop.daemon.frames.waiting.isEmpty)
    }

    // Shows A30, A32.
    @Test func invalidatedActivityIsGoneForGood() async throws {
        let laptop = try Laptop()
        let (activity, publication) = try await laptop.currentActivity()
        activity.invalidate()
        #expect(try await laptop.daemon.nextWithdrawal() == publication.activity)
        activity.becomeCurrent()
        let (_, next) = try await laptop.currentActivity(title: "next")
        #expect(next.title?.text == "next")
    }

    // Shows A32.
    @Test func droppedActivityIsInvalidated() async throws {
        let laptop = try Laptop()
        var activity: NSUserActivity? = laptop.activity()
        activity?.becomeCurrent()
        let publication = try await laptop.daemon.nextPublication()
        activity = nil
        #expect(try await laptop.daemon.nextWithdrawal() == publication.activity)
    }

    // Shows A25, G03.
    @Test func eligibilityIsFollowed() async throws {
        let laptop = try Laptop()
        let (activity, publication) = try await laptop.currentActivity()
        activity.isEligibleForHandoff = false
        #expect(try await laptop.daemon.nextWithdrawal() == publication.activity)
        #expect(try await laptop.daemon.nextWithholding()?.type.name == activity.activityType)
        await #expect(throws: Failure(.activityGone, "")) { try await laptop.fetch(activity) }
        activity.isEligibleForHandoff = true
        #expect(try await laptop.daemon.nextPublication().activity == publication.activity)
    }

    /// Shows X11: a private window ends the offer and reveals nothing about its content.
    @Test func privateActivityEndsTheOfferAndIsNotOffered() async throws {
        let laptop = try Laptop()
        let (page, publication) = try await laptop.currentActivity(title: "page")
        let secret = laptop.activity(title: "secret")
        secret.isEligibleForHandoff = false
        secret.becomeCurrent()
        #expect(try await laptop.daemon.nextWithdrawal() == publication.activity)
        // For the user's own question why nothing is offered.
        #expect(try await laptop.daemon.nextWithholding()?.type.name == secret.activityType)
        for activity in [page, secret] {
            await #expect(throws: Failure(.activityGone, "")) { try await laptop.fetch(activity) }
        }
        secret.title = "secrets"
        secret.needsSave = true
        try await laptop.caughtUp()
        #expect(laptop.daemon.frames.waiting.isEmpty)
        page.becomeCurrent()
        #expect(try await laptop.daemon.nextPublication().activity == publication.activity)
    }

    // Shows A25, G03.
    @Test func ineligibleActivityIsNotOffered() async throws {
        let laptop = try Laptop()
        let secret = laptop.activity(title: "secret")
        secret.isEligibleForHandoff = false
        secret.becomeCurrent()
        #expect(try await laptop.daemon.nextWithholding()?.type.name == secret.activityType)
        secret.resignCurrent()
        #expect(try await laptop.daemon.nextWithholding() == nil)
        secret.becomeCurrent()
        #expect(try await laptop.daemon.nextWithholding() != nil)
        let (_, publication) = try await laptop.currentActivity(title: "next")
        #expect(publication.title?.text == "next")
    }

    // Shows A09, A25.
    @Test func activityThatIsEligibleForSearchAloneCanBeSaved() async throws {
        let laptop = try Laptop()
        let note = laptop.activity(title: "note")
        note.isEligibleForHandoff = false
        note.becomeCurrent()
        #expect(try await laptop.daemon.nextWithholding()?.activity == nil)
        note.isEligibleForSearch = true
        #expect(try await laptop.daemon.nextWithholding()?.activity == note.record.id)
        let state = try await laptop.fetch(note)
        #expect(state.title == "note" && state.isEligibleForSearch)
        note.title = "notes"
        let changed = try await laptop.daemon.frames.next()
        #expect(changed.message == .advertising(.changed(note.record.id)))
        // Another use.
        note.becomeCurrent()
        #expect(try await laptop.daemon.nextWithholding()?.activity == note.record.id)
        note.isEligibleForSearch = false
        #expect(try await laptop.daemon.nextWithholding()?.activity == nil)
        await #expect(throws: Failure(.activityGone, "")) { try await laptop.fetch(note) }
    }

    /// The history counts each use.
    @Test(arguments: [true, false]) func millionUsesCauseFewMessages(isEligibleForHandoff: Bool) async throws {
        // At one instant: a pause of this machine would allow further messages.
        let laptop = try Laptop(wait: { _, _ in }, instant: .now)
        let note = laptop.activity(title: "note")
        note.isEligibleForHandoff = isEligibleForHandoff
        note.isEligibleForSearch = true
        note.becomeCurrent()
        _ = try await laptop.daemon.frames.next()
        for _ in 0..<1_000_000 { note.becomeCurrent() }
        try await laptop.caughtUp()
        #expect(laptop.daemon.frames.waiting.count == Limits.offerBurst - 1)
    }

    // Shows A17.
    @Test func expiredActivityIsNotOffered() async throws {
        let laptop = try Laptop()
        let old = laptop.activity(title: "old")
        old.expirationDate = Date(timeIntervalSinceNow: -1)
        old.becomeCurrent()
        let (_, publication) = try await laptop.currentActivity(title: "next")
        #expect(publication.title?.text == "next")
    }

    @Test func expiryIsToldAndMayBeMoved() async throws {
        let laptop = try Laptop()
        let activity = laptop.activity()
        activity.expirationDate = Date(timeIntervalSince1970: 4_000_000_000)
        activity.becomeCurrent()
        #expect(try await laptop.daemon.nextPublication().expires == WallTime(milliseconds: 4_000_000_000_000))
        activity.expirationDate = .distantFuture
        _ = try await laptop.daemon.nextPublication()
        activity.expirationDate = Date(timeIntervalSinceNow: -1)
        _ = try await laptop.daemon.nextWithdrawal()
    }

    @Test func changesOfTheCurrentActivityAreReportedTogether() async throws {
        let laptop = try Laptop()
        let gate = Gate()
        laptop.center.receive(with: gate)
        let (activity, _) = try await laptop.currentActivity(title: "0")
        // A hook blocks the connection's thread while the app continues.
        let answer = laptop.daemon.ask(
            .continuation(
                .willContinue(
                    .init(uncheckedBytes: Array(repeating: 1, count: 16)), type: activity.record.type,
                    originName: DisplayText(cleaning: "desktop"))))
        try await gate.entered.next()
        for number in 1...100 { activity.title = "\(number)" }
        gate.open()
        _ = try await answer.next()
        #expect(try await laptop.daemon.nextPublication().title?.text == "100")
        activity.title = "100"
        activity.userInfo = ["page": 1]
        #expect(try await laptop.fetch(activity).title == "100")
        #expect(laptop.daemon.frames.waiting.isEmpty)
    }

    @Test func appOffersItsActivityOnceTheDaemonStarts() async throws {
        let laptop = try Laptop(startingDaemon: false)
        let activity = laptop.activity(title: "early")
        activity.becomeCurrent()
        let line = try await laptop.log.next()
        #expect(line.contains("Handoff is not running"))
        activity.title = "later"
        try laptop.daemon.start()
        #expect(try await laptop.daemon.nextPublication().title?.text == "later")
        #expect(laptop.log.waiting.isEmpty)
    }

    @Test func restartedDaemonReceivesTheCurrentState() async throws {
        let laptop = try Laptop()
        let (activity, publication) = try await laptop.currentActivity(title: "before")
        for round in 1...5 {
            laptop.daemon.kill()
            activity.title = "round \(round)"
            try laptop.daemon.start()
            let again = try await laptop.daemon.nextPublication()
            #expect(again.activity == publication.activity)
            // The change may arrive with the first message or right after it.
            if again.title?.text != "round \(round)" {
                #expect(try await laptop.daemon.nextPublication().title?.text == "round \(round)")
            }
            #expect(try await laptop.fetch(activity).title == "round \(round)")
        }
    }

    @Test func activityResignedDuringAnOutageIsNotOfferedAfterIt() async throws {
        let laptop = try Laptop()
        let (activity, _) = try await laptop.currentActivity()
        laptop.daemon.stop()
        activity.resignCurrent()
        try laptop.daemon.start()
        _ = try await laptop.daemon.hellos.next()
        _ = try await laptop.daemon.hellos.next()
        let next = laptop.activity(title: "next")
        next.becomeCurrent()
        var frame = try await laptop.daemon.frames.next()
        // The end may be sent before or after the outage is noticed.
        if case .advertising(.withdraw) = frame.message { frame = try await laptop.daemon.frames.next() }
        #expect(frame.message.title == "next")
        // The activity is offered while it is retained.
        withExtendedLifetime(next) {}
    }

    /// Shows B09: a daemon that keeps running may have kept the saved activity.
    @Test func activityThatEndedBetweenTwoConnectionsIsWithdrawnOnTheSecond() async throws {
        let laptop = try Laptop()
        let (activity, _) = try await laptop.currentActivity()
        // A program that begins to receive sends another hello.
        laptop.center.state.withLock { $0.connection }?.reconnect()
        activity.resignCurrent()
        #expect(try await laptop.daemon.nextWithdrawal() == activity.record.id)
    }

    @Test func refusalIsLoggedOnce() async throws {
        var manners = FakeDaemon.Manners()
        manners.answersPublish = .failure(Failure(.limitReached, "too many activities"))
        let laptop = try Laptop(manners: manners)
        let (activity, _) = try await laptop.currentActivity()
        #expect(try await laptop.log.next() == "the activity is not offered: too many activities")
        activity.becomeCurrent()
        _ = try await laptop.daemon.nextPublication()
        _ = try? await laptop.fetch(activity)
        #expect(laptop.log.waiting.isEmpty)
    }

    @Test func activitiesMayBeUsedFromAnyThread() async throws {
        let laptop = try Laptop()
        let activities = (0..<8).map { laptop.activity(title: "\($0)") }
        await withTaskGroup(of: Void.self) { group in
            for (index, activity) in activities.enumerated() {
                group.addTask {
                    for round in 0..<50 {
                        activity.becomeCurrent()
                        activity.title = "\(index) \(round)"
                        activity.addUserInfoEntries(from: ["round": round])
                        activity.needsSave.toggle()
                        if round.isMultiple(of: 7) { activity.resignCurrent() }
                    }
                }
            }
        }
        let last = laptop.activity(title: "last")
        last.becomeCurrent()
        var publication = try await laptop.daemon.frames.next()
        while publication.message.title != "last" { publication = try await laptop.daemon.frames.next() }
        #expect(try await laptop.fetch(last).title == "last")
    }
}

extension LocalMessage {
    fileprivate var title: String? {
        if case .advertising(.publish(let publication)) = self { publication.title?.text } else { nil }
    }
}

/// Blocks the connection's thread until it is opened.
private final class Gate: ContinuationHandler {
    let entered = Mailbox<Void>()
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }

    func willContinue(_ notice: ContinuationNotice, answer: @escaping @Sendable (WillContinueAnswer) -> Void) {
        entered.post(())
        semaphore.wait()
        answer(.hook(true))
    }

    func continueActivity(
        _ activity: NSUserActivity, of notice: ContinuationNotice, answer: @escaping @Sendable (Bool) -> Void
    ) { answer(true) }
    func didFail(_ notice: ContinuationNotice, error: CocoaError) {}
    func didUpdate(_ activity: NSUserActivity, done: @escaping @Sendable () -> Void) { done() }
}
