// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

/// Whole daemons in one process, in virtual time: latency, loss, partition, crash and restart from a seed.
/// `HANDOFF_TOWN_SEEDS=FIRST..<LAST` runs others than the usual ones.
@Suite struct TownTests {
    private static let seeds: Range<UInt64> = {
        let bounds = (ProcessInfo.processInfo.environment["HANDOFF_TOWN_SEEDS"] ?? "0..<2000").split(separator: "..<")
        guard bounds.count == 2, let first = UInt64(bounds[0]), let last = UInt64(bounds[1]), first < last else {
            preconditionFailure("HANDOFF_TOWN_SEEDS is FIRST..<LAST")
        }
        return first..<last
    }()

    /// In tenths, so that a failure names its seeds and the runner can use every core.
    @Test(arguments: 0..<10) func invariantsHoldInEverySchedule(part: Int) throws {
        var ends: [TownWish.End: Int] = [:]
        for seed in Self.seeds where Int(seed % 10) == part {
            let town = try Town.founded(seed: seed)
            var schedule = TownSchedule(town: town, seed: seed)
            try schedule.run(events: 60)
            try schedule.settle()
            check(town, seed: seed)
            for end in town.devices.flatMap(\.wishes).flatMap(\.ends) { ends[end, default: 0] += 1 }
        }
        // The usual schedules are worth something: continuations succeed, and fail in many ways.
        if Self.seeds.count >= 2000 {
            #expect(ends[.continued, default: 0] > 0 && ends.count > 5, "part \(part): \(ends)")
        }
    }

    private func check(_ town: Town, seed: UInt64) {
        var wishes = 0
        var saves = 0
        for device in town.devices {
            // Every continuation ends in exactly one outcome.
            for wish in device.wishes { #expect(wish.ends.count == 1, "seed \(seed): \(device.name): \(wish.ends)") }
            wishes += device.wishes.count
            for app in device.apps {
                saves += app.saves
                for events in app.told.values {
                    // Will-continue is followed by exactly one of continue or didFail.
                    #expect(events.count == 2 && events.first == .willContinue, "seed \(seed): \(device.name): \(events)")
                    // No state reaches another team.
                    if case .continued(let team)? = events.last {
                        #expect(team == app.team, "seed \(seed): \(device.name)")
                    }
                }
            }
        }
        // Nothing leaves the origin before a user accepts.
        #expect(saves <= wishes, "seed \(seed)")

        // When the network is quiet all boards agree.
        let boards = town.devices.map { device in
            (device: device.device, listed: device.listed() ?? [])
        }
        for own in boards {
            let here = own.listed.filter(\.isFromThisDevice).map(\.offer)
            for other in boards where other.device != own.device {
                let there = other.listed.filter { $0.device == own.device }.map(\.offer)
                #expect(Set(here) == Set(there), "seed \(seed)")
            }
        }
        for device in town.devices {
            #expect(device.connected.count == town.devices.count - 1, "seed \(seed): \(device.name)")
        }
    }
}
