// SPDX-License-Identifier: Apache-2.0

// The origin's app. Its argument is the reading end of a pipe into which the watching client writes a byte for each
// activity that it has seen. Reads commands, one a line:
//   series FIRST COUNT REST BURST
//                COUNT activities, titled bench-FIRST and up, become current one after the other. REST milliseconds
//                pass before each BURST; within it, the next follows once the previous one was seen
//                                                                    -> at the end `current N NANOSECONDS` for each
//   save         needsSave is set, so that the next fetch saves      -> save
//   size BYTES   the size of userInfo, from now on                   -> size
// Prints `continued` when another device continued the activity.
//
// While it measures it neither prints nor reads, because the reader would take time of a core.

import BenchClock
import Foundation
import Glibc
import Handoff
import HandoffApp

final class Saver: NSUserActivityDelegate {
    func userActivityWillSave(_ userActivity: NSUserActivity) {
        userActivity.addUserInfoEntries(from: ["position": 42, "saved": Date()])
    }

    func userActivityWasContinued(_ userActivity: NSUserActivity) { say("continued") }
}

let saver = Saver()
let seen = CommandLine.arguments.count > 1 ? Int32(CommandLine.arguments[1]) ?? -1 : -1
var activity: NSUserActivity?

@MainActor func becomeCurrent(_ number: Int) -> Int64 {
    let next = NSUserActivity(activityType: "org.example.bench")
    next.title = "bench-\(number)"
    next.delegate = saver
    next.userInfo = ["number": number, "text": String(repeating: "x", count: 1024)]
    let start = monotonicNanoseconds()
    next.becomeCurrent()
    activity = next
    return start
}

@MainActor func series(first: Int, count: Int, rest: Int, burst: Int) {
    var starts: [Int64] = []
    starts.reserveCapacity(count)
    var byte: UInt8 = 0
    for index in 0..<count {
        if index % burst == 0 { usleep(UInt32(rest) * 1000) }
        starts.append(becomeCurrent(first + index))
        guard read(seen, &byte, 1) == 1 else { exit(74) }
    }
    for (index, start) in starts.enumerated() { say("current \(first + index) \(start)") }
}

while let line = readLine() {
    let words = line.split(separator: " ")
    let numbers = words.dropFirst().compactMap { Int($0) }
    switch words.first {
    case "series" where numbers.count == 4:
        series(first: numbers[0], count: numbers[1], rest: numbers[2], burst: numbers[3])
    case "save":
        activity?.needsSave = true
        say("save")
    case "size" where numbers.count == 1:
        activity?.userInfo = ["data": Data(count: numbers[0])]
        say("size")
    default: exit(64)
    }
}
