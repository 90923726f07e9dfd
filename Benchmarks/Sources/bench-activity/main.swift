// SPDX-License-Identifier: Apache-2.0

// bench-activity ROOT RUNS: measures an app's calls on its activities, with a daemon in ROOT. Prints lines of a name
// and nanoseconds or counts.

import BenchClock
import HandoffMeasuring

let root = CommandLine.arguments.dropFirst().first ?? "/"
let runs = CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 200

func line(_ name: String, _ numbers: [Int64]) {
    say(name + " " + numbers.map { "\($0)" }.joined(separator: " "))
}

let currents = try ActivityCalls.becomeCurrent(100_000, root: root)
line("current-floor", currents.floor)
line("current", currents.calls)
line("frames", [Int64(currents.frames), Int64(currents.allowed)])
let accesses = ActivityCalls.firstAccess(runs: 10_000)
line("access-floor", accesses.floor)
line("access", accesses.access)
for bytes in [3, 100] {
    let entries = try ActivityCalls.entries(bytes: bytes * 1024, runs: runs)
    line("bytes-\(bytes)", [Int64(entries.bytes)])
    line("adding-floor-\(bytes)", entries.floor)
    line("adding-\(bytes)", entries.adding)
    line("encoding-floor-\(bytes)", entries.propertyList)
    line("encoding-\(bytes)", entries.encoding)
}
