// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// The clocks and the one way to be woken. In-memory twin: `VirtualTime` in `HandoffTesting`.
package protocol TimeSource: AnyObject {
    /// Never goes back.
    var now: Instant { get }
    /// May jump; for people, expiry and beacons.
    var wallTime: WallTime { get }
    /// An alarm that calls `ring` on the daemon's loop. A service makes one, at its start, for all its deadlines.
    func makeAlarm(_ ring: @escaping () -> Void) -> any Alarm
    /// Calls `work` on the daemon's loop when whatever is under way has returned.
    func soon(_ work: @escaping () -> Void)
}

package protocol Alarm: AnyObject {
    /// Rings once at or soon after `instant`; a later call replaces an earlier one, nil silences it. Costs nothing where
    /// it is set so already: a service sets it after every event.
    func set(_ instant: Instant?)
}
