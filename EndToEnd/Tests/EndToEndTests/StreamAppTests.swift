// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// Streams between two apps with the library, each on its own machine.
@Suite(.serialized, .needsNamespaces) struct StreamAppTests {
    /// The app on both devices, and its output.
    private struct Apps {
        let pair: Pair
        let onLaptop: RunningProgram
        let onDesktop: RunningProgram

        init(on stage: Stage) throws {
            pair = try Pair(offOn: stage)
            let app = try App.exchange(in: stage.folder)
            try pair.begin(with: [app])
            onLaptop = try pair.laptop.open(app)
            onDesktop = try pair.desktop.open(app)
            for program in [onLaptop, onDesktop] { try program.output.next(starting: "ready") }
        }

        /// The app on one device offers an activity, and the app on the other continues it.
        func goOn(from laptop: Bool, seed: UInt64) throws {
            let (here, there) = laptop ? (onLaptop, onDesktop) : (onDesktop, onLaptop)
            let receiver = laptop ? pair.desktop : pair.laptop
            let watch = try receiver.watchActivities()
            try here.say("offer \(seed)")
            try here.output.next(starting: "offered")
            try watch.output.next("the activity in the list") { $0.contains("Exchange \(seed)") }
            watch.stop()
            try receiver.handoff("activity", "continue")
            try there.output.next(starting: "continued, streams true")
        }
    }

    // Shows A33, D04, C02, C03, C06: each app requests eight streams, all sixteen at once, with bytes in both
    // directions.
    @Test func bothAppsSendAtOnceAndHaveEveryByte() throws {
        try Stage.play { stage in
            let seed = UInt64.random(in: 0...1 << 62)
            let apps = try Apps(on: stage)
            try apps.goOn(from: true, seed: seed)
            try apps.goOn(from: false, seed: seed &+ 100)
            try apps.onDesktop.say("ask 8 \(seed &+ 200)")
            try apps.onLaptop.say("ask 8 \(seed &+ 300)")
            var said: [(sent: [String], received: [String])] = []
            for program in [apps.onLaptop, apps.onDesktop] {
                try program.output.wait(for: "all streams, seed \(seed)", within: .seconds(30)) { lines in
                    lines.count { $0.hasPrefix("sent") } == 16 && lines.count { $0.hasPrefix("received") } == 16
                }
                let lines = program.output.lines
                said.append((fingerprints(lines, "sent "), fingerprints(lines, "received ")))
                #expect(!lines.contains { $0.hasPrefix("no") }, "seed \(seed)")
            }
            #expect(said[0].sent == said[1].received, "seed \(seed)")
            #expect(said[1].sent == said[0].received, "seed \(seed)")
            // They differ, except that several may be empty or a single byte.
            let long = (said[0].sent + said[1].sent).filter { !$0.hasPrefix("0 bytes") && !$0.hasPrefix("1 bytes") }
            #expect(Set(long).count == long.count && !long.isEmpty, "seed \(seed)")
        }
    }

    private func fingerprints(_ lines: [String], _ prefix: String) -> [String] {
        lines.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }.sorted()
    }

    // Shows A21, C01, C04: the origin's latest setting takes effect, and a request fails at once.
    @Test func unsupportedStreamsAreRefusedImmediately() throws {
        try Stage.play { stage in
            let apps = try Apps(on: stage)
            let (here, there) = (apps.onLaptop, apps.onDesktop)
            try apps.goOn(from: true, seed: 1)
            func ask(after words: String...) throws {
                for word in words {
                    try here.say(word)
                    try here.output.next(starting: word)
                }
                try there.say("ask 1 7")
            }
            // The offer may lag behind the setting.
            func listed(supports: Bool) throws {
                let watch = try apps.pair.desktop.watchActivities()
                try watch.output.next("an activity with streams \(supports)") {
                    $0.contains("Exchange 1") && $0.contains(#""supportsStreams":\#(supports)"#)
                }
                watch.stop()
            }
            // Far below the timeout for an app that does not respond.
            let atOnce = Duration.seconds(2)
            // 3328: the feature is not supported, whether the laptop's daemon refuses or its app.
            func expectRefusal() throws {
                let said = try there.output.next(starting: "no streams: ", within: atOnce)
                let reason = "the app on the other device does not support continuation streams for this activity"
                #expect(said == "no streams: 3328 The activity has no continuation stream: \(reason).")
            }
            try ask(after: "streams off")
            try expectRefusal()
            try ask(after: "streams on", "delegate off")
            try expectRefusal()
            // The activity is unchanged.
            try listed(supports: true)
            try ask(after: "delegate on")
            for program in [here, there] { try program.output.next(starting: "received") }
            try ask(after: "streams off")
            try expectRefusal()
            #expect(here.output.count(starting: "not") + there.output.count(starting: "not") == 0)

            // The setting was changed before the continuation.
            try listed(supports: false)
            try apps.pair.desktop.handoff("activity", "continue")
            try there.output.next(starting: "continued, streams false")
            try there.say("ask 1 7")
            try expectRefusal()

            // The setting allows streams, but the app has quit. 4608: the handoff failed.
            try here.say("streams on")
            try here.output.next(starting: "streams on")
            here.send(SIGKILL)
            try here.waitForExit()
            try there.say("ask 1 7")
            try there.output.next(starting: "no streams: 4608 ", within: atOnce)
        }
    }
}
