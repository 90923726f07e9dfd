// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// A laptop with a locked screen: the desktop's list, and the traffic between them.
@Suite(.serialized, .needsNamespaces) struct PresenceTests {
    // Shows L13, B02.
    @Test func lockedScreenWithdrawsOffersUntilItIsUnlocked() throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage)
            try pair.begin(options: Pair.watched)
            let session = try pair.laptop.logIn()
            _ = try pair.browse()
            let script = try pair.offer("Shopping list")
            let watch = try pair.desktop.watchActivities()
            let before = try activities(
                watch.output.next("both") { $0.contains(Pair.title) && $0.contains("Shopping list") })
            for _ in 0..<3 {
                try session.lock()
                let locked = try watch.output.next("the script's alone") { !$0.contains(Pair.title) }
                #expect(locked.contains("Shopping list"))
                #expect(try pair.laptop.json("status")["facts"]?["presence"]?.string == "locked")
                #expect(try pair.desktop.command(["activity", "continue", before[1]]).code != 0)
                try session.unlock()
                let after = try activities(watch.output.next("both again") { $0.contains(Pair.title) })
                #expect(after == before)
            }
            #expect(try pair.laptop.json("status")["facts"]?["presence"]?.string == "here")
            try pair.desktop.handoff("activity", "continue", before[1])
            try pair.desktop.log(of: .monkeyBrowser).next(starting: "continued tab=1")
            script.stop()
        }
    }

    private func activities(_ list: String) throws -> [String] {
        try JSON(text: list).elements.compactMap { $0["activity"]?.string }
    }

    // Shows X03: locking and unlocking look exactly like an app's new or ended offer, with the same record sizes and no
    // beacon. Copying causes no traffic.
    @Test func lockingLooksLikeAnyChangeAndCopyingLikeNothing() throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage)
            let cable = try pair.network.capture("laptop")
            let screen = try pair.laptop.startDesktop()
            try pair.begin(options: Pair.watched)
            let session = try pair.laptop.logIn()
            let watch = try pair.desktop.watchActivities()
            let browser = try pair.laptop.open(.monkeyBrowser)
            try browser.output.next(starting: "ready")

            let isListed = { (line: String) in line.contains(Pair.title) }
            let isEmpty = { (line: String) in line == "[]" }
            try cable.awaitSilence(for: Pair.burst)
            var seen = try cable.traffic()
            /// Sizes of the records sent during `deed`, until the desktop's list satisfies `isMet`.
            func sizes(_ deed: () throws -> Void, until isMet: (String) -> Bool) throws -> [Int] {
                try deed()
                try watch.output.next("another list", where: isMet)
                return try since()
            }
            /// Sizes of the laptop's encrypted records since the last call, without those that keep a session alive.
            func since() throws -> [Int] {
                let now = try cable.traffic()
                defer { seen = now }
                #expect(now.datagrams.count == seen.datagrams.count, "no beacon, nor anything else by UDP")
                var sizes = try Self.sizes(in: now)
                for size in try Self.sizes(in: seen) {
                    if let index = sizes.firstIndex(of: size) { sizes.remove(at: index) }
                }
                return sizes.filter { $0 > Self.pulseBytes }
            }

            let offered = try sizes({ try browser.say("go \(Pair.page)") }, until: isListed)
            let locked = try sizes(session.lock, until: isEmpty)
            let unlocked = try sizes(session.unlock, until: isListed)
            let resigned = try sizes({ try browser.say("close") }, until: isEmpty)
            #expect(offered.count == 1)
            #expect([locked, unlocked, resigned] == [offered, offered, offered])

            let secret = stage.folder.appending(path: "secret")
            try Data("a secret".utf8).write(to: secret)
            try screen.copy(secret)
            #expect(try screen.pasted() == "a secret")
            #expect(try since() == [])
        }
    }

    /// Maximum size of a ping or its answer.
    private static let pulseBytes = 36

    private static func sizes(in traffic: Traffic) throws -> [Int] {
        try traffic.records.filter { $0.isFromDevice && $0.kind == .applicationData }.map(\.body.count).sorted()
    }
}
