// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// Notices that two machines have one device's key, for example after a disk was copied.
///
/// A restarted daemon never returns to its earlier run. So a call from an earlier run, during a session of a later one,
/// comes from another machine. The exception is a session that has ended unnoticed, which shows within seconds. Calls
/// are proven by the device's key, so no stranger can make a device look copied.
struct CopyWatch {
    private struct Refusal {
        let earlier: BootID
        let later: BootID
        let first: Instant
    }

    private var refusals: [DeviceID: Refusal] = [:]

    init() {}

    /// A link of the `earlier` run was refused because of a session with the `later` one. Returns whether both are
    /// running.
    mutating func refused(_ earlier: BootID, beside later: BootID, of device: DeviceID, now: Instant) -> Bool {
        if let known = refusals[device], known.earlier == earlier, known.later == later {
            return known.first.duration(to: now) >= SessionLimits.copyIsCertainAfter
        }
        refusals[device] = Refusal(earlier: earlier, later: later, first: now)
        return false
    }

    mutating func keep(_ devices: Set<DeviceID>) { refusals = refusals.filter { devices.contains($0.key) } }
}
