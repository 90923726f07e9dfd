// SPDX-License-Identifier: Apache-2.0

import CWebKitGTK

/// A closure as the user data of one call of GLib's that answers later, on the main thread.
@MainActor
final class Answer {
    private let take: @MainActor (OpaquePointer?) -> Void

    private init(_ take: @escaping @MainActor (OpaquePointer?) -> Void) { self.take = take }

    /// The result is for the `…_finish` of the call.
    static func data(_ take: @escaping @MainActor (OpaquePointer?) -> Void) -> UnsafeMutableRawPointer {
        Unmanaged.passRetained(Answer(take)).toOpaque()
    }

    static let callback: GAsyncReadyCallback = { _, result, data in
        guard let data else { return }
        let answer = Unmanaged<Answer>.fromOpaque(data).takeRetainedValue()
        // GLib answers on the thread that asked, and it goes no further.
        nonisolated(unsafe) let result = result
        MainActor.assumeIsolated { answer.take(result) }
    }
}
