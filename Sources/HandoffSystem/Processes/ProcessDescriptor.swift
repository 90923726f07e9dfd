// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
internal import Glibc

/// A descriptor of a process: its number may be another's once it has ended, and this one says whether it has.
package struct ProcessDescriptor: ~Copyable {
    private let descriptor: Int32

    /// Takes the descriptor over.
    package init(taking descriptor: Int32) { self.descriptor = descriptor }

    /// Of the process that has this number now. Nil: there is none, or no descriptors of processes (before Linux 5.3).
    package init?(of process: Int32) {
        let descriptor = chandoff_open_process(process)
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    package var isRunning: Bool { wait(milliseconds: 0) }

    /// Blocks until the process ends, or `other` can be read, or the time is over; false once the process has ended.
    package func wait(for other: Int32 = -1, milliseconds: Int32 = -1) -> Bool {
        // This one becomes readable when the process ends; a negative one is passed over.
        var polled = [descriptor, other].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        _ = poll(&polled, 2, milliseconds)
        return polled[0].revents == 0
    }
}

package enum ProcessMemory {
    /// For what holds keys: no core dump has them, and no other program of this user can attach to it. False: the system does
    /// not allow it.
    @discardableResult
    package static func keepToItself() -> Bool { chandoff_keep_memory_to_itself() == 0 }
}
