// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import HandoffWire

package enum LocalClock {
    /// East of Greenwich, at that time.
    package static func secondsFromUTC(at time: WallTime) -> Int {
        var seconds = time_t(time.milliseconds / 1000)
        var local = tm()
        guard localtime_r(&seconds, &local) != nil else { return 0 }
        return local.tm_gmtoff
    }
}
