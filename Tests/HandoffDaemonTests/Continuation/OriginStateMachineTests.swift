// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

@Suite struct OriginStateMachineTests {
    private var random = Randomness.seeded(7)
    private let team = Team.made("ABCDE12345")
    private let otherTeam = Team.made("ZZZZZ99999", key: 2)
    private let desktop: DeviceID
    private let tablet: DeviceID
    private let offer: Offer
    private let state: ActivityState

    init() throws {
        desktop = .random(using: &random)
        tablet = .random(using: &random)
        let type = try ActivityType("com.example.editing")
        offer = Offer(
            activity: .random(using: &random), type: type, appName: DisplayText(cleaning: "Editor"),
            team: team, hasWebPage: true, since: WallTime(milliseconds: 0))
        state = ActivityState(type: type, title: "Letter", userInfo: [1, 2, 3], webpageURL: "https://example.com/")
    }

    private mutating func request(team: Team? = nil, onlyWebPage: Bool = false) -> FetchRequest {
        FetchRequest(
            activity: offer.activity, continuation: .random(using: &random), team: team ?? self.team,
            onlyWebPage: onlyWebPage)
    }

    /// Shows D03, B25: notified once, by the device that received the state.
    @Test mutating func appIsToldOnceAndOnlyByTheDeviceThatFetched() {
        var machine = OriginStateMachine<String>()
        let fetch = request()
        #expect(
            machine.fetchRequested(fetch, by: desktop, offered: (offer, .app("editor")), at: .zero)
                == .ask("editor", deadline: .seconds(8)))
        #expect(machine.continued(offer.activity, by: fetch.continuation, of: desktop, at: .zero) == nil)
        #expect(machine.saved(.success(state), for: fetch.continuation, of: desktop, at: .zero) == .answer(state))
        #expect(machine.continued(offer.activity, by: fetch.continuation, of: tablet, at: .zero) == nil)
        #expect(machine.continued(offer.activity, by: fetch.continuation, of: desktop, at: .zero) == "editor")
        #expect(machine.continued(offer.activity, by: fetch.continuation, of: desktop, at: .zero) == nil)
    }

    /// Shows B03.
    @Test mutating func otherTeamGetsNothing() {
        var machine = OriginStateMachine<String>()
        let action = machine.fetchRequested(
            request(team: otherTeam), by: desktop, offered: (offer, .app("editor")), at: .zero)
        #expect(action == .refuse(Failure(.notAllowed, "")))
        let underWay = machine.fetchesUnderWay
        #expect(underWay == 0)
    }

    /// Shows B03, T08: another key with the same Team ID.
    @Test mutating func teamWithTheSameTeamIDAndAnotherKeyGetsNothing() {
        var machine = OriginStateMachine<String>()
        let action = machine.fetchRequested(
            request(team: .made("ABCDE12345", key: 2)), by: desktop, offered: (offer, .app("editor")), at: .zero)
        #expect(action == .refuse(Failure(.notAllowed, "")))
        let underWay = machine.fetchesUnderWay
        #expect(underWay == 0)
    }

    /// Shows N01, X09: without an app, only the web page is sent.
    @Test mutating func webPageGoesWithoutTheStateOfItsApp() {
        var machine = OriginStateMachine<String>()
        let fetch = request(team: otherTeam, onlyWebPage: true)
        _ = machine.fetchRequested(fetch, by: desktop, offered: (offer, .app("editor")), at: .zero)
        let action = machine.saved(.success(state), for: fetch.continuation, of: desktop, at: .zero)
        #expect(
            action == .answer(ActivityState(type: state.type, title: "Letter", webpageURL: "https://example.com/")))
    }

    /// Shows B09: no app is asked or notified.
    @Test mutating func savedStateOfQuitAppIsReturned() {
        var machine = OriginStateMachine<String>()
        let saved = WallTime(milliseconds: 5000)
        let fetch = request()
        let action = machine.fetchRequested(
            fetch, by: desktop, offered: (offer, .saved(SavedState(state, saved: saved))), at: .zero)
        #expect(action == .answer(state, saved: saved))
        let again = machine.fetchRequested(fetch, by: desktop, offered: (offer, .app("editor")), at: .zero)
        #expect(again == .refuse(Failure(.notAllowed, "")), "a continuation id can be used only once")
        #expect(machine.continued(offer.activity, by: fetch.continuation, of: desktop, at: .zero) == nil)
    }

    /// Shows B03, B09, X09: the rules are those of a running app.
    @Test mutating func savedStateIsReturnedToItsTeamOnly() {
        var machine = OriginStateMachine<String>()
        let kept = OfferSource<String>.saved(SavedState(state, saved: WallTime(milliseconds: 5000)))
        let refused = machine.fetchRequested(
            request(team: otherTeam), by: desktop, offered: (offer, kept), at: .zero)
        #expect(refused == .refuse(Failure(.notAllowed, "")))
        let page = machine.fetchRequested(
            request(team: otherTeam, onlyWebPage: true), by: desktop, offered: (offer, kept), at: .zero)
        let part = ActivityState(type: state.type, title: "Letter", webpageURL: "https://example.com/")
        #expect(page == .answer(part, saved: WallTime(milliseconds: 5000)))
    }

    /// Shows B09: the last saved state, if any; otherwise the failure.
    @Test mutating func appThatDiesWhileItSaves() {
        var machine = OriginStateMachine<String>()
        let gone = Failure(.appGone, "")
        let kept = SavedState(state, saved: WallTime(milliseconds: 5000))
        let first = request()
        _ = machine.fetchRequested(first, by: desktop, offered: (offer, .app("editor")), at: .zero)
        #expect(machine.saved(.failure(gone), for: first.continuation, of: desktop, at: .zero) == .refuse(gone))
        let second = request()
        _ = machine.fetchRequested(second, by: desktop, offered: (offer, .app("editor")), at: .zero)
        let answer = machine.saved(.failure(gone), kept: kept, for: second.continuation, of: desktop, at: .zero)
        #expect(answer == .answer(state, saved: kept.saved))
        #expect(machine.continued(offer.activity, by: second.continuation, of: desktop, at: .zero) == nil)
    }

    /// Shows B11, E03: a saved state never replaces a running app, however slow it is.
    @Test mutating func slowAppFailsThoughItHadSavedBefore() {
        var machine = OriginStateMachine<String>()
        let fetch = request()
        let slow = Failure(.appTimedOut, "")
        let kept = SavedState(state, saved: WallTime(milliseconds: 5000))
        _ = machine.fetchRequested(fetch, by: desktop, offered: (offer, .app("editor")), at: .zero)
        let action = machine.saved(.failure(slow), kept: kept, for: fetch.continuation, of: desktop, at: .zero)
        #expect(action == .refuse(slow))
    }

    @Test mutating func activityThatIsGoneIsRefused() {
        var machine = OriginStateMachine<String>()
        let action = machine.fetchRequested(request(), by: desktop, offered: nil, at: .zero)
        #expect(action == .refuse(Failure(.activityGone, "")))
    }

    @Test mutating func continuationIDIsValidOnce() {
        var machine = OriginStateMachine<String>()
        let fetch = request()
        _ = machine.fetchRequested(fetch, by: desktop, offered: (offer, .app("editor")), at: .zero)
        let again = machine.fetchRequested(fetch, by: desktop, offered: (offer, .app("editor")), at: .zero)
        #expect(again == .refuse(Failure(.notAllowed, "")))
        _ = machine.saved(.success(state), for: fetch.continuation, of: desktop, at: .zero)
        let later = machine.fetchRequested(fetch, by: desktop, offered: (offer, .app("editor")), at: .zero)
        #expect(later == .refuse(Failure(.notAllowed, "")))
    }

    @Test mutating func fetchesOfOneDeviceAreBounded() {
        var machine = OriginStateMachine<String>()
        let limit = ContinuationLimits().fetchesPerDevice
        for _ in 0..<limit {
            _ = machine.fetchRequested(request(), by: desktop, offered: (offer, .app("editor")), at: .zero)
        }
        let oneMore = machine.fetchRequested(request(), by: desktop, offered: (offer, .app("editor")), at: .zero)
        #expect(oneMore == .refuse(Failure(.limitReached, "")))
        let another = machine.fetchRequested(request(), by: tablet, offered: (offer, .app("editor")), at: .zero)
        #expect(another == .ask("editor", deadline: .seconds(8)))
    }

    @Test mutating func answerAfterACancelGoesNowhere() {
        var machine = OriginStateMachine<String>()
        let fetch = request()
        _ = machine.fetchRequested(fetch, by: desktop, offered: (offer, .app("editor")), at: .zero)
        #expect(machine.cancelled(fetch.continuation, of: desktop) == true)
        #expect(machine.saved(.success(state), for: fetch.continuation, of: desktop, at: .zero) == .nothing)
        #expect(machine.continued(offer.activity, by: fetch.continuation, of: desktop, at: .zero) == nil)
    }

    /// Shows X13. A request to the app uses up the limit until the app has answered, even after it was cancelled.
    @Test mutating func wishesTakenBackInALoopAskTheAppNoMoreThanOthersDo() {
        var machine = OriginStateMachine<String>()
        var asked: [FetchRequest] = []
        for number in 0..<20_000 {
            let fetch = request()
            let action = machine.fetchRequested(fetch, by: desktop, offered: (offer, .app("editor")), at: .zero)
            if action == .ask("editor", deadline: .seconds(8)) { asked.append(fetch) }
            machine.cancelled(fetch.continuation, of: desktop)
            if number.isMultiple(of: 100) { machine.sessionClosed(desktop) }
        }
        #expect(asked.count == ContinuationLimits().fetchesPerDevice)
        // Afterwards, the limit is free again.
        for fetch in asked {
            #expect(machine.saved(.success(state), for: fetch.continuation, of: desktop, at: .zero) == .nothing)
        }
        let again = machine.fetchRequested(request(), by: desktop, offered: (offer, .app("editor")), at: .zero)
        #expect(again == .ask("editor", deadline: .seconds(8)))
    }

    @Test mutating func lateContinuedIsIgnored() {
        var machine = OriginStateMachine<String>()
        let fetch = request()
        _ = machine.fetchRequested(fetch, by: desktop, offered: (offer, .app("editor")), at: .zero)
        _ = machine.saved(.success(state), for: fetch.continuation, of: desktop, at: .zero)
        let late = Instant.zero.advanced(by: .seconds(121))
        #expect(machine.continued(offer.activity, by: fetch.continuation, of: desktop, at: late) == nil)
    }

    /// Shows E04.
    @Test mutating func tooLargeStateIsRefusedWithItsReason() {
        var machine = OriginStateMachine<String>()
        let fetch = request()
        _ = machine.fetchRequested(fetch, by: desktop, offered: (offer, .app("editor")), at: .zero)
        let tooLarge = Failure(.payloadTooLarge, "200 KiB")
        #expect(machine.saved(.failure(tooLarge), for: fetch.continuation, of: desktop, at: .zero) == .refuse(tooLarge))
        #expect(tooLarge.cocoaErrorCode == 4611)
    }
}
