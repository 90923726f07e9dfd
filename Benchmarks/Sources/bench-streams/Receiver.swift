// SPDX-License-Identifier: Apache-2.0

import BenchClock
import Foundation
import Handoff
import HandoffApp
import Synchronization

/// The app that continues the activity, and requests streams on command.
final class Receiver: HandoffApplicationDelegate {
    func application(
        _ application: HandoffApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
    ) -> Bool {
        say("continued")
        // Its methods block, so it has its own thread.
        Thread.detachNewThread { Self.obey(userActivity) }
        return true
    }

    private nonisolated static func obey(_ activity: NSUserActivity) {
        while let line = readLine() {
            let words = line.split(separator: " ")
            let numbers = words.dropFirst().compactMap { Int($0) }
            switch (words.first, numbers.count) {
            case ("bulk", 1): bulk(activity, bytes: numbers[0])
            case ("opens", 2): opens(activity, count: numbers[0], bytes: numbers[1])
            case ("fair", 2): fair(activity, count: numbers[0], bytes: numbers[1])
            default: exit(64)
            }
        }
        exit(0)
    }

    private nonisolated static func bulk(_ activity: NSUserActivity, bytes: Int) {
        take(bytes, through: streams(of: activity))
        say("bulk \(monotonicNanoseconds())")
    }

    private nonisolated static func opens(_ activity: NSUserActivity, count: Int, bytes: Int) {
        var lines: [String] = []
        lines.reserveCapacity(count)
        for _ in 0..<count {
            let start = monotonicNanoseconds()
            let streams = streams(of: activity)
            let opened = monotonicNanoseconds()
            take(bytes, through: streams)
            lines.append("open \(opened - start) \(monotonicNanoseconds() - start)")
        }
        // Printed at the end, because the reader of the output takes time of a core.
        say(lines.joined(separator: "\n"))
        say("opened")
    }

    /// All streams are requested together. Once the last is open, all start together.
    private nonisolated static func fair(_ activity: NSUserActivity, count: Int, bytes: Int) {
        let start = monotonicNanoseconds()
        let (there, all) = (DispatchGroup(), DispatchGroup())
        let gate = Gate()
        for _ in 0..<count {
            there.enter()
            all.enter()
            activity.getContinuationStreams { input, output, error in
                let streams = pair(input, output, error)
                Thread.detachNewThread {
                    there.leave()
                    gate.wait()
                    take(bytes, through: streams)
                    say("fair \(monotonicNanoseconds() - gate.opened)")
                    all.leave()
                }
            }
        }
        there.wait()
        say("there \(monotonicNanoseconds() - start)")
        gate.open()
        all.wait()
    }

    private nonisolated static func take(_ bytes: Int, through streams: StreamPair) {
        streams.open()
        defer { streams.close() }
        guard streams.ask(for: bytes) else { fail("nobody takes the question: \(streams.output.streamError as Any)") }
        let taken = StreamPair.withChunk { streams.readAll(through: $0) }
        guard taken == bytes else {
            fail("\(bytes) asked for, \(taken as Any) came: \(streams.input.streamError as Any)")
        }
    }

    private nonisolated static func streams(of activity: NSUserActivity) -> StreamPair {
        let there = DispatchSemaphore(value: 0)
        let found = Found()
        activity.getContinuationStreams { input, output, error in
            found.pair = pair(input, output, error)
            there.signal()
        }
        there.wait()
        return found.pair!
    }

    private nonisolated static func pair(_ input: InputStream?, _ output: OutputStream?, _ error: (any Error)?)
        -> StreamPair
    {
        guard let input, let output else { fail("no streams: \(error as Any)") }
        return StreamPair(input: input, output: output)
    }

    private nonisolated static func fail(_ why: String) -> Never {
        say("failed \(why)")
        exit(1)
    }
}

/// Unchecked: written before the semaphore is signalled, and read after waiting for it.
private final class Found: @unchecked Sendable {
    var pair: StreamPair?
}

/// Threads wait until it opens.
private final class Gate: Sendable {
    private let time = Mutex<Int64?>(nil)
    private let closed = DispatchGroup()

    init() { closed.enter() }

    /// Monotonic nanoseconds.
    var opened: Int64 { time.withLock { $0! } }

    func wait() { closed.wait() }

    func open() {
        time.withLock { $0 = monotonicNanoseconds() }
        closed.leave()
    }
}
