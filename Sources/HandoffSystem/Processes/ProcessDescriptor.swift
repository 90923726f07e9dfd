// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
internal import Glibc

/// Shows that a process ended even if its number was reused.
package struct ProcessDescriptor: ~Copyable {
    package let descriptor: Int32

    /// Takes ownership.
    package init(taking descriptor: Int32) { self.descriptor = descriptor }

    /// For the process with this number now. Nil if there is none, or before Linux 5.3.
    package init?(of process: Int32) {
        let descriptor = chandoff_open_process(process)
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    package var isRunning: Bool { wait(milliseconds: 0) }

    /// Blocks until the process ends, `other` is readable, or the time is over. False after the process's end.
    package func wait(for other: Int32 = -1, milliseconds: Int32 = -1) -> Bool {
        // Readable at the process's end. `poll` ignores a negative one.
        var polled = [descriptor, other].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        _ = poll(&polled, 2, milliseconds)
        return polled[0].revents == 0
    }
}

package enum ProcessMemory {
    /// For processes with keys: no core dumps, and no other program of this user attaches. False if the system does not
    /// allow it.
    @discardableResult
    package static func keepToItself() -> Bool { chandoff_keep_memory_to_itself() == 0 }
}
