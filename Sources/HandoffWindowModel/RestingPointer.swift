// SPDX-License-Identifier: Apache-2.0

/// The pointer over the list. Rows stay in place while it moves, so that no click hits another row, and move again once
/// it rests.
package struct RestingPointer {
    static let patience = Duration.seconds(2)

    private var lastMotion: ContinuousClock.Instant?

    package init() {}

    package mutating func moved(at now: ContinuousClock.Instant) { lastMotion = now }

    package func hasRested(at now: ContinuousClock.Instant) -> Bool {
        lastMotion.map { $0.duration(to: now) >= Self.patience } ?? true
    }
}
