// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
internal import HandoffWire

/// How many activities may be on the board, and how often peers are updated.
package struct BoardLimits: Hashable, Sendable {
    package var offers = Limits.offersPerBoard
    /// Changes of one app that are sent immediately, before they are spaced.
    package var burst = Limits.offerBurst
    /// The interval between later updates for that app, which contain its newest state.
    package var spacing = Limits.offerSpacing
    /// An activity without an expiration date is withdrawn after this time without a message from its app; zero: never.
    package var expiry: Duration = .seconds(24 * 3600)
    /// How long an activity stays after its app quit; zero: it is withdrawn immediately.
    package var keep: Duration = .seconds(10 * 60)

    /// How long a device may still fetch an activity that its user chose just before the user here left. Longer than an
    /// app there takes to start and to be notified, by `ContinuationLimits`.
    package var lateFetches: Duration = .seconds(30)

    package var pace: PaceLimit { PaceLimit(burst: burst, spacing: spacing) }

    package init() {}
}
