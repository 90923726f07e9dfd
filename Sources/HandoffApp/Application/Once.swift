// SPDX-License-Identifier: Apache-2.0

internal import HandoffSystem

/// Calls it the first time it is told to.
final class Once<Value>: Sendable {
    private let body: Lock<(@Sendable (Value) -> Void)?>

    init(_ body: @escaping @Sendable (Value) -> Void) { self.body = Lock(body) }

    func call(_ value: Value) {
        let body = body.withLock { body in
            defer { body = nil }
            return body
        }
        body?(value)
    }
}
