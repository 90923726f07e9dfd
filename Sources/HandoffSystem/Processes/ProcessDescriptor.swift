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

    /// It becomes readable when the process ends.
    package var isRunning: Bool {
        var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&wait, 1, 0) == 0
    }
}

package enum ProcessMemory {
    /// For what holds keys: no core dump has them, and no other program of this user can attach to it. False: the system does
    /// not allow it.
    @discardableResult
    package static func keepToItself() -> Bool { chandoff_keep_memory_to_itself() == 0 }
}
