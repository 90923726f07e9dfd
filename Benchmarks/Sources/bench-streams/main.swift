// SPDX-License-Identifier: Apache-2.0

// Both apps of V04, with the public library alone.
//
//   bench-streams serve     the origin: says `ready` when its activity is offered. Whoever asks for a stream sends eight
//                           bytes, a number in big endian, and gets so many zeros in writes of 64 KiB; with the first
//                           it says `began NANOSECONDS`
//   bench-streams receive   the receiver: says `continued` when it has the activity. Reads commands, one a line:
//     bulk BYTES            one stream                      -> `bulk NANOSECONDS`, when the last byte was there
//     opens COUNT BYTES     one stream after the other      -> `open NANOSECONDS NANOSECONDS` for each: until the streams
//                                                              were there, and until all was read and closed; `opened`
//     fair COUNT BYTES      all asked for at once           -> `there NANOSECONDS`, when the last of them was; then all
//                                                              begin, and `fair NANOSECONDS` for each from there on

import BenchClock
import Foundation
import Handoff
import HandoffApp

switch CommandLine.arguments.dropFirst().first {
case "serve": serve()
case "receive": receive()
default: exit(64)
}

@MainActor func serve() {
    let origin = Origin()
    HandoffApplication.shared.delegate = origin
    origin.activity.becomeCurrent()
    say("ready")
    HandoffApplication.shared.run()
}

@MainActor func receive() {
    let receiver = Receiver()
    HandoffApplication.shared.delegate = receiver
    HandoffApplication.shared.run()
}
