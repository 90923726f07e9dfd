// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Notices that two machines have the key of one device, as after a disk was copied.
///
/// A daemon that was started again never returns to its earlier start. So a call of an earlier start beside the session of
/// a later one is of another machine, unless that session has ended unnoticed, which shows within seconds. The
/// calls are proven by the device's key, so no stranger makes a device look copied.
package struct CopyWatch {
    private struct Refusal {
        let earlier: BootID
        let later: BootID
        let first: Instant
    }

    private var refusals: [DeviceID: Refusal] = [:]

    package init() {}

    /// A link of the `earlier` start was refused, since there is a session with the `later` one. Returns whether both run.
    package mutating func refused(_ earlier: BootID, beside later: BootID, of device: DeviceID, now: Instant) -> Bool {
        if let known = refusals[device], known.earlier == earlier, known.later == later {
            return known.first.duration(to: now) >= SessionLimits.copyIsCertainAfter
        }
        refusals[device] = Refusal(earlier: earlier, later: later, first: now)
        return false
    }

    package mutating func keep(_ devices: Set<DeviceID>) { refusals = refusals.filter { devices.contains($0.key) } }
}
