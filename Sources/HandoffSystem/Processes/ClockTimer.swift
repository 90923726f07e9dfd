// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem

package enum ClockTimer {
    /// Becomes readable, once, when the wall clock is set or the machine wakes up. Reading it fails.
    package static func open() throws(SystemError) -> CInt {
        let timer = chandoff_clock_timer()
        guard timer >= 0 else { throw SystemError("timerfd") }
        return timer
    }
}
