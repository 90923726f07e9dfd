// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
public import CGTK

/// A closure as user data of a GLib call that answers asynchronously, on the main thread:
///
/// ```c
/// gtk_file_dialog_open(dialog, window, NULL, callback, data)
/// ```
/// takes ``callback`` and the result of ``data(_:)``.
@preconcurrency @MainActor
public final class GTKAnswer {
    private let take: @MainActor (OpaquePointer?) -> Void

    private init(_ take: @escaping @MainActor (OpaquePointer?) -> Void) { self.take = take }

    /// `take` is called once, with the result for the call's `…_finish`.
    public static func data(_ take: @escaping @MainActor (OpaquePointer?) -> Void) -> UnsafeMutableRawPointer {
        Unmanaged.passRetained(GTKAnswer(take)).toOpaque()
    }

    /// Only for use with ``data(_:)``.
    public static let callback: GAsyncReadyCallback = { _, result, data in
        guard let data else { return }
        let answer = Unmanaged<GTKAnswer>.fromOpaque(data).takeRetainedValue()
        // GLib answers on the calling thread, and the result stays on it.
        nonisolated(unsafe) let result = result
        MainActor.assumeIsolated { answer.take(result) }
    }
}
#endif
