// SPDX-License-Identifier: Apache-2.0

internal import HandoffClient
internal import HandoffSystem

/// Keeps `observeUserActivity` active until invalidated or released, like `NSKeyValueObservation`.
public final class HandoffUserActivityObservation: Sendable {
    private let end: Lock<(@Sendable () -> Void)?>

    init(end: @escaping @Sendable () -> Void) { self.end = Lock(end) }

    deinit { invalidate() }

    /// Ends the observation. A running call completes.
    public func invalidate() {
        let end = end.withLock { end in
            defer { end = nil }
            return end
        }
        end?()
    }
}
