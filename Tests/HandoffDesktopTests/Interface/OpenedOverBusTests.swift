// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffWire
import TestBuses
import Testing

@testable import HandoffDesktop

/// `Open` of `org.handoff.Handoff1`, called as by a list in the desktop's own bar.
// Shows L05, L19.
@Suite(.timeLimit(.minutes(1))) struct OpenedOverBusTests {
    @Test func openContinuesTheActivityOfThatDevice() async throws {
        try await withPrivateBus { fixture, bus in
            let list = [try ListedActivity.sample(1, "Shopping list"), try .sample(2, "Holidays")]
            let daemon = ScriptedDaemon(offering: list)
            let guest = try await fixture.begin(at: bus.address, daemon)
            try await guest.waits(for: InterfaceNames.bus, isolation: fixture)
            let options: [String: BusValue] = ["activation-token": .string("token-7")]
            #expect(await guest.failure("Open", list[1].opening(options), isolation: fixture) == nil)
            var starts = daemon.starts.makeAsyncIterator()
            let start = await starts.next()
            #expect(start?.activity == list[1].offer.activity)
            #expect(start?.device == list[1].device)
            #expect(start?.activationToken?.text == "token-7")
            #expect(start?.inBrowser == false)
        }
    }

    @Test func openRefusesAnActivityThatIsNotOffered() async throws {
        try await withPrivateBus { fixture, bus in
            let shopping = try ListedActivity.sample(1, "Shopping list")
            let daemon = ScriptedDaemon(offering: [shopping])
            let guest = try await fixture.begin(at: bus.address, daemon)
            try await guest.waits(for: InterfaceNames.bus, isolation: fixture)
            let failure = { (body: [BusValue]) async -> String? in
                await guest.failure("Open", body, isolation: fixture)
            }
            let gone = "org.handoff.Error.ActivityGone"
            #expect(await failure(try ListedActivity.sample(2, "Holidays").opening()) == gone)
            let (activity, none) = (shopping.opening()[0], BusValue.properties([:]))
            #expect(await failure([activity, .string(""), none]) == gone)
            #expect(await failure(shopping.opening(["app": .string("x")])) == BusFailure.invalidArguments)
            daemon.vanish()
            await guest.settles(isolation: fixture)
            #expect(await failure(shopping.opening()) == BusFailure.noDaemon)
        }
    }
}

extension ListedActivity {
    /// The arguments of `Open`.
    fileprivate func opening(_ options: [String: BusValue] = [:]) -> [BusValue] {
        [.string(offer.activity.hex), .string(device.description), .properties(options)]
    }
}
