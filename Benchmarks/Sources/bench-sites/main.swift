// SPDX-License-Identifier: Apache-2.0

// bench-sites RUNS: reads a site's file of 128 KiB and queries it for an address, RUNS times. Prints a line for each
// run: nanoseconds for reading, and for the query.

import BenchClock
import HandoffMeasuring

extension Duration {
    var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}

for _ in 0..<(CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 50) {
    let run = try SiteFileReading.measure()
    say("\(run.parse.nanoseconds) \(run.match.nanoseconds)")
}
