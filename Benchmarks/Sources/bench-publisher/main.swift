// SPDX-License-Identifier: Apache-2.0

// The origin's app. Reads commands, one a line, and says when each began:
//   current N    a new activity titled bench-N becomes current       -> current N NANOSECONDS
//   save         needsSave is set, so that the next fetch saves      -> save
// Says `continued` when another device went on with the activity.

import BenchClock
import Foundation
import Handoff
import HandoffApp

final class Saver: NSUserActivityDelegate {
    func userActivityWillSave(_ userActivity: NSUserActivity) {
        userActivity.addUserInfoEntries(from: ["position": 42, "saved": Date()])
    }

    func userActivityWasContinued(_ userActivity: NSUserActivity) { say("continued") }
}

let saver = Saver()
var activity: NSUserActivity?
while let line = readLine() {
    let words = line.split(separator: " ")
    switch words.first {
    case "current":
        let next = NSUserActivity(activityType: "org.example.bench")
        next.title = "bench-\(words[1])"
        next.delegate = saver
        next.userInfo = ["number": Int(words[1]) ?? 0, "text": String(repeating: "x", count: 1024)]
        let start = monotonicNanoseconds()
        next.becomeCurrent()
        say("current \(words[1]) \(start)")
        activity?.invalidate()
        activity = next
    case "save":
        activity?.needsSave = true
        say("save")
    default: exit(64)
    }
}
