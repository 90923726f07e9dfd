// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

/// A stream is opened and used, and a failure occurs at any step. `HANDOFF_WALK_SEEDS=FIRST..<LAST` selects other
/// seeds.
@Suite struct StreamWalkTests {
    private static let seeds = Seeds.usual(0..<240)

    enum Mishap: CaseIterable {
        case none, originCrashes, receiverCrashes, originLosesPower, receiverLosesPower, originStops, cableIsOut
        case cableIsOutForAMoment, originsAppQuits, receiversAppQuits, connectionBreaks, sessionBreaks, everyLinkBreaks
        case deviceIsRemoved, nearAppLetsGo, farAppLetsGo
    }

    @Test(arguments: seeds)
    func bytesAreExactOrBothEndsAreNotifiedOfTheCut(seed: UInt64) throws {
        var random = Randomness.seeded(seed ^ 0x57E4)
        let mishap = Mishap.allCases[Int(seed) % Mishap.allCases.count]
        let devices = [0, 1, 2].shuffled(using: &random)
        let there = StreamPair.bytes([0, 1, 9_000, 150_000].randomElement(using: &random)!, seed: seed)
        let back = StreamPair.bytes([0, 1, 9_000, 150_000].randomElement(using: &random)!, seed: seed + 1)
        let pair = try StreamPair.made(seed: seed, from: devices[0], to: devices[1], streamed: there)
        for _ in 0..<Int.random(in: 1...3, using: &random) { pair.open(sends: back) }

        for _ in 0..<Int.random(in: 0...160, using: &random) {
            pair.simulation.time.step(until: pair.simulation.time.now.advanced(by: .seconds(1)))
        }
        try happen(mishap, to: pair, random: &random)
        pair.simulation.time.advance(by: .seconds(25))
        pair.simulation.network.heal()
        pair.simulation.time.advance(by: .seconds(25))

        let mayBeCut = mishap != .none && mishap != .sessionBreaks && mishap != .cableIsOutForAMoment
        for near in pair.viewer.streams {
            let said = near.answers + (near.answers == 0 && near.refusal != nil ? 1 : 0)
            #expect(said == 1, "seed \(seed), \(mishap): an opening got \(said) answers")
            if mishap == .none { #expect(near.incoming == .whole, "seed \(seed)") }
        }
        // A receiver gets all bytes, or is notified that it did not. (A side that has sent and received its last byte
        // cannot learn of a cut right afterwards.)
        for stream in pair.viewer.streams + pair.editor.streams {
            if stream.wasOpen {
                #expect(stream.incoming != .underWay, "seed \(seed), \(mishap): \(stream.summary)")
                #expect(mayBeCut || !stream.heardOfCut, "seed \(seed), \(mishap): cut for nothing")
            }
        }
        let nearWhole = pair.viewer.streams.filter { $0.incoming == .whole }
        let farWhole = pair.editor.streams.filter { $0.incoming == .whole }
        let isExact = nearWhole.allSatisfy { $0.got(there) } && farWhole.allSatisfy { $0.got(back) }
        #expect(isExact, "seed \(seed), \(mishap)")
        #expect(pair.daemonsAreIdle, "seed \(seed), \(mishap): a daemon still has streams")
        #expect(pair.simulation.network.openStreams == 0, "seed \(seed), \(mishap): a connection stays")
    }

    private func happen(_ mishap: Mishap, to pair: StreamPair, random: inout Randomness) throws {
        let network = pair.simulation.network
        let (here, there) = (pair.origin.host, pair.receiver.host)
        switch mishap {
        case .none: break
        case .originCrashes: pair.origin.crash()
        case .receiverCrashes: pair.receiver.crash()
        case .originLosesPower: pair.origin.crash(silently: true)
        case .receiverLosesPower: pair.receiver.crash(silently: true)
        case .originStops: pair.origin.stop()
        case .cableIsOut: network.isolate(here)
        case .cableIsOutForAMoment:
            network.isolate(here)
            pair.simulation.time.advance(by: .milliseconds(Int64.random(in: 1...900, using: &random)))
            network.heal()
        case .originsAppQuits: pair.editor.quit()
        case .receiversAppQuits: pair.viewer.quit()
        case .connectionBreaks: network.breakStreams(here, there)
        case .sessionBreaks:
            // Open requests fail; open streams stay.
            guard pair.viewer.streams.allSatisfy(\.wasOpen) else { return }
            network.breakSessions(here, there)
        case .everyLinkBreaks: network.breakLinks(here, there)
        case .deviceIsRemoved:
            pair.receiver.control().request(.identity(.removeDevice(pair.origin.name, onlyAsk: false)))
        case .nearAppLetsGo: pair.viewer.streams.first?.stream?.close()
        case .farAppLetsGo: pair.editor.streams.first?.stream?.close()
        }
    }
}
