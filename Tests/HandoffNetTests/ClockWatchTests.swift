// SPDX-License-Identifier: Apache-2.0

import Glibc
import NIOCore
import NIOPosix
import Testing

@testable import HandoffNet

/// With this machine's clock, which is set to what it shows. Shows Y02.
@Suite struct ClockWatchTests {
    private static var maySetClock: Bool { (try? setClock()) != nil }

    private struct Refused: Error {}

    private static func setClock() throws {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        guard clock_settime(CLOCK_REALTIME, &now) == 0 else { throw Refused() }
    }

    @Test(.enabled(if: maySetClock, "this user may not set the clock"), .timeLimit(.minutes(1)))
    func clockThatIsSetIsNoticedEachTime() async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let (changes, seen) = AsyncStream.makeStream(of: Void.self)
        let watch = try await loop.submit {
            let watch = ClockWatch(on: loop) { seen.yield() }
            try watch.start()
            return NIOLoopBound(watch, eventLoop: loop)
        }.get()
        var next = changes.makeAsyncIterator()
        // The second and third within the pause.
        for _ in 1...3 {
            try await loop.submit { try Self.setClock() }.get()
            _ = await next.next()
        }
        try await loop.submit { watch.value.stop() }.get()
    }
}
