// SPDX-License-Identifier: Apache-2.0

/// What sending may cost. The bytes of one are `Limits.sentActivityBytes`.
package enum SendingLimits {
    /// Sends that wait here or were refused, for all devices together.
    package static let waiting = 32
    /// Sends of one device that are kept here, at their longest 4 MiB on disk. The devices that a member other
    /// than the founder admitted have so many places together with it and with those that they admitted.
    package static let keptOfDevice = 16
    /// The same of all devices: 16 MiB.
    package static let kept = 64
    /// Ids of one device whose activities were continued or dismissed. A device hands one over at a time, so the last would do.
    package static let endedOfDevice = 16
    /// How long one waits for its device, is kept there, and its id after that. Its own expiry comes first.
    package static let keptFor: Duration = .seconds(7 * 24 * 3600)
    /// Until the other device has written one to its disk.
    package static let handOver: Duration = .seconds(10)
    /// After a device could not take one, in the same session.
    package static let retry: Duration = .seconds(600)
    /// How often a device may have one written here.
    package static let arrivals = PaceLimit(burst: keptOfDevice, spacing: .seconds(10))
}
