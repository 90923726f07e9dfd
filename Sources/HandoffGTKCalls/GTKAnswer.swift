// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
public import CGTK

/// A closure as the user data of one call of GLib's that answers later, on the main thread:
///
/// ```c
/// gtk_file_dialog_open(dialog, window, NULL, callback, data)
/// ```
/// takes ``callback`` and what ``data(_:)`` returns.
@preconcurrency @MainActor
public final class GTKAnswer {
    private let take: @MainActor (OpaquePointer?) -> Void

    private init(_ take: @escaping @MainActor (OpaquePointer?) -> Void) { self.take = take }

    /// `take` is called once, with the result for the `…_finish` of the call.
    public static func data(_ take: @escaping @MainActor (OpaquePointer?) -> Void) -> UnsafeMutableRawPointer {
        Unmanaged.passRetained(GTKAnswer(take)).toOpaque()
    }

    /// Goes with ``data(_:)``, and with nothing else.
    public static let callback: GAsyncReadyCallback = { _, result, data in
        guard let data else { return }
        let answer = Unmanaged<GTKAnswer>.fromOpaque(data).takeRetainedValue()
        // GLib answers on the thread that asked, and it goes no further.
        nonisolated(unsafe) let result = result
        MainActor.assumeIsolated { answer.take(result) }
    }
}
#endif
