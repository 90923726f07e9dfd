// SPDX-License-Identifier: Apache-2.0

internal import HandoffClient
internal import HandoffSystem

/// Keeps `observeUserActivity` going until `invalidate()`, or until nobody holds it any more, as `NSKeyValueObservation`
/// does.
public final class HandoffUserActivityObservation: Sendable {
    private let end: Lock<(@Sendable () -> Void)?>

    init(end: @escaping @Sendable () -> Void) { self.end = Lock(end) }

    deinit { invalidate() }

    /// No change is told after this, but one that is being told on another thread.
    public func invalidate() {
        let end = end.withLock { end in
            defer { end = nil }
            return end
        }
        end?()
    }
}
