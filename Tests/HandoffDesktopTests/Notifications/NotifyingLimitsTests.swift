// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffDesktop

/// The exact boundaries of limits and deadlines.
@Suite struct NotifyingLimitsTests {
    private let start = Instant(sinceZero: .seconds(100))
    private let limits = NotifyingLimits()
    private let justBefore = Duration.nanoseconds(-1)

    private func showing(_ offers: [ListedActivity]) throws -> Notifier {
        let machine = Notifier()
        let actions = machine.offersChanged(offers, at: start)
        _ = machine.shown(try #require(actions.tickets.first), as: 7, at: start)
        return machine
    }

    /// It was listed when the user read the notification.
    @Test func aSimultaneousOfferIsSeenWithTheShownOffer() throws {
        let other = Offers.article(1, since: 5)
        let machine = try showing([Offers.article(2, since: 5), other])
        #expect(machine.seen.contains(OfferKey(other)))
        #expect(machine.closed(7, at: start).isEmpty)
        #expect(machine.deadlineReached(at: start.advanced(by: .seconds(60))).titles.isEmpty)
    }

    @Test func aNewerOfferIsNotSeenWithTheShownOffer() throws {
        let machine = Notifier()
        let ticket = try #require(machine.offersChanged([Offers.article(2, since: 5)], at: start).tickets.first)
        let newer = Offers.article(3, since: 6)
        _ = machine.offersChanged([newer, Offers.article(2, since: 5)], at: start)
        _ = machine.shown(ticket, as: 7, at: start)
        #expect(!machine.seen.contains(OfferKey(newer)))
    }

    @Test func theNextOfADeviceIsDueExactlyAfterItsTime() throws {
        let machine = try showing([Offers.article(1)])
        let due = start.advanced(by: limits.dwell)
        #expect(
            machine.offersChanged([Offers.article(2), Offers.article(1)], at: due.advanced(by: justBefore)).isEmpty)
        #expect(machine.deadlineReached(at: due).titles == ["Article 2"])
    }

    /// A device becomes quiet after exactly this time without an offer.
    @Test func aDeviceIsRememberedForExactlyItsTime() throws {
        let machine = try showing([Offers.article(1)])
        let due = start.advanced(by: limits.dwell)
        #expect(machine.offersChanged([], at: start).closed == [7])
        #expect(machine.offersChanged([Offers.article(2)], at: due.advanced(by: justBefore)).isEmpty)
        #expect(machine.nextDeadline == due)
        #expect(machine.deadlineReached(at: due).titles == ["Article 2"])
    }

    @Test func aServerThatTookNoneIsAskedAgainExactlyAfterItsTime() throws {
        let machine = Notifier()
        let ticket = try #require(machine.offersChanged([Offers.article(1)], at: start).tickets.first)
        _ = machine.notShown(ticket, at: start)
        let due = start.advanced(by: limits.retry)
        #expect(machine.deadlineReached(at: due.advanced(by: justBefore)).titles.isEmpty)
        #expect(machine.deadlineReached(at: due).titles == ["Article 1"])
    }

    @Test func exactlyAsManyNotificationsAreThereAtOnceAsTheLimitSays() {
        let machine = Notifier()
        let devices = (0...limits.shownAtOnce).map {
            DeviceID(uncheckedBytes: Array(repeating: UInt8(20 + $0), count: 32))
        }
        let all = devices.map { Offers.article(1, from: $0) }
        #expect(machine.offersChanged(Array(all.dropLast()), at: start).titles.count == limits.shownAtOnce)
        #expect(machine.offersChanged(all, at: start).titles.isEmpty)
    }

    @Test func exactlyAsManyOffersAreRememberedAsTheLimitSays() throws {
        func lines(_ count: Int) -> [UInt8] {
            (0..<count).flatMap { number in
                let activity = ActivityID(
                    uncheckedBytes: [UInt8(number / 256), UInt8(number % 256)] + Array(repeating: 0, count: 14))
                return Array("\(Offers.laptop.hex) \(activity.hex)\n".utf8)
            }
        }
        let none = Array(repeating: UInt8(0), count: ActivityID.byteCount)
        let key = OfferKey(device: Offers.laptop, activity: ActivityID(uncheckedBytes: none))
        #expect(SeenOffers(encoded: lines(SeenOffers.maximum)).contains(key))
        #expect(!SeenOffers(encoded: lines(SeenOffers.maximum + 1)).contains(key))
    }
}
