// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

/// How much an app may put on the board, and how often peers hear of it.
package struct BoardLimits: Hashable, Sendable {
    /// Activities offered at a time.
    package var offers = Limits.offersPerBoard
    /// Changes of one app that go out at once, before they are spaced.
    package var burst = Limits.offerBurst
    /// From then on peers hear of that app once in so long, and of its newest state.
    package var spacing = Limits.offerSpacing
    /// An activity without an expiration date goes when nothing was heard of it for so long; zero: never.
    package var expiry: Duration = .seconds(24 * 3600)
    /// The activity of an app that quit stays for so long; zero: it goes with its app.
    package var keep: Duration = .seconds(10 * 60)

    /// A device whose user chose an activity just before it was withdrawn, since nobody is here, may fetch it for so long:
    /// longer than an app there takes to start and to be told, by `ContinuationLimits`.
    package var lateFetches: Duration = .seconds(30)

    var pace: PaceLimit { PaceLimit(burst: burst, spacing: spacing) }

    package init() {}
}
