// SPDX-License-Identifier: Apache-2.0

import CWebKitGTK
import Foundation

/// Has GLib's main loop serve the main queue, and with it the main actor. Without this nothing that is sent there would
/// ever run, for GTK's loop knows nothing of it.
@MainActor
func serveMainQueue() {
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
