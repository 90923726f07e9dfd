// SPDX-License-Identifier: Apache-2.0

import CHandoffSystem
import HandoffCore

/// The memory of this process that maps files of its program and libraries.
package enum CodeMemory {
    /// Returns pages to the system that the start needed and that are rarely used again: half of the daemon's memory at
    /// that time. Any use afterwards costs a fault for every 64 KiB, served from the system's cache.
    package static func letGo() { chandoff_let_go_of_code() }
}

/// The heap of the C library.
package final class HeapMemory: ProcessMemory {
    package init() {}

    /// Returns free whole pages anywhere in the heap.
    func giveBack() { _ = malloc_trim(0) }
}
