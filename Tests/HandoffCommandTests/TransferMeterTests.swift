// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import Testing

@testable import HandoffCommand

@Suite struct TransferMeterTests {
    private let start = ContinuousClock.now

    /// `rate` bytes a second for `seconds`, with ten samples a second.
    private func meter(_ rate: Int64, seconds: Int64) -> TransferMeter {
        var meter = TransferMeter(at: start)
        for tenth in 1...seconds * 10 { meter.reached(rate * tenth / 10, at: start + .milliseconds(100 * tenth)) }
        return meter
    }

    @Test func saysBytesRateAndTimeLeft() {
        let line = meter(50_000_000, seconds: 4)
            .line("receiving", of: 1_000_000_000, at: start + .seconds(4), columns: 100)
        #expect(
            line
                == "receiving  [########--------------------------------]  20 %  200 MB of 1.0 GB  50.0 MB/s  16 s left"
        )
    }

    @Test func transferOfUnknownSizeShowsBytesAndRate() {
        let line = meter(2_500, seconds: 2).line("sending", of: nil, at: start + .seconds(2), columns: 80)
        #expect(line == "sending  5.0 kB  2.5 kB/s")
    }

    @Test func theRateIsThatOfTheTimeJustGone() throws {
        var meter = meter(100_000, seconds: 10)
        #expect(try #require(meter.rate(at: start + .seconds(10))) == 100_000)
        for tenth in 1...80 { meter.reached(1_000_000, at: start + .seconds(10) + .milliseconds(100 * tenth)) }
        #expect(try #require(meter.rate(at: start + .seconds(18))) == 0)
        #expect(meter.line("sending", of: 2_000_000, at: start + .seconds(18), columns: 40).contains("stalled"))
    }

    @Test func aNarrowTerminalGetsNoBarAndNoMoreThanItHolds() {
        let meter = meter(50_000_000, seconds: 4)
        let line = meter.line("receiving", of: 1_000_000_000, at: start + .seconds(4), columns: 60)
        #expect(line == "receiving  200 MB of 1.0 GB  50.0 MB/s  16 s left")
        // Numbers are never truncated.
        let short = meter.line("receiving", of: 1_000_000_000, at: start + .seconds(4), columns: 40)
        #expect(short == "receiving  200 MB of 1.0 GB  50.0 MB/s")
        for columns in 0...120 {
            #expect(
                meter.line("receiving", of: 1_000_000_000, at: start + .seconds(4), columns: columns).count <= columns)
        }
    }

    @Test func aWrongTotalBreaksNothing() {
        let meter = meter(1000, seconds: 1)
        for total: Int64 in [0, 1, 999, 1000, .max] {
            #expect(!meter.line("x", of: total, at: start + .seconds(1), columns: 80).isEmpty)
        }
    }

    @Test func sizesAreRoundedToWhatFits() {
        let sizes: [(Int64, String)] = [
            (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (99_949, "99.9 kB"), (99_950, "100 kB"), (999_499, "999 kB"),
            (999_500, "1.0 MB"), (1_073_741_824, "1.1 GB"), (.max, "9.2 EB"),
        ]
        for (size, text) in sizes { #expect(size.inBytes == text) }
    }
}
