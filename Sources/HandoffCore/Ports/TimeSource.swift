// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// The clocks and alarms. In-memory implementation: `VirtualTime` in `HandoffTesting`.
package protocol TimeSource: AnyObject {
    var now: Instant { get }
    /// May jump; for display, expiration dates and beacons.
    var wallTime: WallTime { get }
    /// An alarm that calls `ring` on the daemon's loop. A service makes one at its start, for all its deadlines.
    func makeAlarm(_ ring: @escaping () -> Void) -> any Alarm
    /// Calls `work` on the daemon's loop after the present event.
    func soon(_ work: @escaping () -> Void)
}

package protocol Alarm: AnyObject {
    /// Rings once at or soon after `instant`. A later call replaces an earlier one, and nil silences it. Services set
    /// it after every event, so setting the same time costs nothing.
    func set(_ instant: Instant?)
}
