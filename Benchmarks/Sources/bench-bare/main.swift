// SPDX-License-Identifier: Apache-2.0

// A program with Foundation alone, as the baseline for bench-linked. Prints ready, and waits for the end of its input.

import BenchClock
import Foundation

say("ready \(Date().timeIntervalSinceReferenceDate > 0)")
while readLine() != nil {}
