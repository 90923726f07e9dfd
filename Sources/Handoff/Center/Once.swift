// SPDX-License-Identifier: Apache-2.0

internal import HandoffSystem

package final class Once<Value: Sendable>: Sendable {
    private let body: Lock<(@Sendable (Value) -> Void)?>

    package init(_ body: @escaping @Sendable (Value) -> Void) { self.body = Lock(body) }

    package func callAsFunction(_ value: Value) { body.withLock { $0.take() }?(value) }
}
