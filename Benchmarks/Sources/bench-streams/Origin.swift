// SPDX-License-Identifier: Apache-2.0

import BenchClock
import Foundation
import Handoff
import HandoffApp

/// The app whose activity is continued. It sends zeros to every stream.
final class Origin: HandoffApplicationDelegate, NSUserActivityDelegate {
    let activity = NSUserActivity(activityType: "org.example.bench.streams")

    init() {
        activity.title = "streams"
        activity.supportsContinuationStreams = true
        activity.delegate = self
    }

    nonisolated func userActivity(
        _ userActivity: NSUserActivity, didReceive inputStream: InputStream, outputStream: OutputStream
    ) {
        let streams = StreamPair(input: inputStream, output: outputStream)
        Thread.detachNewThread { Self.answer(streams) }
    }

    private nonisolated static func answer(_ streams: StreamPair) {
        streams.open()
        defer { streams.close() }
        guard let count = streams.question() else { return say("cut") }
        StreamPair.withChunk { chunk in
            let began = monotonicNanoseconds()
            let isWhole = streams.write(zeros: count, from: chunk)
            if !isWhole { say("cut") } else if count >= 16 * 1024 * 1024 { say("began \(began)") }
        }
    }
}
