// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffSystem
import HandoffWire
import Testing

@testable import Handoff

/// Programming errors and invalid data of an app: a clear error, and the app continues. Shows A06, A07.
@Suite struct MisuseTests {
    let laptop: Laptop

    init() throws { laptop = try Laptop(startingDaemon: false) }

    private func refusal(of value: Any) -> NSUserActivity.InvalidValueError.Code? {
        let activity = laptop.activity()
        activity.userInfo = ["kept": 1]
        let error = #expect(throws: NSUserActivity.InvalidValueError.self) {
            try activity.setUserInfo(["value": value])
        }
        #expect(activity.userInfo as? [String: Int] == ["kept": 1])
        return error?.code
    }

    private func delivered(_ userInfo: [AnyHashable: Any]) throws -> [AnyHashable: Any] {
        let activity = laptop.activity()
        activity.userInfo = userInfo
        let state = try activity.content.state(of: activity.record.type)
        return try #require(try ActivityContent(state).userInfo?.foundation)
    }

    private final class Opaque: NSObject {}

    @Test func unsupportedObjectThreeLevelsDownIsRefused() {
        let set = NSSet(array: [Opaque()])
        let dictionary = NSDictionary(dictionary: ["set": set])
        #expect(refusal(of: NSArray(array: [dictionary])) == .typeNotAllowed)
        #expect(refusal(of: [["list": [1, Opaque()] as [Any]]]) == .typeNotAllowed)
    }

    @Test func containerThatHoldsItselfIsRefused() {
        let list = NSMutableArray(array: [1])
        list.add(list)
        list.add(list)
        #expect(refusal(of: list) == .holdsItself)
        #expect(refusal(of: [["deep": list]]) == .holdsItself)

        let dictionary = NSMutableDictionary()
        dictionary.setObject(dictionary, forKey: "self" as NSString)
        #expect(refusal(of: dictionary) == .holdsItself)

        let here = NSMutableArray()
        let there = NSMutableDictionary()
        here.add(there)
        there.setObject(here, forKey: "back" as NSString)
        #expect(refusal(of: there) == .holdsItself)

        let members = NSMutableArray()
        let set = NSMutableSet()
        set.add(members)
        members.add(set)
        #expect(refusal(of: set) == .holdsItself)

        // Breaks the reference cycles.
        list.removeAllObjects()
        dictionary.removeAllObjects()
        here.removeAllObjects()
        members.removeAllObjects()
    }

    @Test func aSharedContainerIsNotACycle() throws {
        let shared = NSMutableArray(array: [1, 2])
        let arrived = try delivered(["a": shared, "b": NSArray(array: [shared, shared])])
        #expect(arrived["a"] as? [Int] == [1, 2])
        #expect(arrived["b"] as? [[Int]] == [[1, 2], [1, 2]])
    }

    @Test func foundationContainersNestAsDeepAsAnyOthers() throws {
        func nested(_ depth: Int) -> NSArray {
            (0..<depth).reduce(NSArray(object: 1)) { inner, _ in
                let outer = NSMutableArray()
                outer.add(inner)
                return outer
            }
        }
        _ = try delivered(["value": nested(Limits.valueNesting - 2)])
        #expect(refusal(of: nested(Limits.valueNesting - 1)) == .nestedTooDeep)
        #expect(refusal(of: nested(2000)) == .nestedTooDeep)
    }

    @Test func notANumberIsAValueButNotAKey() throws {
        let arrived = try delivered([
            "nan": Double.nan, "more": Double.infinity, "less": -Float.infinity, "list": [Double.nan],
        ])
        #expect((arrived["nan"] as? Double)?.isNaN == true)
        #expect(arrived["more"] as? Double == .infinity)
        #expect(arrived["less"] as? Double == -.infinity)
        #expect((arrived["list"] as? [Double])?.first?.isNaN == true)
        #expect(refusal(of: [Double.nan: 1]) == .keyNotEqualToItself)
        #expect(refusal(of: Set([Double.nan])) == .keyNotEqualToItself)
        #expect(refusal(of: [[Float.nan]: 1]) == .keyNotEqualToItself)
        #expect(refusal(of: Set([Date(timeIntervalSinceReferenceDate: .nan)])) == .keyNotEqualToItself)
        #expect(throws: NSUserActivity.InvalidValueError.self) {
            try laptop.activity().setUserInfo([Double.nan: "at the top"])
        }
    }

    @Test func datesFarAwayArrive() throws {
        let dates: [Date] = [
            .distantPast, .distantFuture, Date(timeIntervalSinceReferenceDate: 1e300),
            Date(timeIntervalSinceReferenceDate: -.infinity),
        ]
        #expect(try delivered(["dates": dates])["dates"] as? [Date] == dates)
        let undated = try delivered(["date": Date(timeIntervalSinceReferenceDate: .nan)])["date"] as? Date
        #expect(undated?.timeIntervalSinceReferenceDate.isNaN == true)
    }

    /// Shows A17.
    @Test(arguments: [Double.infinity, 1e300, .nan, 4e9])
    func aDistantExpirationDateNeverExpires(seconds: Double) throws {
        let activity = laptop.activity()
        activity.expirationDate = Date(timeIntervalSinceReferenceDate: seconds)
        let publication = activity.content.publication(
            of: activity.record.id, type: activity.record.type, at: Date())
        #expect(try #require(publication?.expires) > WallTime(milliseconds: 4_000_000_000_000))
        let frame = LocalFrame(
            .advertising(.saved(try activity.content.state(of: activity.record.type), saving: .zero)))
        _ = try LocalFrame(encoded: try frame.encoded())
    }

    /// Shows A17.
    @Test func expiryBeforeAllTimeIsAnExpiry() {
        let activity = laptop.activity()
        activity.expirationDate = Date(timeIntervalSinceReferenceDate: -.infinity)
        #expect(
            activity.content.publication(of: activity.record.id, type: activity.record.type, at: Date()) == nil)
    }

    /// Shows A14: sent unchanged to the user's own device, and displayed nowhere on the way.
    @Test func passwordOfAPageIsCarriedAndNeverShown() throws {
        let url = try #require(URL(string: "https://anna:s3cret@example.com/mail?folder=1"))
        let activity = laptop.activity()
        activity.webpageURL = url
        activity.referrerURL = url
        let publication = try #require(
            activity.content.publication(of: activity.record.id, type: activity.record.type, at: Date()))
        let offered = try LocalFrame(.advertising(.publish(publication))).encoded()
        #expect(!String(decoding: offered, as: UTF8.self).contains("s3cret"))
        #expect(!activity.description.contains("s3cret"))
        #expect(!activity.debugDescription.contains("s3cret"))
        #expect(activity.debugDescription.contains("example.com/mail"))
        #expect(try activity.content.state(of: activity.record.type).webpageURL == url.absoluteString)
    }
}

/// Calls at inconvenient moments.
@Suite struct BadMomentTests {
    /// Shows A30.
    @Test func becomingCurrentAfterTheEndIsNothing() async throws {
        let laptop = try Laptop()
        let ended = laptop.activity(title: "ended")
        ended.invalidate()
        ended.becomeCurrent()
        ended.title = "still ended"
        ended.invalidate()
        let (_, publication) = try await laptop.currentActivity(title: "next")
        #expect(publication.title?.text == "next")
    }

    /// Shows A29.
    @Test func becomingCurrentFromManyThreadsAtOnceIsBeingCurrent() async throws {
        let laptop = try Laptop()
        let activity = laptop.activity(title: "shared")
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<16 {
                group.addTask { for _ in 0..<100 { activity.becomeCurrent() } }
            }
        }
        #expect(try await laptop.daemon.nextPublication().title?.text == "shared")
        #expect(try await laptop.fetch(activity).title == "shared")
        activity.invalidate()
        var last = try await laptop.daemon.frames.next().message
        while case .advertising(.publish) = last { last = try await laptop.daemon.frames.next().message }
        #expect(last == .advertising(.withdraw(activity.record.id)))
    }

    /// Shows A29, D02.
    @Test func becomingCurrentWithinItsOwnSaveIsNothingNew() async throws {
        let laptop = try Laptop()
        let (activity, _) = try await laptop.currentActivity(title: "before")
        let editor = Editor { activity in
            activity.becomeCurrent()
            activity.userInfo = ["position": 42]
        }
        activity.delegate = editor
        activity.needsSave = true
        let state = try await laptop.fetch(activity)
        #expect(try ActivityContent(state).userInfo?.foundation as? [String: Int] == ["position": 42])
        #expect(try await laptop.daemon.nextPublication().activity == activity.record.id)
    }

    /// Shows A32.
    @Test func endingWithinItsOwnSaveIsTheEnd() async throws {
        let laptop = try Laptop()
        let (activity, publication) = try await laptop.currentActivity()
        let editor = Editor { $0.invalidate() }
        activity.delegate = editor
        activity.needsSave = true
        _ = try await laptop.fetch(activity)
        #expect(try await laptop.daemon.nextWithdrawal() == publication.activity)
    }

    /// Shows E03.
    @Test func saveThatNeverEndsStopsNothingElse() async throws {
        let laptop = try Laptop()
        let forever = DispatchSemaphore(value: 0)
        let editor = Editor { _ in forever.wait() }
        var stuck: [NSUserActivity] = []
        for number in 1...4 {
            let (activity, _) = try await laptop.currentActivity(title: "stuck \(number)")
            activity.delegate = editor
            activity.needsSave = true
            await #expect(throws: Failure(.appTimedOut, "")) {
                try await laptop.fetch(activity, within: .milliseconds(20))
            }
            stuck.append(activity)
        }
        #expect(Failure(.appTimedOut, "").cocoaError.code.rawValue == 4610)
        // The app continues: the same activity can be changed, and another is saved and fetched.
        stuck[3].title = "changed"
        let (next, _) = try await laptop.currentActivity(title: "next")
        let quick = Editor { $0.userInfo = ["saved": true] }
        next.delegate = quick
        next.needsSave = true
        let state = try await laptop.fetch(next)
        #expect(try ActivityContent(state).userInfo?.foundation["saved"] as? Bool == true)
        for _ in stuck { forever.signal() }
    }

    /// A loop that makes an activity current sends no more than other devices receive: eight at once, then one each
    /// quarter of a second, and finally the newest state.
    @Test(arguments: [1, 2])
    func becomingCurrentInALoopIsTamed(activities count: Int) async throws {
        let laptop = try Laptop()
        let (activity, first) = try await laptop.currentActivity(title: "first")
        defer { activity.invalidate() }
        let activities = (0..<count).map { laptop.activity(title: "looped \($0)") }
        let clock = ContinuousClock()
        let started = clock.now
        for round in 0..<100_000 { activities[round % count].becomeCurrent() }
        let last = laptop.activity(title: "last")
        last.becomeCurrent()
        var frames = [first]
        while frames.last?.title?.text != "last" { frames.append(try await laptop.daemon.nextPublication()) }
        let spacings = Int(started.duration(to: clock.now) / Limits.offerSpacing)
        #expect(frames.count <= Limits.offerBurst + spacings + 1)
        #expect(try await laptop.fetch(last).title == "last")
    }

    /// Shows A25.
    @Test func ineligibleActivityIsWithdrawnImmediately() async throws {
        let laptop = try Laptop()
        let (activity, _) = try await laptop.currentActivity(title: "busy")
        for _ in 0..<1000 { activity.becomeCurrent() }
        activity.isEligibleForHandoff = false
        var last = try await laptop.daemon.frames.next().message
        while case .advertising(.publish) = last { last = try await laptop.daemon.frames.next().message }
        #expect(last == .advertising(.withdraw(activity.record.id)))
        // A waiting change is not sent afterwards.
        try await laptop.caughtUp()
        #expect(laptop.center.state.withLock { $0.published } == nil)
    }

    @Test func paceIsEvenAfterABurst() {
        var pace = PublishingPace()
        let start = ContinuousClock.now
        func delay(after seconds: Duration, again: Bool = false) -> Duration? {
            pace.take(again: again, at: start + seconds)
        }
        for _ in 0..<Limits.offerBurst { #expect(delay(after: .zero) == nil) }
        #expect(delay(after: .zero) == Limits.offerSpacing)
        var joined = pace.isWaiting(again: true)
        #expect(joined)
        var waited = pace.waited()
        #expect(waited == true)
        joined = pace.isWaiting(again: false)
        #expect(!joined)
        waited = pace.waited()
        #expect(waited == nil)
        #expect(delay(after: Limits.offerSpacing) == nil)
        #expect(delay(after: Limits.offerSpacing, again: true) == Limits.offerSpacing)
        // After a pause the whole burst is available again.
        for _ in 0..<Limits.offerBurst { #expect(delay(after: .seconds(60)) == nil) }
        #expect(delay(after: .seconds(60)) != nil)
    }
}
