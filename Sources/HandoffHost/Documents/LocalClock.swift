// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import HandoffWire

/// The time of day where this machine is.
package enum LocalClock {
    /// At that moment, east of Greenwich.
    package static func secondsFromUTC(at time: WallTime) -> Int {
        var seconds = time_t(time.milliseconds / 1000)
        var local = tm()
        guard localtime_r(&seconds, &local) != nil else { return 0 }
        return local.tm_gmtoff
    }
}
