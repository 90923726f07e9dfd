// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffDesktop

// Shows L01, B15.
@Suite struct NotifyingStateMachineTests {
    private let start = Instant(sinceZero: .seconds(100))
    private let dwell = NotifyingLimits().dwell
    private let interval = NotifyingLimits().interval

    /// A machine that shows the laptop's first article as 7.
    private func showing(_ articles: [ListedActivity]) throws -> Notifier {
        let machine = Notifier()
        let actions = machine.offersChanged(articles, at: start)
        _ = machine.shown(try #require(actions.tickets.first), as: 7, at: start)
        return machine
    }

    @Test func theFirstOfferOfADeviceIsShownAtOnce() {
        let machine = Notifier()
        let actions = machine.offersChanged([Offers.article(2), Offers.article(1)], at: start)
        #expect(actions.titles == ["Article 2"])
        #expect(actions.first?.replaces == nil)
        #expect(actions.first?.notice?.isUpdate == false)
    }

    @Test func serverHasOnePendingRequest() {
        let machine = Notifier()
        #expect(machine.offersChanged([Offers.article(1)], at: start).count == 1)
        #expect(machine.offersChanged([Offers.article(2)], at: start).isEmpty)
        #expect(machine.deadlineReached(at: start.advanced(by: .seconds(60))).isEmpty)
    }

    @Test func aNewerOfferReplacesTheNotificationAfterItsDwell() throws {
        let machine = try showing([Offers.article(1)])
        let both = [Offers.article(2), Offers.article(1)]
        #expect(machine.offersChanged(both, at: start).isEmpty)
        let due = try #require(machine.nextDeadline)
        #expect(due == start.advanced(by: dwell))
        let actions = machine.deadlineReached(at: due)
        #expect(actions.titles == ["Article 2"])
        #expect(actions.first?.replaces == 7)
        #expect(actions.first?.notice?.isUpdate == true)
    }

    @Test func brieflyOfferedActivityIsNeverShown() throws {
        let machine = try showing([Offers.article(1)])
        #expect(machine.offersChanged([Offers.article(2)], at: start).closed == [7])
        #expect(machine.offersChanged([Offers.article(3)], at: start.advanced(by: dwell / 2)).isEmpty)
        #expect(machine.deadlineReached(at: start.advanced(by: dwell)).titles == ["Article 3"])
    }

    @Test func aNewTitleReplacesTheOldTitle() throws {
        let machine = try showing([Offers.article(1, title: "Loading")])
        let later = start.advanced(by: dwell)
        let actions = machine.offersChanged([Offers.article(1, title: "Weather")], at: later)
        #expect(actions.titles == ["Weather"])
        #expect(actions.first?.replaces == 7)
        _ = machine.shown(try #require(actions.tickets.first), as: 7, at: later)
        #expect(machine.offersChanged([Offers.article(1, title: "Weather")], at: later.advanced(by: dwell)).isEmpty)
    }

    @Test func itGoesAwayWhenTheActivityDoes() throws {
        let machine = try showing([Offers.article(1)])
        #expect(machine.offersChanged([], at: start) == [.close(7)])
        #expect(machine.offersChanged([], at: start).isEmpty)
    }

    @Test func anOfferThatIsGoneBeforeTheServerAnsweredIsClosed() {
        let machine = Notifier()
        let ticket = machine.offersChanged([Offers.article(1)], at: start).tickets[0]
        #expect(machine.offersChanged([], at: start).isEmpty)
        #expect(machine.shown(ticket, as: 7, at: start).closed == [7])
    }

    @Test func seenOfferIsNotShownAgain() throws {
        let machine = try showing([Offers.article(2), Offers.article(1)])
        let later = start.advanced(by: dwell * 2)
        // The user closed it; the older one was listed with it.
        #expect(machine.closed(7, at: later).isEmpty)
        // The daemon was restarted.
        #expect(machine.offersChanged([], at: later).isEmpty)
        #expect(machine.offersChanged([Offers.article(2), Offers.article(1)], at: later).isEmpty)
        // This program was restarted.
        let again = Notifier(seen: SeenOffers(encoded: machine.seen.encoded()))
        #expect(again.offersChanged([Offers.article(2), Offers.article(1)], at: start).isEmpty)
        #expect(again.offersChanged([Offers.article(3)], at: start).titles == ["Article 3"])
    }

    @Test func anotherServerDoesNotShowSeenOffers() throws {
        let machine = try showing([Offers.article(1)])
        let later = start.advanced(by: dwell * 2)
        #expect(machine.serverChanged(at: later).isEmpty)
        #expect(machine.closed(7, at: later).isEmpty)
        #expect(machine.offersChanged([Offers.article(1)], at: later).isEmpty)
    }

    @Test func nextServerShowsPendingNotification() {
        let machine = Notifier()
        let first = machine.offersChanged([Offers.article(1)], at: start).tickets[0]
        let actions = machine.serverChanged(at: start)
        #expect(actions.titles == ["Article 1"])
        // The previous server answers late.
        #expect(machine.shown(first, as: 3, at: start) == [.close(3)])
        #expect(!machine.shown(actions.tickets[0], as: 4, at: start).contains(.close(4)))
    }

    @Test func aServerThatTakesNoneIsLeftAloneForAWhile() throws {
        let machine = Notifier()
        let ticket = machine.offersChanged([Offers.article(1)], at: start).tickets[0]
        #expect(machine.notShown(ticket, at: start).isEmpty)
        #expect(machine.offersChanged([Offers.article(2)], at: start).isEmpty)
        let due = try #require(machine.nextDeadline)
        #expect(due == start.advanced(by: NotifyingLimits().retry))
        #expect(machine.deadlineReached(at: due).titles == ["Article 2"])
    }

    @Test func offerForFrontmostAppIsNotNotified() throws {
        let own = Offers.article(8, from: Offers.desktop)
        let machine = Notifier()
        #expect(machine.offersChanged([own, Offers.article(1)], at: start).titles.isEmpty)
        // It is not shown later either.
        #expect(machine.offersChanged([Offers.article(1)], at: start.advanced(by: dwell)).isEmpty)
        let note = Offers.article(2, app: Offers.notes)
        #expect(machine.offersChanged([own, note], at: start.advanced(by: dwell * 2)).titles == ["Article 2"])
    }

    @Test func itGoesAwayWhenTheSameAppComesToTheFront() throws {
        let machine = try showing([Offers.article(1)])
        let own = Offers.article(8, from: Offers.desktop)
        #expect(machine.offersChanged([own, Offers.article(1)], at: start).closed == [7])
    }

    @Test func anotherPageOfTheSiteInFrontIsNotNotifiedOf() throws {
        let site = try WebHost("news.example")
        let own = Offers.article(8, from: Offers.desktop, app: nil, host: site)
        let machine = Notifier()
        #expect(machine.offersChanged([own, Offers.article(1, app: nil, host: site)], at: start).titles.isEmpty)
        let elsewhere = Offers.article(2, app: nil, host: try WebHost("shop.example"))
        #expect(machine.offersChanged([own, elsewhere], at: start).titles == ["Article 2"])
    }

    @Test func offerThatCannotContinueHereIsNotNotified() {
        let machine = Notifier()
        let offers = [
            Offers.article(3, target: .script), Offers.article(2, target: .nothing("no app")),
            Offers.article(1, from: Offers.desktop),
        ]
        #expect(machine.offersChanged(offers, at: start).isEmpty)
    }

    // Shows L13.
    @Test func notificationsAreWithheldWhileUserIsAway() throws {
        let machine = try showing([Offers.article(1)])
        #expect(machine.presenceChanged(isAway: true, at: start).closed == [7])
        let later = start.advanced(by: interval)
        #expect(machine.offersChanged([Offers.article(2), Offers.article(1)], at: later).isEmpty)
        #expect(machine.presenceChanged(isAway: false, at: later).titles == ["Article 2"])
    }

    @Test func pendingNotificationIsShownAfterUserReturns() {
        let machine = Notifier()
        let ticket = machine.offersChanged([Offers.article(1)], at: start).tickets[0]
        #expect(machine.presenceChanged(isAway: true, at: start).isEmpty)
        #expect(machine.shown(ticket, as: 7, at: start) == [.close(7)])
        let later = start.advanced(by: dwell * 2)
        #expect(machine.presenceChanged(isAway: false, at: later).titles == ["Article 1"])
    }

    @Test func doNotDisturbPostponesNotifications() throws {
        let machine = try showing([Offers.article(1)])
        #expect(machine.inhibitionChanged(true, at: start).isEmpty)
        let later = start.advanced(by: interval)
        #expect(machine.offersChanged([Offers.article(2), Offers.article(1)], at: later).isEmpty)
        #expect(machine.offersChanged([Offers.article(2)], at: later).closed == [7])
        #expect(machine.inhibitionChanged(false, at: later).titles == ["Article 2"])
    }

    @Test func settingsCountAtOnce() throws {
        let machine = try showing([Offers.article(1)])
        var settings = NotificationSettings()
        settings.set(.off, device: "laptop")
        #expect(machine.settingsChanged(settings, at: start).closed == [7])
        let later = start.advanced(by: dwell * 2)
        let phone = Offers.article(3, from: Offers.phone)
        #expect(machine.offersChanged([phone, Offers.article(2)], at: later).titles == ["Article 3"])
        // Skipped offers are not shown later.
        #expect(machine.settingsChanged(NotificationSettings(), at: later).isEmpty)
    }

    @Test func quietLevelMakesNoticesQuiet() {
        let machine = Notifier(settings: NotificationSettings(level: .quiet))
        #expect(machine.offersChanged([Offers.article(1)], at: start).first?.notice?.isQuiet == true)
    }

    @Test func pressingContinuesAndTheNotificationGoes() throws {
        let machine = try showing([Offers.article(1)])
        #expect(machine.pressed(3, at: start).isEmpty, "it is another program's")
        #expect(machine.pressed(7, at: start).goingOn == ["Article 1"])
        #expect(machine.pressed(7, at: start).isEmpty, "once")
        let key = OfferKey(Offers.article(1))
        #expect(machine.continued(key, at: start) == [.close(7)])
        #expect(machine.offersChanged([Offers.article(1)], at: start.advanced(by: dwell * 2)).isEmpty)
    }

    @Test func pressDuringReplacementContinuesPressedOffer() throws {
        let machine = try showing([Offers.article(1)])
        let later = start.advanced(by: dwell)
        let ticket = machine.offersChanged([Offers.article(2), Offers.article(1)], at: later).tickets[0]
        #expect(machine.pressed(7, at: later).goingOn == ["Article 1"])
        #expect(machine.shown(ticket, as: 7, at: later) == [.close(7)])
    }

    @Test func aFailureIsToldInItsPlaceAndCanBeTriedAgain() throws {
        let machine = try showing([Offers.article(1)])
        _ = machine.pressed(7, at: start)
        let failure = Failure(.connectionUnavailable, "the laptop does not answer")
        let actions = machine.notContinued(OfferKey(Offers.article(1)), failure, at: start)
        #expect(actions.first?.replaces == 7)
        #expect(actions.first?.notice?.subject == .failure(failure, mayBeRetried: true))
        _ = machine.shown(try #require(actions.tickets.first), as: 7, at: start)
        #expect(machine.pressed(7, at: start).goingOn == ["Article 1"])
        // The server closed it when it was pressed, so the next failure is a new notification.
        #expect(machine.closed(7, at: start).isEmpty)
        let gone = machine.offersChanged([], at: start)
        #expect(gone.isEmpty)
        let last = machine.notContinued(OfferKey(Offers.article(1)), failure, at: start)
        #expect(last.first?.notice?.subject == .failure(failure, mayBeRetried: false))
        #expect(last.first?.replaces == nil)
        _ = machine.shown(try #require(last.tickets.first), as: 8, at: start)
        #expect(machine.offersChanged([], at: start).isEmpty, "it stays until it was read")
        #expect(machine.pressed(8, at: start).isEmpty)
    }

    @Test func failureReplacesNotificationOfItsOffer() throws {
        let machine = try showing([Offers.article(1)])
        let failure = Failure(.connectionUnavailable, "the laptop does not answer")
        let actions = machine.failed(Offers.article(1), failure, at: start)
        #expect(actions.first?.replaces == 7)
        #expect(actions.first?.notice?.subject == .failure(failure, mayBeRetried: true))
        #expect(machine.failed(Offers.article(1), Failure(.cancelled, ""), at: start).isEmpty)
        // While the user is away, another person could read it.
        _ = machine.presenceChanged(isAway: true, at: start)
        #expect(machine.failed(Offers.article(1), failure, at: start).isEmpty)
    }

    @Test func failureIsShownWithoutEarlierNotification() throws {
        let machine = Notifier()
        let failure = Failure(.activityGone, "it is gone")
        let actions = machine.failed(Offers.article(1), failure, at: start)
        #expect(actions.first?.replaces == nil)
        #expect(actions.first?.notice?.subject == .failure(failure, mayBeRetried: false))
    }

    @Test func supersededContinuationIsNotAFailure() throws {
        let machine = try showing([Offers.article(1)])
        _ = machine.pressed(7, at: start)
        let key = OfferKey(Offers.article(1))
        #expect(machine.notContinued(key, Failure(.cancelled, ""), at: start) == [.close(7)])
    }

    @Test func theNumberOfShownNotificationsIsLimited() {
        let limits = NotifyingLimits()
        let machine = Notifier()
        let offers = (1...UInt8(limits.shownAtOnce + 3)).map { number in
            Offers.article(number, from: DeviceID(uncheckedBytes: Array(repeating: number + 20, count: 32)))
        }
        let actions = machine.offersChanged(offers, at: start)
        #expect(actions.count == limits.shownAtOnce)
        for (index, ticket) in actions.tickets.enumerated() {
            #expect(machine.shown(ticket, as: UInt32(index + 1), at: start).tickets.isEmpty)
        }
        #expect(machine.closed(1, at: start).tickets.count == 1)
    }

    @Test func oldestSeenOfferIsForgottenFirst() {
        let machine = Notifier()
        var now = start
        var first: SeenOffers?
        for number in 0...SeenOffers.maximum {
            let bytes = [UInt8(number / 256), UInt8(number % 256)] + Array(repeating: 0, count: 14)
            var article = Offers.article(1, since: Int64(number))
            article.offer.activity = ActivityID(uncheckedBytes: bytes)
            for ticket in machine.offersChanged([article], at: now).tickets {
                _ = machine.shown(ticket, as: 1, at: now)
            }
            first = first ?? machine.seen
            now = now.advanced(by: interval)
        }
        let lines = String(decoding: machine.seen.encoded(), as: UTF8.self).split(separator: "\n")
        #expect(lines.count == SeenOffers.maximum)
        #expect(!lines.contains { Array(($0 + "\n").utf8) == first?.encoded() })
    }
}

/// How seldom a device is announced. Shows L01.
@Suite struct NotificationIntervalTests {
    private let start = Instant(sinceZero: .seconds(100))
    private let limits = NotifyingLimits()

    private func showing(_ articles: [ListedActivity]) throws -> Notifier {
        let machine = Notifier()
        let actions = machine.offersChanged(articles, at: start)
        _ = machine.shown(try #require(actions.tickets.first), as: 7, at: start)
        return machine
    }

    @Test func aDeviceIsNotifiedOfOnceAnHour() throws {
        let machine = try showing([Offers.article(1)])
        _ = machine.closed(7, at: start)
        let due = start.advanced(by: limits.interval)
        #expect(machine.offersChanged([Offers.article(2)], at: due.advanced(by: .nanoseconds(-1))).titles.isEmpty)
        #expect(machine.nextDeadline == nil, "it would be outdated later")
        #expect(machine.offersChanged([Offers.article(2)], at: due).titles.isEmpty)
        let next = machine.offersChanged([Offers.article(3)], at: due)
        #expect(next.titles == ["Article 3"])
        #expect(next.first?.notice?.isUpdate == false)
        let phone = Offers.article(4, from: Offers.phone)
        #expect(machine.offersChanged([phone], at: due).titles == ["Article 4"])
    }

    @Test func aReplacementStartsTheHourAgain() throws {
        let machine = try showing([Offers.article(1)])
        let later = start.advanced(by: .seconds(600))
        let next = machine.offersChanged([Offers.article(2)], at: later)
        #expect(next.first?.replaces == 7)
        #expect(next.first?.notice?.isUpdate == true, "silently")
        _ = machine.shown(try #require(next.tickets.first), as: 7, at: later)
        _ = machine.closed(7, at: later)
        #expect(machine.offersChanged([Offers.article(3)], at: start.advanced(by: limits.interval)).titles.isEmpty)
        let due = later.advanced(by: limits.interval)
        #expect(machine.offersChanged([Offers.article(4)], at: due).titles == ["Article 4"])
    }

    @Test func continuingEndsTheHour() throws {
        let machine = try showing([Offers.article(1)])
        let later = start.advanced(by: limits.dwell)
        _ = machine.pressed(7, at: later)
        #expect(machine.continued(OfferKey(Offers.article(1)), at: later).closed == [7])
        #expect(machine.offersChanged([Offers.article(2)], at: later).titles == ["Article 2"])
    }

    @Test func continuingFromTheTrayEndsTheHour() throws {
        let machine = try showing([Offers.article(1)])
        let later = start.advanced(by: limits.dwell)
        _ = machine.closed(7, at: start)
        #expect(machine.continued(OfferKey(Offers.article(1)), at: later).isEmpty)
        #expect(machine.offersChanged([Offers.article(2)], at: later).titles == ["Article 2"])
    }

    @Test func afterABriefFirstOfferTheNextOneFollows() throws {
        let machine = try showing([Offers.article(1)])
        let end = start.advanced(by: limits.settling)
        #expect(machine.offersChanged([], at: start).closed == [7])
        let next = machine.offersChanged([Offers.article(2)], at: end.advanced(by: .nanoseconds(-1)))
        #expect(next.titles == ["Article 2"])
        #expect(next.first?.notice?.isUpdate == true, "silently")
        _ = machine.shown(try #require(next.tickets.first), as: 8, at: end)
        #expect(machine.offersChanged([], at: end).closed == [8])
        #expect(machine.offersChanged([Offers.article(3)], at: end.advanced(by: limits.dwell)).titles.isEmpty)
    }

    @Test func afterTheUserClosedItNoneFollows() throws {
        let machine = try showing([Offers.article(1)])
        _ = machine.closed(7, at: start)
        #expect(machine.offersChanged([Offers.article(2)], at: start.advanced(by: limits.dwell)).titles.isEmpty)
    }

    @Test func aWaitingReplacementIsShownAfterTheOldNoticeCloses() throws {
        let machine = try showing([Offers.article(1)])
        let later = start.advanced(by: .seconds(600))
        let next = machine.offersChanged([Offers.article(2)], at: later)
        _ = machine.shown(try #require(next.tickets.first), as: 7, at: later)
        #expect(machine.offersChanged([Offers.article(3)], at: later).closed == [7])
        #expect(machine.deadlineReached(at: later.advanced(by: limits.dwell)).titles == ["Article 3"])
    }

    @Test func aSentActivityIsAlwaysShown() throws {
        let machine = try showing([Offers.article(1)])
        _ = machine.closed(7, at: start)
        var sent = Offers.article(2)
        sent.isSent = true
        let next = machine.offersChanged([sent], at: start.advanced(by: limits.dwell))
        #expect(next.titles == ["Article 2"])
        #expect(next.first?.notice?.isUpdate == false)
    }

    @Test func aFailureDoesNotStartTheHour() throws {
        let machine = Notifier()
        let failure = Failure(.activityGone, "it is gone")
        let actions = machine.failed(Offers.article(1), failure, at: start)
        _ = machine.shown(try #require(actions.tickets.first), as: 7, at: start)
        _ = machine.closed(7, at: start)
        let later = start.advanced(by: limits.dwell)
        #expect(machine.offersChanged([Offers.article(2)], at: later).titles == ["Article 2"])
    }

    @Test func onlyTheFirstNotificationOfADeviceOffersFewer() throws {
        let machine = Notifier()
        let first = machine.offersChanged([Offers.article(1)], at: start)
        #expect(first.first?.notice?.isFirst == true)
        _ = machine.shown(try #require(first.tickets.first), as: 7, at: start)
        // The button stays while the notification does.
        let later = start.advanced(by: limits.dwell)
        let second = machine.offersChanged([Offers.article(2)], at: later)
        #expect(second.first?.notice?.isFirst == true)
        _ = machine.shown(try #require(second.tickets.first), as: 7, at: later)
        _ = machine.closed(7, at: later)
        let next = later.advanced(by: limits.interval)
        #expect(machine.offersChanged([Offers.article(3)], at: next).first?.notice?.isFirst == false)
    }

    @Test func fewerSilencesTheDeviceOfTheNotification() throws {
        let machine = try showing([Offers.article(1)])
        #expect(machine.fewerPressed(3).isEmpty, "it is another program's")
        #expect(machine.fewerPressed(7) == [.silence(Offers.article(1))])
        let failed = machine.notSilenced(Offers.article(1), reason: "the disk is full", at: start)
        #expect(failed.first?.replaces == 7)
        #expect(failed.first?.notice?.subject == .notSaved("the disk is full"))
    }
}
