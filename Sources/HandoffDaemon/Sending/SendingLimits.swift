// SPDX-License-Identifier: Apache-2.0

package import HandoffCore

/// The limits for sent activities. The size limit is `Limits.sentActivityBytes`.
package enum SendingLimits {
    /// Sends to all devices that wait here or were refused.
    package static let waiting = 32
    /// Sends kept here per device, at most 4 MiB on disk. A member other than the founder shares this limit with the
    /// devices that it admitted, directly or indirectly.
    package static let keptOfDevice = 16
    package static let kept = 64
    /// IDs remembered per device of activities that were continued or dismissed. Because a device hands over one at a
    /// time, one would suffice.
    package static let endedOfDevice = 16
    /// How long a send waits for its device, is kept there, and its ID is remembered afterwards. An earlier expiration
    /// date takes precedence.
    package static let keptFor: Duration = .seconds(7 * 24 * 3600)
    /// Until the other device has written the activity to its disk.
    package static let handOver: Duration = .seconds(10)
    /// The pause after a device could not take an activity, in the same session.
    package static let retry: Duration = .seconds(600)
    package static let arrivals = PaceLimit(burst: keptOfDevice, spacing: .seconds(10))
}
