// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
internal import CGTK
internal import Foundation

/// GLib's main loop.
public enum GLibMainLoop {
    @MainActor private static var servesMainQueue = false

    /// Lets GLib's main loop serve the main queue and the main actor. ``GTKApplication`` calls this; a program without
    /// windows calls it on the main thread, before the loop. Repeated calls have no effect.
    @MainActor
    public static func serveMainQueue() {
        guard !servesMainQueue else { return }
        servesMainQueue = true
        _ = g_unix_fd_add(
            _dispatch_get_main_queue_handle_4CF(), G_IO_IN,
            { handle, _, _ in
                // While unread, it stays ready and starves lower priorities, such as drawing.
                var wakes: UInt64 = 0
                _ = read(handle, &wakes, MemoryLayout.size(ofValue: wakes))
                _dispatch_main_queue_callback_4CF(nil)
                return 1
            }, nil)
    }
}
#endif
