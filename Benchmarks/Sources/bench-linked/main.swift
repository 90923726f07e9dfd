// SPDX-License-Identifier: Apache-2.0

// As bench-bare, but with the library: it has a current activity, and is connected to a daemon.

import BenchClock
import Foundation
import Handoff

let activity = NSUserActivity(activityType: "org.example.bench")
activity.title = "linked"
activity.becomeCurrent()
say("ready \(Date().timeIntervalSinceReferenceDate > 0)")
while readLine() != nil {}
