// SPDX-License-Identifier: Apache-2.0

// bench-roster RUNS: merges 1,000 roster statements RUNS times. A line each: nanoseconds for the signatures alone, for the
// merge, for the same merge again, and for reading the roster from its file.

import BenchClock
import HandoffMeasuring

extension Duration {
    var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}

for _ in 0..<(CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 5) {
    let run = try RosterMerge.measure(count: 1000)
    say([run.signatures, run.fresh, run.again, run.restored].map { "\($0.nanoseconds)" }.joined(separator: " "))
}
