// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// A laptop whose logind announces sleep. The machine does not really sleep.
@Suite(.serialized, .needsNamespaces) struct SleepTests {
    private func begin(on stage: Stage, hasSmallDisk: Bool = false) throws -> (pair: Pair, login: LoginSession) {
        let pair = try Pair(offOn: stage, .init(ipv6: false))
        if hasSmallDisk { try stage.mountMemory(at: pair.laptop.root, options: "size=16m") }
        try pair.begin(with: [], options: Pair.watched)
        let login = try pair.laptop.logIn()
        try login.awaitLock()
        return (pair, login)
    }

    private func problem(of laptop: Device, on desktop: Device) throws -> String? {
        try desktop.json("device", "list").elements.first { $0["name"]?.string == laptop.name }?["problem"]?.string
    }

    // Shows Y02, also with another address after the sleep.
    @Test(arguments: [false, true]) func laptopSaysGoodbyeAndIsBackWithinThreeSeconds(movesMeanwhile: Bool) throws {
        try Stage.play { stage in
            let (pair, login) = try begin(on: stage)
            try pair.offer("Shopping list")
            let watch = try pair.desktop.watchActivities()
            try watch.output.next("the list") { $0.contains("Shopping list") }
            try login.beginSleep()
            try watch.output.next("the list to go", within: .seconds(1)) { !$0.contains("Shopping list") }
            #expect(try problem(of: pair.laptop, on: pair.desktop) == "the other device went to sleep")
            if movesMeanwhile { try pair.network.readdress("laptop") }
            try login.endSleep()
            try watch.output.next("the list again", within: .seconds(3)) { $0.contains("Shopping list") }
            #expect(try problem(of: pair.laptop, on: pair.desktop) == nil)
        }
    }

    // Shows Y02: a sleep that takes no time, again and again.
    @Test func shortSleepsLeaveTheDevicesConnected() throws {
        try Stage.play { stage in
            let (pair, login) = try begin(on: stage)
            for _ in 0..<5 {
                try login.beginSleep()
                try login.endSleep()
            }
            // As elogind does (elogind#380).
            try login.beginSleep(announcements: 2)
            try login.endSleep(announcements: 2)
            try pair.offer("Shopping list", within: .seconds(3))
        }
    }

    // Shows Y02: the program that reports the wake-up ends while the machine sleeps.
    @Test func laptopReconnectsWithoutAReportedWakeUp() throws {
        try Stage.play { stage in
            let (pair, login) = try begin(on: stage)
            try login.beginSleep()
            login.watcher.stop()
            try pair.offer("Shopping list", within: .seconds(3))
        }
    }

    // Shows Y02: nothing is written for sleep, so a full disk does not matter.
    @Test func fullDiskDelaysNoSleep() throws {
        try Stage.play { stage in
            let (pair, login) = try begin(on: stage, hasSmallDisk: true)
            try stage.fill(pair.laptop.root)
            try login.beginSleep()
            try login.endSleep()
            try pair.offer("Shopping list", within: .seconds(3))
        }
    }
}
