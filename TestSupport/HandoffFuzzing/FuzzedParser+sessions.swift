// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
import HandoffDaemon
internal import HandoffTrust
internal import HandoffWire

extension FuzzedParser {
    /// Many frames in a row, and their total cost.
    static let sessions = [session]

    /// A member's frames in a complete session. The first byte decides whether it sends hello. Steps follow, each with
    /// a byte for its kind:
    ///
    ///     0, N           N hundredths of a second pass
    ///     1...199        a frame of that many bytes, which follow
    ///     200...249, N   the last frame again, N times for each that this is above 199
    ///     250...255, H L a frame of H * 256 + L bytes
    private static let session = FuzzedParser("session") { bytes in
        let hostile: HostileSession
        do { hostile = try HostileSession(saysHello: (bytes.first ?? 0) % 2 == 0) } catch {
            throw BrokenPromise("the daemons do not start: \(error)")
        }
        defer { hostile.stop() }
        var script = bytes.dropFirst()
        var last: [UInt8] = []
        var (frames, hundredths) = (0, 0)
        func next() -> Int { Int(script.popFirst() ?? 0) }
        func say(_ frame: [UInt8], times: Int = 1) {
            for _ in 0..<min(times, Self.mostFrames - frames) {
                hostile.say(frame)
                frames += 1
            }
        }
        while let kind = script.popFirst(), frames < Self.mostFrames, hundredths < Self.mostHundredths {
            switch kind {
            case 0:
                let pause = next()
                hundredths += pause
                hostile.pass(.milliseconds(pause * 10))
                try promise(hostile.answers(), "its user is not answered within 100 ms")
            case 1..<200, 250...:
                let count = kind < 200 ? Int(kind) : next() * 256 + next()
                last = Array(script.prefix(count))
                script = script.dropFirst(count)
                say(last)
            default: say(last, times: next() * Int(kind - 199))
            }
        }
        hostile.pass(.seconds(1))
        try promise(hostile.answers(), "its user is not answered within 100 ms")
        try promise(hostile.isWhole, "the session of two others was lost")
        let cost = hostile.total(hundredths / 100 + 2)
        try promise(cost.writes <= 20 + cost.seconds / 10, "the account is written too often: \(cost)")
        try promise(
            cost.sends <= SendingLimits.arrivals.burst + cost.seconds / 10 + 1,
            "too much that is sent is written: \(cost)")
        try promise(cost.sent <= 512 * 1024 + 8 * cost.bytes, "too much is sent: \(cost)")
        try promise(cost.events <= 4000 + 200 * cost.seconds + 40 * cost.frames, "too much is done: \(cost)")
        return frames > 0 ? .taken : .refused
    }

    /// For one input.
    private static let mostFrames = 2000
    private static let mostHundredths = 3000
}
