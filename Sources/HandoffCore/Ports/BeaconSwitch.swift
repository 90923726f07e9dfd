// SPDX-License-Identifier: Apache-2.0

/// The user's setting `beacons`, which takes effect at once.
package protocol BeaconSwitch: AnyObject {
    /// Reports the setting once and after changes, on the daemon's loop. An invalid value changes nothing.
    func watch(_ changed: @escaping (Bool) -> Void)
}
