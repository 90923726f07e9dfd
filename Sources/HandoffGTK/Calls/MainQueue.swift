// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
internal import CGTK
internal import Foundation

/// GLib's main loop.
public enum GLibMainLoop {
    @MainActor private static var servesMainQueue = false

    /// Has GLib's main loop serve the main queue, and with it the main actor. Without this nothing that is sent there would
    /// ever run, for GLib's loop knows nothing of it. ``GTKApplication`` does it; a program that has GLib's loop and no
    /// windows calls it before it runs the loop on the main thread. Once is enough, and twice does no harm.
    @MainActor
    public static func serveMainQueue() {
        guard !servesMainQueue else { return }
        servesMainQueue = true
        _ = g_unix_fd_add(
            _dispatch_get_main_queue_handle_4CF(), G_IO_IN,
            { handle, _, _ in
                // Until it is read it stays ready, and what is less urgent, such as drawing, would never have its turn.
                var wakes: UInt64 = 0
                _ = read(handle, &wakes, MemoryLayout.size(ofValue: wakes))
                _dispatch_main_queue_callback_4CF(nil)
                return 1
            }, nil)
    }
}
#endif
