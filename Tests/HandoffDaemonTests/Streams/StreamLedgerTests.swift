// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

@Suite struct StreamLedgerTests {
    private let desktop = StreamFixture.desktop
    private let pass = StreamFixture.pass(1, .advertising)
    private var offer = Offer(
        activity: StreamFixture.activity(1), type: try! ActivityType("com.example.editing"),
        appName: DisplayText(cleaning: "Editor"), team: StreamFixture.team, supportsStreams: true,
        since: WallTime(milliseconds: 0))

    private func origin(
        _ ledger: borrowing StreamLedger, activity: UInt8 = 1, continuation: UInt8 = 1,
        of device: DeviceID? = nil, offered: (Offer, OfferSource<ClientID>)?
    ) -> Result<ClientID, Failure> {
        ledger.origin(
            of: StreamFixture.activity(activity), by: StreamFixture.continuation(continuation),
            of: device ?? desktop, offered: offered.map { (offer: $0.0, source: $0.1) }
        ).map(\.client)
    }

    @Test func receiverOfStateMayRequestStreams() {
        var ledger = StreamLedger()
        ledger.stateGiven(for: pass, by: "editor")
        #expect(origin(ledger, offered: (offer, .app("editor"))) == .success("editor"))
        #expect(origin(ledger, offered: (offer, .app("editor"))) == .success("editor"), "and for several")
    }

    @Test func otherPeersMayNotRequestStreams() {
        var ledger = StreamLedger()
        ledger.stateGiven(for: pass, by: "editor")
        let offered = (offer, OfferSource<ClientID>.app("editor"))
        let no = Result<ClientID, Failure>.failure(.any(.notAllowed))
        #expect(origin(ledger, of: StreamFixture.tablet, offered: offered) == no)
        #expect(origin(ledger, activity: 2, offered: offered) == no)
        #expect(origin(ledger, continuation: 2, offered: offered) == no)
    }

    // Shows C01, C04: the app's latest offer decides.
    @Test mutating func latestOfferDecides() {
        var ledger = StreamLedger()
        ledger.stateGiven(for: pass, by: "editor")
        offer.supportsStreams = false
        let refused = origin(ledger, offered: (offer, .app("editor")))
        #expect(refused == .failure(.any(.noStreams)))
        // Failures are equal by code; here the reason matters too.
        if case .failure(let failure) = refused { #expect(failure.reason == Failure.streamsNotSupported.reason) }
        offer.supportsStreams = true
        #expect(origin(ledger, offered: (offer, .app("editor"))) == .success("editor"))
        #expect(origin(ledger, offered: nil) == .failure(.any(.activityGone)))
        offer.team = StreamFixture.otherTeam
        #expect(origin(ledger, offered: (offer, .app("editor"))) == .failure(.any(.notAllowed)))
    }

    @Test func appThatQuitHasNoStreams() {
        var ledger = StreamLedger()
        ledger.stateGiven(for: pass, by: "editor")
        let saved = SavedState(ActivityState(type: offer.type), saved: WallTime(milliseconds: 0))
        #expect(origin(ledger, offered: (offer, .saved(saved))) == .failure(.any(.appGone)))
        #expect(origin(ledger, offered: (offer, .app("editor anew"))) == .failure(.any(.appGone)))
        ledger.clientClosed("editor")
        #expect(origin(ledger, offered: (offer, .app("editor"))) == .failure(.any(.appGone)))
        #expect(origin(ledger, offered: nil) == .failure(.any(.appGone)))
    }

    // Shows A33: only continuations that were delivered to this client.
    @Test func onlyTheClientThatGotTheActivityMayOpen() {
        var ledger = StreamLedger()
        let delivered = StreamFixture.pass(1, .receiving)
        ledger.stateDelivered(for: delivered, to: "viewer")
        let continuation = StreamFixture.continuation(1)
        #expect(ledger.receiver(of: continuation, for: "viewer", team: StreamFixture.team) == .success(delivered))
        let no = Result<StreamPass, Failure>.failure(.any(.notAllowed))
        #expect(ledger.receiver(of: continuation, for: "editor", team: StreamFixture.team) == no)
        #expect(ledger.receiver(of: continuation, for: "viewer", team: StreamFixture.otherTeam) == no)
        #expect(ledger.receiver(of: continuation, for: "viewer", team: nil) == no)
        #expect(
            ledger.receiver(of: StreamFixture.continuation(2), for: "viewer", team: StreamFixture.team) == no)
        ledger.clientClosed("viewer")
        #expect(ledger.receiver(of: continuation, for: "viewer", team: StreamFixture.team) == no)
    }

    @Test func oldestGiveWay() {
        var ledger = StreamLedger()
        for number in UInt8(0)..<200 {
            ledger.stateGiven(for: StreamFixture.pass(number, .advertising), by: "editor")
            ledger.stateDelivered(for: StreamFixture.pass(number, .receiving), to: "viewer")
        }
        let count = ledger.count
        #expect(count == 128)
        let offered = (offer, OfferSource<ClientID>.app("editor"))
        #expect(origin(ledger, continuation: 135, offered: offered) == .failure(.any(.notAllowed)))
        #expect(origin(ledger, continuation: 136, offered: offered) == .success("editor"))
        // A device with many requests does not affect another.
        ledger.stateGiven(for: StreamFixture.pass(7, of: StreamFixture.tablet, .advertising), by: "editor")
        #expect(origin(ledger, continuation: 136, offered: offered) == .success("editor"))
    }

    @Test func deviceThatIsRemovedLosesWhatItHad() {
        var ledger = StreamLedger()
        ledger.stateGiven(for: pass, by: "editor")
        ledger.stateDelivered(for: StreamFixture.pass(), to: "viewer")
        ledger.membersChanged { $0 != StreamFixture.desktop }
        let count = ledger.count
        #expect(count == 0)
    }
}
