// SPDX-License-Identifier: Apache-2.0

// bench-roster RUNS: merges 1,000 roster statements RUNS times. A line each: nanoseconds for the signatures alone, for the
// merge, for the same merge again, and for reading the roster from its file.
//
// bench-roster flood RUNS STATEMENTS: receives this many statements RUNS times. Prints a line for each run: nanoseconds
// of wall clock and processor time, and peak memory in bytes. Use a process for each run, because a run may reuse
// memory that an earlier run freed, which the peak does not show.
//
// bench-roster calls RUNS: tries the secrets of 256 devices on a call RUNS times. Prints nanoseconds, one line for each
// run.

import BenchClock
import HandoffMeasuring

extension Duration {
    var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}

var arguments = Array(CommandLine.arguments.dropFirst())
let mode = ["flood", "calls"].contains(arguments.first ?? "") ? arguments.removeFirst() : "merge"
for _ in 0..<(arguments.first.flatMap { Int($0) } ?? 5) {
    switch mode {
    case "calls": say("\(CallTrial.measure(devices: 256).nanoseconds)")
    case "flood":
        let run = try RosterFlood.measure(count: arguments.last.flatMap { Int($0) } ?? 10_000)
        say("\(run.wall.nanoseconds) \(run.processor.nanoseconds) \(run.peak)")
    default:
        let run = try RosterMerge.measure(count: 1000)
        say([run.signatures, run.fresh, run.again, run.restored].map { "\($0.nanoseconds)" }.joined(separator: " "))
    }
}
