// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Runs blocking code on its own thread, outside the pool that all tests share.
func blocking<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        onThread { continuation.resume(with: Swift.Result { try body() }) }
    }
}

func onThread(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    pthread_create(
        &thread, nil,
        { argument in
            if let argument { Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run() }
            return nil
        }, Unmanaged.passRetained(ThreadBody(body)).toOpaque())
    pthread_detach(thread)
}

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// Whether the condition becomes true within ten seconds, for effects of other threads without a notification.
func soon(isolation: isolated (any Actor)? = #isolation, _ isSo: () throws -> Bool) async rethrows -> Bool {
    let deadline = ContinuousClock.now + .seconds(10)
    while try !isSo() {
        guard ContinuousClock.now < deadline else { return false }
        await Task.yield()
    }
    return true
}
